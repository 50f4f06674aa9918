import { type Clock, day, daysBefore, hour, isFuture } from '#server/clock.ts'
import type { Config } from '#server/config.ts'
import type { Database } from '#server/database/open.ts'
import type { JobRow } from '#server/database/tables.ts'
import { readMaker } from '#server/features/site-content/site-content.queries.ts'
import { asProblem, Problem } from '#server/http/problem.ts'
import { type JobRows, readJobs, writeJob } from '#server/jobs/jobs.queries.ts'
import { isTimeFor, nextTryOf } from '#server/jobs/jobs.rules.ts'
import type { ScheduledJob } from '#server/jobs/scheduled-job.ts'
import { composeFaults } from '#server/mail/compose.rules.ts'
import type { Mailer } from '#server/mail/mailer.ts'
import { putIntoOutboxFor, readMailSettings } from '#server/mail/outbox.queries.ts'
import type { Storage } from '#server/storage/storage.ts'
import { hasUncopiedSince, readBackupJobs } from './backup-jobs.ts'
import { listStoredBackups } from './backup-names.ts'
import type { Job } from './job.ts'
import { isWhole } from './retention.rules.ts'
import { faultsToMail, isDueNow, isOverdue, type NightlyBackup } from './schedule.rules.ts'

export type ScheduleParts = {
  database: Database
  clock: Clock
  /** Whether the site is more than a demo. */
  hasOwner(): Promise<boolean>
}

export type BackupJobParts = ScheduleParts & {
  config: Pick<Config, 'offsite' | 'publicUrl'>
  storage: Storage
  mailer?: Pick<Mailer, 'to' | 'wake'> | undefined
  /** Runs a job in the backup worker. Rejects with a `Problem`. */
  startJob(job: Job): Promise<unknown>
}

export async function readSchedule({ database: { db }, clock, hasOwner }: ScheduleParts, row: JobRow): Promise<NightlyBackup> {
  const [{ nightly, at }, { timeZone }, siteCreatedAt] = await Promise.all([
    readBackupJobs(db),
    readMaker(db),
    readSiteCreatedAt(db),
  ])
  return { now: clock.now(), at, timeZone, isOn: nightly ?? (await hasOwner()), siteCreatedAt, row }
}

async function readSiteCreatedAt(db: Database['db']) {
  return (await db.selectFrom('site').select('createdAt').executeTakeFirstOrThrow()).createdAt
}

/** The nightly backup, its off-site copy, the restore test, and the mail about what fails. */
export function backupJobs(parts: BackupJobParts): ScheduledJob[] {
  return [nightlyJob(parts), copyJob(parts), restoreTestJob(parts), faultMailsJob(parts)]
}

const problemOf = (work: Promise<unknown>) => work.then(() => undefined, asProblem)

/** Something else is being made or restored: the next look tries again. */
const isBusy = (problem: Problem | undefined) => problem?.code === 'backup_in_progress'

function nightlyJob(parts: BackupJobParts): ScheduledJob {
  return {
    name: 'nightly',
    isDue: async ({ nightly }) => isDueNow(await readSchedule(parts, nightly)),
    async run(row) {
      const problem = await problemOf(parts.startJob({ kind: 'nightly' }))
      // The worker itself stores a success.
      if (!problem || (isBusy(problem) && !isOverdue(await readSchedule(parts, row)))) return undefined
      return { problem }
    },
  }
}

/** Without progress for so long that the worker was ended: a share that hangs. */
const stalled: string = 'backup_stalled'

function copyJob({ config, database: { db }, startJob }: BackupJobParts): ScheduledJob {
  // Tried once after each start: the settings may name another target, or one that cannot be reached.
  let isTried = false
  return {
    name: 'copy',
    async isDue({ copy }, now) {
      if (!config.offsite) return false
      const nextTry = nextTryOf(copy, now)
      if (nextTry) return nextTry <= now
      return !isTried || !copy.lastSuccess || hasUncopiedSince(db, copy.lastSuccess)
    },
    async run() {
      const problem = await problemOf(startJob({ kind: 'copy' }))
      if (isBusy(problem)) return undefined
      isTried = true
      if (!problem) return {}
      return { problem: problem.code === stalled ? new Problem('elsewhere_unavailable', { cause: problem }) : problem }
    },
  }
}

const daysBetweenTests = 30

function restoreTestJob({ database: { db }, storage, clock, startJob }: BackupJobParts): ScheduledJob {
  const tryAfter = (wait: number) =>
    writeJob(db, 'restore-test', { nextTry: new Date(clock.now().getTime() + wait).toISOString() })
  return {
    name: 'restore-test',
    // It takes hours on a small machine.
    waits: [day],
    async isDue({ 'restore-test': row }, now) {
      if (!isTimeFor(row, daysBetweenTests * day, now)) return false
      const createdAt = await readSiteCreatedAt(db)
      // Setting up a site needs the processor.
      return createdAt <= daysBefore(now, 1).toISOString() || isFuture(createdAt, now)
    },
    async run({ lastError }) {
      const backup = (await listStoredBackups(storage, clock.now())).find(({ filename }) => isWhole(filename))
      if (!backup) return void (await tryAfter(hour))
      const { filename } = backup
      const tested = await startJob({ kind: 'restore-test' }).catch(asProblem)
      if (!(tested instanceof Problem)) return { result: { filename, ...(tested as { onBuiltIn?: boolean } | undefined) } }
      if (isBusy(tested)) return undefined
      // Nothing was tested: what an earlier test has found stays.
      if (tested.code === 'disk_full' && lastError) return void (await tryAfter(day))
      return { problem: tested, result: { filename } }
    },
  }
}

/** Sends what keeps failing to the maker, once a day at most. */
function faultMailsJob({ config, database: { db }, clock, mailer }: BackupJobParts): ScheduledJob {
  const faultsIn = (rows: JobRows, now: Date) => faultsToMail(rows, { now, isCopied: config.offsite !== undefined })
  return {
    name: 'fault-mails',
    isDue: (rows, now) => mailer !== undefined && faultsIn(rows, now).length > 0,
    async run() {
      if (!mailer) return undefined
      const now = clock.now()
      const message = composeFaults(faultsIn(await readJobs(db), now), {
        ...(await readMailSettings(db)),
        publicUrl: config.publicUrl,
      })
      await db.transaction().execute((tx) => putIntoOutboxFor(tx, mailer.to, { kind: 'backup', message }, now))
      mailer.wake()
      return {}
    },
  }
}
