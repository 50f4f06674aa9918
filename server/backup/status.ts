import type { BackupStatus } from '#contract/backup-status.ts'
import type { Clock } from '#server/clock.ts'
import type { Database } from '#server/database/open.ts'
import type { BackupJobsRow } from '#server/database/tables.ts'
import { readMaker } from '#server/features/site-content/site-content.queries.ts'
import type { Storage } from '#server/storage/storage.ts'
import { findWorking, listCheckedBackups, readBackupJobs } from './backup-jobs.ts'
import { isOfFuture, listStoredBackups } from './backup-names.ts'
import { describeMerge } from './restore/last-merge.queries.ts'
import { type NightlyBackup, nextDue } from './schedule.rules.ts'
import { findLastGood, warningsOf } from './status.rules.ts'

type ScheduleParts = { database: Database; clock: Clock; hasOwner(): Promise<boolean> }

export async function readSchedule(
  { database: { db }, clock, hasOwner }: ScheduleParts,
  jobs?: BackupJobsRow,
): Promise<NightlyBackup> {
  const [{ nightly, at, nightDoneAt, nightFault }, { timeZone }, { createdAt }] = await Promise.all([
    jobs ?? readBackupJobs(db),
    readMaker(db),
    db.selectFrom('site').select('createdAt').executeTakeFirstOrThrow(),
  ])
  return {
    now: clock.now(),
    at,
    timeZone,
    isOn: nightly ?? (await hasOwner()),
    siteCreatedAt: createdAt,
    doneAt: nightDoneAt,
    fault: nightFault,
  }
}

export type StatusParts = ScheduleParts & {
  storage: Storage
  /** Null where no off-site target is set. */
  describeOffsite(): Promise<BackupStatus['offsite']>
  /** Whether what is downloaded is encrypted. */
  isEncrypted: boolean
}

/** The state of backups as the panel, the console and the health check show it. Counts only what was read back. */
export async function readStatus({ describeOffsite, isEncrypted, ...parts }: StatusParts): Promise<BackupStatus> {
  const { database, storage } = parts
  const { db } = database
  const jobs = await readBackupJobs(db)
  const [schedule, listed, checked, offsite, working] = await Promise.all([
    readSchedule(parts, jobs),
    listStoredBackups(storage, parts.clock.now()),
    listCheckedBackups(db),
    describeOffsite(),
    findWorking(database),
  ])
  const past = listed.filter(({ filename }) => !isOfFuture(filename, schedule.now))
  const { keepDaily: daily, keepWeekly: weekly, keepMonthly: monthly, trial } = jobs
  return {
    settings: { nightly: schedule.isOn, at: jobs.at, keep: { daily, weekly, monthly } },
    timeZone: schedule.timeZone,
    now: schedule.now.toISOString(),
    warnings: warningsOf({ schedule, restoreTest: trial, offsite, listed: past, checked }),
    lastGood: findLastGood(past, checked),
    nightly: { nextAt: schedule.isOn ? nextDue(schedule).toISOString() : null, doneAt: schedule.doneAt, fault: schedule.fault },
    offsite,
    restoreTest: trial,
    encrypted: isEncrypted,
    working,
    lastMerge: jobs.lastMerge && (await describeMerge(db, jobs.lastMerge)),
  }
}
