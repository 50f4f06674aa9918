import type { FastifyBaseLogger } from 'fastify'
import { backupMaker } from '#contract/backups.ts'
import { type Clock, daysBefore } from '#server/clock.ts'
import type { Database } from '#server/database/open.ts'
import { asProblem, type Problem } from '#server/http/problem.ts'
import { composeFaults } from '#server/mail/compose.rules.ts'
import type { Mailer } from '#server/mail/mailer.ts'
import { putIntoOutboxFor, readMailSettings } from '#server/mail/outbox.queries.ts'
import type { Storage } from '#server/storage/storage.ts'
import { findLastCopy, listCheckedBackups, type Progress, readBackupJobs, updateBackupJobs } from './backup-jobs.ts'
import { listStoredBackups, madeAt } from './backup-names.ts'
import type { Backups } from './create-backups.ts'
import { pruneBackups } from './retention.ts'
import { faultAfter, faultsToMail, isDueNow, isOverdue, lastDue } from './schedule.rules.ts'
import { readSchedule } from './status.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** What the schedule runs and the routes call. */
    backups: Jobs
  }
}

type Jobs = {
  openBackups(): Promise<Backups>
  /** Whether the site is more than a demo. */
  hasOwner(): Promise<boolean>
  /** Neither rejects: each stores its own fault. The signal stops it together with the site. */
  offsiteCopies?: { copyIfDue(signal?: AbortSignal): Promise<void> } | undefined
  restoreTests?: { runIfDue(signal?: AbortSignal): Promise<void> } | undefined
}

type Parts = Jobs & {
  database: Database
  storage: Storage
  clock: Clock
  log: FastifyBaseLogger
  mailer?: Pick<Mailer, 'to' | 'wake'> | undefined
  publicUrl?: string | undefined
}

const firstRunAfter = 5_000
const runEvery = 60_000

/** Runs every minute what is due: the nightly backup, its off-site copy, a restore test, a mail about faults. */
export function startBackupSchedule(parts: Parts): { stop(): Promise<void> } {
  const { restoreTests, log } = parts
  const stopping = new AbortController()
  const { signal } = stopping
  const nightly = skipIfRunning(log, () => makeIfDue(parts, signal))
  // Each on its own: a copy over a slow line may take longer than a day.
  const others = [
    skipIfRunning(log, () => copyOffsite(parts, signal)),
    skipIfRunning(log, async () => restoreTests?.runIfDue(signal)),
    skipIfRunning(log, () => mailFaults(parts)),
  ]
  const runAll = async () => {
    await nightly.run()
    if (!signal.aborted) await Promise.all(others.map(({ run }) => run()))
  }
  let timer = setTimeout(() => {
    timer = setInterval(runAll, runEvery).unref()
    void runAll()
  }, firstRunAfter).unref()
  return {
    async stop() {
      stopping.abort()
      clearInterval(timer)
      // Not the others: they stop at the signal or with the process, and half a copy is never listed as one.
      await nightly.ended()
    },
  }
}

function skipIfRunning(log: FastifyBaseLogger, job: () => Promise<void>) {
  let underWay: Promise<void> | undefined
  return {
    async run() {
      if (underWay) return
      underWay = job().catch((error: unknown) => log.error({ err: error }, 'a backup job failed'))
      await underWay
      underWay = undefined
    },
    ended: async () => underWay,
  }
}

/** All jobs once, one after the other. */
export async function runBackupJobs(parts: Parts) {
  await makeIfDue(parts)
  await copyOffsite(parts)
  await parts.restoreTests?.runIfDue()
  await mailFaults(parts)
}

/** A nightly backup now, whether it is due or not. Rejects when it cannot be made. */
export async function makeNightlyNow(parts: Omit<Parts, 'hasOwner' | 'restoreTests'>, progress?: Progress) {
  const backups = await parts.openBackups()
  const made = await backups.keepComplete({ madeBy: 'night', progress })
  await recordMade(parts, made.filename)
  await parts.offsiteCopies?.copyIfDue()
  return made
}

async function recordMade(parts: Pick<Parts, 'database' | 'storage' | 'clock'>, filename: string) {
  await updateBackupJobs(parts.database.db, { nightDoneAt: madeAt(filename).toISOString(), nightFault: null })
  await pruneBackups(parts)
}

/** In one process at a time: the next one finds the backup that the first has made. */
async function makeIfDue(parts: Parts, signal?: AbortSignal) {
  await parts.database.unlessBusy('nights', async () => {
    const schedule = await readSchedule(parts)
    if (!isDueNow(schedule)) return
    const filename = await makeNightly(parts, lastDue(schedule), signal).catch(async (error: unknown) => {
      const problem = asProblem(error)
      // No fault: it is made in a minute, or after the next start.
      const isOnlyBusy = problem.code === 'backup_in_progress' && !isOverdue(schedule)
      if (!isOnlyBusy && !signal?.aborted) await recordFault(parts, problem)
      return undefined
    })
    if (filename) await recordMade(parts, filename)
  })
}

/** Returns the name of the backup. */
async function makeNightly(parts: Parts, due: Date, signal?: AbortSignal) {
  // A process that was killed has made one, and has not recorded it or not checked it.
  const made = (await listStoredBackups(parts.storage, parts.clock.now())).find(
    ({ filename }) => backupMaker(filename) === 'night' && madeAt(filename) >= due && madeAt(filename) <= parts.clock.now(),
  )
  const backups = await parts.openBackups()
  const isChecked = made && (await listCheckedBackups(parts.database.db)).has(made.filename)
  if (made && (isChecked || (await backups.recheckComplete(made.filename, signal)))) return made.filename
  const make = () => backups.keepComplete({ madeBy: 'night', signal })
  const { filename } = await make().catch(async (error: unknown) => {
    if (asProblem(error).code !== 'disk_full' || (await pruneBackups(parts, { countsNext: true })) === 0) throw error
    return make()
  })
  return filename
}

async function recordFault({ database: { db }, clock, log }: Parts, problem: Problem) {
  log.error({ err: problem.cause ?? problem }, 'the nightly backup failed')
  await updateBackupJobs(db, { nightFault: faultAfter((await readBackupJobs(db)).nightFault, problem, clock.now()) })
}

async function copyOffsite({ offsiteCopies, database: { db } }: Parts, signal?: AbortSignal) {
  if (offsiteCopies) return offsiteCopies.copyIfDue(signal)
  // Otherwise the fault of a target that is not set any more would be shown for ever.
  if ((await readBackupJobs(db)).copyFault) await updateBackupJobs(db, { copyFault: null })
}

/** Sends what keeps failing to the maker, once a day at most. */
async function mailFaults({ database: { db }, clock, mailer, publicUrl }: Parts) {
  if (!mailer) return
  const now = clock.now()
  const faults = faultsToMail({ ...(await readBackupJobs(db)), copiedAt: await findLastCopy(db) }, now)
  if (faults.length === 0) return
  const isMailed = await db.transaction().execute(async (tx) => {
    // Only one of several processes updates the row, and only that one mails.
    const { numUpdatedRows } = await tx
      .updateTable('backupCare')
      .set({ mailedAt: now.toISOString() })
      .where((row) => row.or([row('mailedAt', 'is', null), row('mailedAt', '<=', daysBefore(now, 1).toISOString())]))
      .executeTakeFirst()
    if (numUpdatedRows === 0n) return false
    const message = composeFaults(faults, { ...(await readMailSettings(tx)), publicUrl })
    await putIntoOutboxFor(tx, mailer.to, { kind: 'backup', message }, now)
    return true
  })
  if (isMailed) mailer.wake()
}
