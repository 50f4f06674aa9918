import type { FastifyBaseLogger } from 'fastify'
import { backupMaker } from '#contract/backups.ts'
import { type Clock, daysBefore } from '#server/clock.ts'
import type { Database } from '#server/database/open.ts'
import { asProblem, type Problem } from '#server/http/problem.ts'
import { composeFaults } from '#server/mail/compose.rules.ts'
import type { Mailer } from '#server/mail/mailer.ts'
import { putIntoOutboxFor, readMailSettings } from '#server/mail/outbox.queries.ts'
import type { Storage } from '#server/storage/storage.ts'
import { changeCare, findLastCopy, listKnown, type Progress, readCare } from './backup-jobs.ts'
import { listStoredBackups, madeAt } from './backup-names.ts'
import type { Backups } from './create-backups.ts'
import { letGoOfOld } from './retention.ts'
import { faultAfter, faultsToTell, isNightOver, isTimeFor, lastDue } from './schedule.rules.ts'
import { readNight } from './status.ts'

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
  const { trials, log } = parts
  const stopping = new AbortController()
  const { signal } = stopping
  const night = unlessUnderWay(log, () => makeIfDue(parts, signal))
  // Apart from each other: a copy over a slow line may take longer than a day.
  const others = [
    unlessUnderWay(log, () => bringCopies(parts, signal)),
    unlessUnderWay(log, async () => trials?.runIfDue(signal)),
    unlessUnderWay(log, () => tellOfFaults(parts)),
  ]
  const look = async () => {
    await night.run()
    if (!signal.aborted) await Promise.all(others.map(({ run }) => run()))
  }
  let timer = setTimeout(() => {
    timer = setInterval(look, lookEvery).unref()
    void look()
  }, firstLookAfter).unref()
  return {
    async stop() {
      stopping.abort()
      clearInterval(timer)
      // The others heed the signal, or end with the process: half a copy is nowhere taken for one.
      await night.ended()
    },
  }
}

/** What goes wrong is logged: nobody waits for it. */
function unlessUnderWay(log: FastifyBaseLogger, job: () => Promise<void>) {
  let underWay: Promise<void> | undefined
  return {
    async run() {
      if (underWay) return
      underWay = job().catch((error: unknown) => log.error({ err: error }, 'looking after the backups failed'))
      await underWay
      underWay = undefined
    },
    ended: async () => underWay,
  }
}

/** What is done every minute, one after the other. */
export async function lookAfterBackups(parts: Parts) {
  await makeIfDue(parts)
  await bringCopies(parts)
  await parts.trials?.runIfDue()
  await tellOfFaults(parts)
}

/** The same at once, whether it is due or not. Fails when it cannot be made. */
export async function keepNow(parts: Omit<Parts, 'hasOwner' | 'trials'>, progress?: Progress) {
  const backups = await parts.openBackups()
  const made = await backups.keepComplete({ madeBy: 'night', progress })
  await noteMade(parts, made.filename)
  await parts.copies?.bring()
  return made
}

async function noteMade(parts: Pick<Parts, 'database' | 'storage' | 'clock'>, filename: string) {
  await changeCare(parts.database.db, { nightDoneAt: madeAt(filename).toISOString(), nightFault: null })
  await letGoOfOld(parts)
}

/** In one process at a time, which sees what the one before it has made. */
async function makeIfDue(parts: Parts, signal?: AbortSignal) {
  await parts.database.unlessBusy('nights', async () => {
    const night = await readNight(parts)
    if (!isTimeFor(night)) return
    const filename = await makeNight(parts, lastDue(night), signal).catch(async (error: unknown) => {
      const problem = asProblem(error)
      // Neither is a failure: it is made in a minute, or after the next start.
      const isOnlyBusy = problem.code === 'backup_in_progress' && !isNightOver(night)
      if (!isOnlyBusy && !signal?.aborted) await noteFault(parts, problem)
      return undefined
    })
    if (filename) await noteMade(parts, filename)
  })
}

/** Answers the name of the backup. */
async function makeNight(parts: Parts, due: Date, signal?: AbortSignal) {
  // One that was made, and the process was killed before that could be noted, or that it was checked.
  const made = (await listStoredBackups(parts.storage, parts.clock.now())).find(
    ({ filename }) => backupMaker(filename) === 'night' && madeAt(filename) >= due && madeAt(filename) <= parts.clock.now(),
  )
  const backups = await parts.openBackups()
  const isKnown = made && (await listKnown(parts.database.db)).has(made.filename)
  if (made && (isKnown || (await backups.recheckComplete(made.filename, signal)))) return made.filename
  const make = () => backups.keepComplete({ madeBy: 'night', signal })
  const { filename } = await make().catch(async (error: unknown) => {
    if (asProblem(error).code !== 'disk_full' || (await letGoOfOld(parts, { isOneComing: true })) === 0) throw error
    return make()
  })
  return filename
}

async function noteFault({ database: { db }, clock, log }: Parts, problem: Problem) {
  log.error({ err: problem.cause ?? problem }, 'the backup of the night could not be made')
  await changeCare(db, { nightFault: faultAfter((await readCare(db)).nightFault, problem, clock.now()) })
}

async function bringCopies({ copies, database: { db } }: Parts, signal?: AbortSignal) {
  if (copies) return copies.bring(signal)
  // Where no second place is named any more, nothing fails there.
  if ((await readCare(db)).copyFault) await changeCare(db, { copyFault: null })
}

async function tellOfFaults({ database, clock, mailer, publicUrl }: Parts) {
  if (mailer) await mailFaults({ database, clock, mailer, publicUrl })
}

type MailParts = {
  database: Pick<Database, 'db'>
  clock: Clock
  mailer: Pick<Mailer, 'to' | 'wake'>
  publicUrl: string | undefined
}

/** Tells the maker what keeps failing, once a day at most. */
async function mailFaults({ database: { db }, clock, mailer, publicUrl }: MailParts) {
  const now = clock.now()
  const faults = faultsToTell({ ...(await readCare(db)), copiedAt: await findLastCopy(db) }, now)
  if (faults.length === 0) return
  const isTold = await db.transaction().execute(async (tx) => {
    // Of several processes one sets it, and puts the mails into the outbox in the same transaction.
    const { numUpdatedRows } = await tx
      .updateTable('backupCare')
      .set({ mailedAt: now.toISOString() })
      .where((care) => care.or([care('mailedAt', 'is', null), care('mailedAt', '<=', daysBefore(now, 1).toISOString())]))
      .executeTakeFirst()
    if (numUpdatedRows === 0n) return false
    const message = composeFaults(faults, { ...(await readMailSettings(tx)), publicUrl })
    await putIntoOutboxFor(tx, mailer.to, { kind: 'backup', message }, now)
    return true
  })
  if (isTold) mailer.wake()
}
