import type { FastifyBaseLogger } from 'fastify'
import { backupMaker } from '#contract/backups.ts'
import type { Clock } from '#server/clock.ts'
import type { Database } from '#server/database/open.ts'
import { asProblem } from '#server/http/as-problem.ts'
import type { Mailer } from '#server/mail/mailer.ts'
import type { Storage } from '#server/storage/storage.ts'
import { listStoredBackups, madeAt } from '../backup-names.ts'
import type { Backups } from '../backups.ts'
import { changeCare, readCare } from '../care.queries.ts'
import { mailFaults } from './fault-mails.ts'
import { faultAfter } from './faults.rules.ts'
import { isTimeFor, lastDue } from './night.rules.ts'
import { letGoOfOld } from './removing.ts'
import { readNight } from './state.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** What looks after the backups; the page uses the same. */
    backupCare: Care
  }
}

type Care = {
  openBackups(): Promise<Backups>
  /** Whether the site is more than a demo. */
  hasOwner(): Promise<boolean>
  /** Neither fails: each notes by itself what goes wrong. The signal says that the site is being stopped. */
  copies?: { bring(signal?: AbortSignal): Promise<void> } | undefined
  trials?: { runIfDue(signal?: AbortSignal): Promise<void> } | undefined
}

type Parts = Care & {
  database: Database
  storage: Storage
  clock: Clock
  log: FastifyBaseLogger
  mailer?: Pick<Mailer, 'to' | 'wake'> | undefined
  publicUrl?: string | undefined
}

const firstLookAfter = 5_000
const lookEvery = 60_000

/** Looks every minute whether there is something to do for the backups. */
export function startNights(parts: Parts): { stop(): Promise<void> } {
  const stopping = new AbortController()
  const night = unlessUnderWay(() => makeIfDue(parts, stopping.signal))
  // Apart from each other: a copy over a slow line may take longer than a day.
  const others = [
    unlessUnderWay(async () => parts.copies?.bring(stopping.signal)),
    unlessUnderWay(async () => parts.trials?.runIfDue(stopping.signal)),
    unlessUnderWay(() => tellOfFaults(parts)),
  ]
  const look = async () => {
    await night.run()
    if (!stopping.signal.aborted) for (const job of others) void job.run()
  }
  let timer = setTimeout(() => {
    timer = setInterval(look, lookEvery).unref()
    void look()
  }, firstLookAfter).unref()
  return {
    async stop() {
      stopping.abort()
      clearInterval(timer)
      // The others take the signal, or end with the process: a copy that is not whole is nowhere taken for one.
      await night.ended()
    },
  }
}

function unlessUnderWay(job: () => Promise<void>) {
  let underWay: Promise<void> | undefined
  return {
    async run() {
      if (underWay) return
      underWay = job()
      await underWay.finally(() => {
        underWay = undefined
      })
    },
    ended: async () => underWay,
  }
}

/** What is done every minute, one after the other. */
export async function lookAfterBackups(parts: Parts) {
  await makeIfDue(parts)
  await parts.copies?.bring()
  await parts.trials?.runIfDue()
  await tellOfFaults(parts)
}

/** In one process at a time, which sees what the one before it has made. */
async function makeIfDue(parts: Parts, signal?: AbortSignal) {
  const { database, log } = parts
  await database
    .unlessBusy('nights', async () => {
      const night = await readNight(parts)
      if (!isTimeFor(night)) return
      const filename = await makeNight(parts, lastDue(night), signal).catch((error: unknown) => noteFault(parts, error, signal))
      if (!filename) return
      await changeCare(database.db, { nightDoneAt: madeAt(filename).toISOString(), nightFault: null })
      await letGoOfOld(parts)
    })
    .catch((error: unknown) => log.error({ err: error }, 'it could not be seen whether a backup is due'))
}

/** Answers the name of the backup. */
async function makeNight(parts: Parts, due: Date, signal?: AbortSignal) {
  // One that was made, and the process was killed before that could be noted.
  const made = (await listStoredBackups(parts.storage)).find(
    ({ filename }) => backupMaker(filename) === 'night' && madeAt(filename) >= due,
  )
  if (made) return made.filename
  const backups = await parts.openBackups()
  const make = () => backups.keepComplete({ madeBy: 'night', signal })
  const { filename } = await make().catch(async (error: unknown) => {
    if (asProblem(error).code !== 'disk_full' || (await letGoOfOld(parts, { isOneComing: true })) === 0) throw error
    return make()
  })
  return filename
}

async function noteFault({ database: { db }, clock, log }: Parts, error: unknown, signal?: AbortSignal) {
  const problem = asProblem(error)
  // Neither is a failure: it is made in a minute, or after the next start.
  if (problem.code === 'backup_in_progress' || signal?.aborted) return undefined
  log.error({ err: problem.cause ?? problem }, 'the backup of the night could not be made')
  await changeCare(db, { nightFault: faultAfter((await readCare(db)).nightFault, problem, clock.now()) })
  return undefined
}

async function tellOfFaults({ database, clock, log, mailer, publicUrl }: Parts) {
  if (!mailer) return
  await mailFaults({ database, clock, mailer, publicUrl }).catch((error: unknown) =>
    log.error({ err: error }, 'the mail about backups that fail could not be written'),
  )
}
