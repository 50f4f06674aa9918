import { access, constants, readFile, stat } from 'node:fs/promises'
import path from 'node:path'
import { type CheckName, checkNames, type SiteCheck } from '#contract/checks.ts'
import { shownAddress } from '#contract/mails.ts'
import { isOnSameDisk } from '#server/backup/offsite-copies.ts'
import { readStatus } from '#server/backup/status.ts'
import { type Clock, minute, withTimeout } from '#server/clock.ts'
import type { Config } from '#server/config.ts'
import type { Database } from '#server/database/open.ts'
import type { Integrity } from '#server/database/tables.ts'
import type { ProxySign } from '#server/http/proxy-signs.ts'
import { readJobs } from '#server/jobs/jobs.ts'
import { readRunningTime } from '#server/jobs/running-time.ts'
import { listDue, listTroubled } from '#server/mail/outbox.queries.ts'
import { projectRoot } from '#server/own-program.ts'
import { roomAt } from '#server/storage/disk.ts'
import type { Storage } from '#server/storage/storage.ts'
import { type Facts, judge, unreadable, type Visit } from './checks.rules.ts'

export type Machine = {
  config: Config
  clock: Clock
  visit?: Visit
  proxySigns?: readonly ProxySign[]
}

export type Parts = Machine & {
  database: Database
  storage: Storage
  demoAdminActive(): Promise<boolean>
  /** As the console has just found it; else that of last night. */
  integrity?: Integrity
}

type Readers<Names extends CheckName, Given> = { [Name in Names]: (parts: Given) => Facts[Name] | Promise<Facts[Name]> }

type OfMachine = 'settings' | 'address' | 'proxy' | 'disk' | 'version'

/** What can be told without the database. */
const ofMachine: Readers<OfMachine, Machine> = {
  // Those of the environment are valid: otherwise the site would not have started.
  settings: ({ config: { lost } }) => ({ lost }),
  address: ({ config: { publicUrl, loopbackOnly, trustProxy }, visit }) => ({
    publicUrl,
    // Behind a proxy other machines reach it, too.
    loopbackOnly: loopbackOnly && trustProxy === 0,
    visit,
  }),
  proxy: ({ config: { trustProxy }, proxySigns: signs = [], visit }) => ({ trustProxy, signs, visit }),
  disk: ({ config }) => readDisk(config),
  async version({ clock }) {
    const { version } = JSON.parse(await readFile(path.join(projectRoot, 'package.json'), 'utf8')) as { version: string }
    return { release: version, node: process.versions.node, now: clock.now() }
  },
}

const ofSite: Readers<Exclude<CheckName, OfMachine>, Parts> = {
  demo: async ({ demoAdminActive }) => ({ isActive: await demoAdminActive() }),
  async backups(parts) {
    const { backupTakenAt } = await readSite(parts)
    const [status, sameDisk] = [await readStatus(parts), await isOnSameDisk(parts.config)]
    return { status, isOnSameDisk: sameDisk, takenAt: backupTakenAt, now: parts.clock.now() }
  },
  async database(parts) {
    const [{ bytes }, { found }] = [await parts.database.measure(), await readIntegrity(parts)]
    return { bytes, damage: found?.damage ?? null, checkedAt: found?.checkedAt ?? null }
  },
  async photos(parts) {
    // Fails when the storage does not answer.
    await parts.storage.check()
    const { found, lastError } = await readIntegrity(parts)
    if (lastError) throw new Error(`The last nightly check failed: ${lastError.code}`)
    return found && { ...found, damaged: found.damaged.length }
  },
  async mail({ config, database: { db }, clock }) {
    const [troubled, overdue] = [await listTroubled(db), await listDue(db, new Date(clock.now().getTime() - 15 * minute))]
    const failed = troubled.filter(({ state }) => state === 'failed')
    const waiting = new Set([...troubled.filter(({ state }) => state === 'waiting'), ...overdue].map(({ id }) => id))
    const reason = (failed[0] ?? troubled[0])?.lastError ?? null
    const to = config.mail?.to.map(shownAddress).join(', ')
    return { to, failed: failed.length, waiting: waiting.size, reason }
  },
  async clock({ database, clock }) {
    const { db } = database
    const newest = await Promise.all([
      db.selectFrom('site').select('createdAt').executeTakeFirst(),
      db.selectFrom('contactMessages').select('createdAt').orderBy('createdAt', 'desc').limit(1).executeTakeFirst(),
      db.selectFrom('projects').select('createdAt').orderBy('createdAt', 'desc').limit(1).executeTakeFirst(),
    ])
    const { hasJumped } = await readRunningTime(db, clock)
    const { now: databaseNow } = await database.measure()
    const last =
      newest
        .flatMap((row) => row?.createdAt ?? [])
        .toSorted()
        .at(-1) ?? null
    return { now: clock.now(), databaseNow, newest: last, hasJumped }
  },
  async accounts({ config, database: { db }, demoAdminActive }) {
    const isDemo = await demoAdminActive()
    const [admins, withPasskey] = await Promise.all([
      db
        .selectFrom('adminUsers')
        .select(['id', 'username', 'email', 'demo'])
        .where('role', '=', 'owner')
        .orderBy('createdAt')
        .execute(),
      db.selectFrom('passkeys').select('adminId').distinct().execute(),
    ])
    const owners = admins
      .filter(({ demo }) => !(demo && isDemo))
      .map(({ id, username: name, email }) => ({
        name,
        hasAddress: email !== null,
        hasPasskey: withPasskey.some(({ adminId }) => adminId === id),
      }))
    return { owners, mailsLinks: config.mail !== undefined && config.publicUrl !== undefined }
  },
  visitors: async (parts) => ({ isOpened: (await readSite(parts)).opened, publicUrl: parts.config.publicUrl }),
}

/** A check that has not answered by then is red: a share or a bucket may hang. */
const timeout = 4_000

/** What can be told where the site cannot be opened. */
export function checkMachine(parts: Machine): Promise<SiteCheck[]> {
  return runEach(ofMachine, parts)
}

/** All checks but that of the settings, without which there is no site to ask. In the order of the contract. */
export async function checkSite(parts: Parts): Promise<SiteCheck[]> {
  const all = [...(await checkMachine(parts)), ...(await runEach(ofSite, parts))]
  return checkNames.flatMap((name) => all.filter(({ check }) => check === name))
}

function runEach<Names extends CheckName, Given>(readers: Readers<Names, Given>, parts: Given) {
  const run = async (check: Names) => {
    try {
      const facts = await withTimeout(timeout, Promise.resolve(readers[check](parts)).then(known), undefined)
      return facts ? judge(check, facts.known) : unreadable(check, 'No answer within four seconds.')
    } catch (error) {
      return unreadable(check, error instanceof Error ? error.message : String(error))
    }
  }
  return Promise.all((Object.keys(readers) as Names[]).map(run))
}

/** Facts may be undefined; a check that did not answer has none. */
function known<T>(facts: T) {
  return { known: facts }
}

function readSite({ database: { db } }: Parts) {
  return db.selectFrom('site').select(['opened', 'backupTakenAt']).executeTakeFirstOrThrow()
}

async function readIntegrity({ database: { db }, integrity, clock }: Parts) {
  if (integrity) return { found: { ...integrity, checkedAt: clock.now().toISOString() } }
  const { result, lastSuccess, lastError } = (await readJobs(db)).integrity
  return { found: result && 'photos' in result && lastSuccess ? { ...result, checkedAt: lastSuccess } : undefined, lastError }
}

/** The fullest of the disks that the database, the photos and the backups are on. */
async function readDisk({ dataDir, databaseUrl, bucket }: Config): Promise<Facts['disk']> {
  if (databaseUrl && bucket) return undefined
  const folders = [dataDir, ...(bucket ? [] : ['files', 'files/backups'].map((name) => path.join(dataDir, name)))]
  const rooms: { free: number; inodes: number | undefined }[] = []
  for (const folder of folders) {
    try {
      await access(folder, constants.W_OK)
    } catch (error) {
      // It is made when it is first needed.
      if ((error as NodeJS.ErrnoException).code === 'ENOENT' && folder !== dataDir) continue
      return { unwritable: folder }
    }
    rooms.push(await roomAt(folder))
  }
  const inodes = rooms.flatMap((room) => room.inodes ?? [])
  const database = databaseUrl ? undefined : await stat(path.join(dataDir, 'vitrina.sqlite')).catch(() => undefined)
  return {
    free: Math.min(...rooms.map(({ free }) => free)),
    inodes: inodes.length > 0 ? Math.min(...inodes) : undefined,
    databaseBytes: database?.size ?? 0,
  }
}
