import { randomUUID } from 'node:crypto'
import { link, readFile } from 'node:fs/promises'
import path from 'node:path'
import { hash } from '@node-rs/argon2'
import type { LightMyRequestResponse } from 'fastify'
import { inject, onTestFinished } from 'vitest'
import { z } from 'zod/mini'
import { type Role, signIn } from '#contract/accounts.ts'
import { readChecks } from '#contract/checks.ts'
import type { AnyEndpoint, ReplyOf } from '#contract/endpoint.ts'
import { problemReply } from '#contract/problems.ts'
import { buildApp, type Parts } from '#server/app.ts'
import { storedBackup } from '#server/backup/backup-names.ts'
import { openEncryption } from '#server/backup/encryption.ts'
import type { JobParts } from '#server/backup/make-backup.ts'
import { runJob } from '#server/backup/run-job.ts'
import { createWorker, type Worker } from '#server/backup/start-worker.ts'
import { type Config, readConfig } from '#server/config.ts'
import type { Dialect } from '#server/database/dialect.ts'
import type { Database } from '#server/database/open.ts'
import { insertAdmin } from '#server/features/accounts/accounts.queries.ts'
import { createEncoder } from '#server/features/images/encoder.ts'
import { runTask } from '#server/features/images/image-tasks.ts'
import { createVariants } from '#server/features/images/variants.ts'
import type { Renderer } from '#server/features/pages/renderer.ts'
import { Problem } from '#server/http/problem.ts'
import type { Answered } from '#server/http/request-log.ts'
import { createMailer } from '#server/mail/mailer.ts'
import { projectRoot } from '#server/own-program.ts'
import type { Storage } from '#server/storage/storage.ts'
import { openingPage, renderPage } from '#web/entry.server.tsx'
import { temporaryFolder } from './temporary-folder.ts'
import { testClock } from './test-clock.ts'
import { type DatabaseOptions, openTestDatabase } from './test-database.ts'
import { type LoggedLine, testLog } from './test-log.ts'
import { openTestStorage, type StorageKind } from './test-storage.ts'

/** Somebody with a session. */
export type SomeoneSignedIn = { adminId: string; username: string; password: string; cookie: string }

type Sent = {
  params?: Record<string, string>
  query?: Record<string, string>
  body?: unknown
  as?: { cookie: string }
  headers?: Record<string, string>
  /** The address of the caller. */
  from?: string
}

type Options = DatabaseOptions & {
  config?: Partial<Config>
  clock?: ReturnType<typeof testClock>
  onAnswered?: (answered: Answered) => void
  /** Sees every line of the log from `info` upwards. */
  onLogged?: (line: LoggedLine) => void
  onRender?: () => unknown
  /** Stands in front of the database. */
  wrap?: (database: Database) => Database
  /** Where files are kept, or a storage that is open already. */
  storage?: StorageKind | Storage
  /** How long mails may take, which are sent when the settings name a mail server. */
  mailTimeouts?: { attempt: number; stop: number }
  /** Scripts and styles; there are none unless a test brings some. */
  assets?: Parts['assets']
}

/** For `describe.each`: the site on one machine, and the one that has outgrown it. */
export const sites: readonly (readonly [Dialect, StorageKind])[] = [
  ['sqlite', 'folder'],
  ['postgres', 's3'],
]

/** The site as `main.ts` builds it, on a database and a folder of its own, with a clock the test can turn. */
export async function openTestApp(
  dialect: Dialect,
  {
    config: overrides,
    clock = testClock(),
    onAnswered,
    onLogged,
    onRender,
    wrap = (database) => database,
    storage: where = 'folder',
    mailTimeouts,
    assets = async () => {},
    ...options
  }: Options = {},
) {
  const database = wrap(await openTestDatabase(dialect, options))
  const dataDir = await temporaryFolder()
  await link(inject('reserve'), path.join(dataDir, 'reserve'))
  const { log, problems } = testLog(onLogged)
  const storage = typeof where === 'string' ? await openTestStorage(where, path.join(dataDir, 'files')) : where
  // In this process, where `main.ts` starts one for each site: hundreds of sites are opened here.
  const encoder = createEncoder({ run: runTask })
  const variants = createVariants({ storage, encoder, clock, log })
  onTestFinished(() => variants.stop())
  const config = { ...readConfig({ DATA_DIR: dataDir }), ...overrides }
  const mailer = createMailer({ config, database, clock, log, ...(mailTimeouts && { timeouts: mailTimeouts }) })
  mailer.start()
  const jobs: JobParts = { config, database, storage, clock, log }
  onTestFinished(mailer.stop)
  const app = await buildApp({
    config,
    database,
    storage,
    clock,
    encoder,
    variants,
    renderer: {
      ...renderer,
      render: async (input) => {
        await onRender?.()
        return renderer.render(input)
      },
    },
    log,
    assets,
    onAnswered,
    mailer,
    worker: workerHere(jobs),
  })
  onTestFinished(async () => {
    const closed = app.close()
    // Otherwise it waits for connections that fetch keeps open for four seconds.
    app.server.closeAllConnections()
    await closed
  })

  /** Makes a declared call and hands back whatever the site answers; a refusal has been checked against the contract. */
  async function call(endpoint: AnyEndpoint, { params = {}, query, body, as, headers, from }: Sent = {}) {
    const response = await app.inject({
      method: endpoint.method,
      url: addressOf(endpoint, params),
      headers: { ...(as && { cookie: as.cookie }), ...headers },
      ...(query && { query }),
      ...(body !== undefined && { payload: body as object }),
      ...(from && { remoteAddress: from }),
    })
    const isForPrograms = String(response.headers['content-type']).startsWith('application/json')
    if (response.statusCode >= 400 && isForPrograms) z.parse(problemReply, response.json())
    return response
  }

  return {
    app,
    config,
    database,
    db: database.db,
    storage,
    encoder,
    variants,
    clock,
    log,
    /** What the jobs of backups run with. */
    jobs,
    dataDir,
    mailer,
    /** Takes what was logged as an error; what nobody takes fails the test. */
    takeLoggedProblems: () => problems.splice(0),
    call,

    /** A call that must succeed; what comes back has been checked against the contract. */
    async ask<E extends AnyEndpoint>(endpoint: E, sent: Sent = {}): Promise<ReplyOf<E>> {
      const response = await call(endpoint, sent)
      if (response.statusCode !== 200) throw new Error(`${endpoint.path} answered ${response.statusCode}: ${response.body}`)
      return (endpoint.reply && z.parse(endpoint.reply, response.json())) as ReplyOf<E>
    },

    /** What the checks of the site have found. */
    async findings(sent: Sent) {
      return (await this.ask(readChecks, sent)).checks.map(({ finding }) => finding)
    },

    /** An account, made without asking the site. */
    async addAdmin({ username = 'maker', password = 'brass and pear', demo = false, role = 'owner' }: NewAccount = {}) {
      const id = randomUUID()
      const createdAt = clock.now().toISOString()
      // As cheap as argon2 can be: verifying it takes the cost from the hash, and the site's own takes 40 ms each time.
      const passwordHash = await hash(password, { memoryCost: 8, timeCost: 1 })
      await insertAdmin(database.db, { id, username, passwordHash, lastLogin: null, createdAt, demo, role })
      return { adminId: id, username, password }
    },

    async signIn({ username, password }: { username: string; password: string }, sent: Sent = {}) {
      const response = await call(signIn, { body: { username, password }, ...sent })
      if (response.statusCode !== 200) throw new Error(`Signing in answered ${response.statusCode}: ${response.body}`)
      return { cookie: cookieFrom(response) }
    },

    /** An account with a session of its own. */
    async signedIn(account: NewAccount = {}): Promise<SomeoneSignedIn> {
      const admin = await this.addAdmin(account)
      return { ...admin, ...(await this.signIn(admin)) }
    },
  }
}

/** Runs jobs in this process, where `main.ts` starts one for each: hundreds run here, by a clock that a test turns. */
function workerHere(parts: JobParts): Worker {
  return {
    ...createWorker((job) => runJob(parts, job)),
    async download(filename) {
      const { config, storage } = parts
      const stored = await storage.stream(storedBackup(filename))
      if (!stored || !config.backupSecret) throw new Problem('backup_not_found')
      return openEncryption(config.backupSecret).encrypt(stored.content, stored.bytes)
    },
  }
}

type NewAccount = { username?: string; password?: string; demo?: boolean; role?: Role }

export type TestApp = Awaited<ReturnType<typeof openTestApp>>

/** What a browser would send back of the session: `name=value` of the first cookie the site has set. */
export function cookieFrom(response: LightMyRequestResponse) {
  const [cookie] = response.cookies
  if (!cookie) throw new Error('No cookie was set.')
  return `${cookie.name}=${cookie.value}`
}

/** All that a browser would send back. */
export function cookiesFrom(response: LightMyRequestResponse) {
  return response.cookies.map(({ name, value }) => `${name}=${value}`).join('; ')
}

export function addressOf({ path: pattern }: { path: string }, params: Record<string, string> = {}) {
  return pattern.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(params[name] ?? randomUUID()))
}

const renderer: Renderer = {
  render: renderPage,
  opening: async (input) => openingPage(input),
  warmUp: async () => {},
  template: () => readFile(path.join(projectRoot, 'index.html'), 'utf8'),
}
