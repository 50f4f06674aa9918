import { type Clock, day, daysBefore, hour, isFuture } from '#server/clock.ts'
import type { Config } from '#server/config.ts'
import type { Database } from '#server/database/open.ts'
import type { Db, JobRow } from '#server/database/tables.ts'
import { readMaker } from '#server/features/site-content/site-content.queries.ts'
import { asProblem, Problem } from '#server/http/problem.ts'
import { isTimeFor, nextTryOf, readJobs, type ScheduledJob, writeJob } from '#server/jobs/jobs.ts'
import { composeFaults } from '#server/mail/compose.rules.ts'
import type { Mailer } from '#server/mail/mailer.ts'
import { putIntoOutboxFor, readMailSettings } from '#server/mail/outbox.queries.ts'
import type { Storage } from '#server/storage/storage.ts'
import { readBackupJobs } from './backup-jobs.ts'
import { listStoredBackups, madeAt } from './backup-names.ts'
import type { Job } from './job.ts'
import { listWaiting } from './offsite-copies.ts'
import type { Difference } from './restore-test.ts'
import { isWhole } from './retention.rules.ts'
import { faultsToMail, isDueNow, isOverdue, type NightlyBackup } from './schedule.rules.ts'

/** A demo makes backups only when it is told to. */
export type ScheduleParts = { database: Database; clock: Clock; demoAdminActive(): Promise<boolean> }

export type BackupJobParts = ScheduleParts & {
  config: Pick<Config, 'offsite' | 'publicUrl'>
  storage: Storage
  mailer?: Pick<Mailer, 'to' | 'wake'> | undefined
  /** Runs a job in the backup worker. Rejects with a `Problem`. */
  startJob(job: Job): Promise<unknown>
}

export async function readSchedule(
  { database: { db }, clock, demoAdminActive }: ScheduleParts,
  row: JobRow,
): Promise<NightlyBackup> {
  const { nightly, at } = await readBackupJobs(db)
  const [{ timeZone }, siteCreatedAt] = await Promise.all([readMaker(db), readCreatedAt(db)])
  return { now: clock.now(), at, timeZone, isOn: nightly ?? !(await demoAdminActive()), siteCreatedAt, row }
}

async function readCreatedAt(db: Db) {
  return (await db.selectFrom('site').select('createdAt').executeTakeFirstOrThrow()).createdAt
}

/** The nightly backup, its off-site copy, the restore test, and the mail about what fails. */
export function backupJobs(parts: BackupJobParts): ScheduledJob[] {
  return [nightlyJob(parts), copyJob(parts), restoreTestJob(parts), faultMailsJob(parts)]
}

/** Something else is being made or restored: the next look tries again. */
const isBusy = ({ code }: Problem) => code === 'backup_in_progress'

function nightlyJob(parts: BackupJobParts): ScheduledJob {
  return {
    name: 'nightly',
    isDue: async ({ nightly }) => isDueNow(await readSchedule(parts, nightly)),
    async run(row) {
      const made = await parts.startJob({ kind: 'nightly' }).catch(asProblem)
      if (!(made instanceof Problem)) return { lastSuccess: madeAt((made as { filename: string }).filename).toISOString() }
      return isBusy(made) && !isOverdue(await readSchedule(parts, row)) ? undefined : { problem: made }
    },
  }
}

function copyJob({ config, startJob, ...parts }: BackupJobParts): ScheduledJob {
  // Tried once after each start: the settings may name another target, or one that cannot be reached.
  let isTried = false
  return {
    name: 'copy',
    async isDue({ copy }, now) {
      if (!config.offsite) return false
      const nextTry = nextTryOf(copy, now)
      return nextTry ? nextTry <= now : !isTried || (await listWaiting(parts)).length > 0
    },
    async run() {
      const copied = await startJob({ kind: 'copy' }).catch(asProblem)
      if (copied instanceof Problem && isBusy(copied)) return undefined
      isTried = true
      if (!(copied instanceof Problem)) return {}
      // Nothing moved: a share that hangs.
      return { problem: copied.code === 'backup_stalled' ? new Problem('elsewhere_unavailable', { cause: copied }) : copied }
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
      const createdAt = await readCreatedAt(db)
      // On the first day of a site, setting it up needs the processor.
      return createdAt <= daysBefore(now, 1).toISOString() || isFuture(createdAt, now)
    },
    async run({ lastError }) {
      const [filename] = (await listStoredBackups(storage, clock.now())).map((backup) => backup.filename).filter(isWhole)
      if (!filename) return void (await tryAfter(hour))
      const tested = await startJob({ kind: 'restore-test', filename }).catch(asProblem)
      if (tested instanceof Problem) {
        if (isBusy(tested)) return undefined
        // Nothing was tested: what an earlier test has found stays.
        if (tested.code === 'disk_full' && lastError) return void (await tryAfter(day))
        return { problem: tested, result: { filename } }
      }
      const { difference, onBuiltIn } = tested as { difference: Difference | null; onBuiltIn: boolean }
      const result = { filename, ...(onBuiltIn && { onBuiltIn }) }
      if (!difference) return { result }
      return { problem: new Problem('trial_differs', { cause: new Error(JSON.stringify(difference)) }), result }
    },
  }
}

/** Sends what keeps failing to the maker, once a day at most. */
function faultMailsJob({ config: { offsite, publicUrl }, database: { db }, clock, mailer }: BackupJobParts): ScheduledJob {
  const isCopied = offsite !== undefined
  return {
    name: 'fault-mails',
    isDue: (rows, now) => mailer !== undefined && faultsToMail(rows, { now, isCopied }).length > 0,
    async run() {
      if (!mailer) return undefined
      const now = clock.now()
      const faults = faultsToMail(await readJobs(db), { now, isCopied })
      const message = composeFaults(faults, { ...(await readMailSettings(db)), publicUrl })
      await db.transaction().execute((tx) => putIntoOutboxFor(tx, mailer.to, { kind: 'backup', message }, now))
      mailer.wake()
      return {}
    },
  }
}
