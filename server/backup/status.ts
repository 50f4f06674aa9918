import type { BackupStatus } from '#contract/backup-status.ts'
import type { Config } from '#server/config.ts'
import { faultOf, readJobs } from '#server/jobs/jobs.ts'
import type { Storage } from '#server/storage/storage.ts'
import { findWorking, listCheckedBackups, readBackupJobs } from './backup-jobs.ts'
import { isOfFuture, listStoredBackups } from './backup-names.ts'
import { describeOffsite } from './offsite-copies.ts'
import { describeMerge } from './restore/undo.ts'
import { nextDue } from './schedule.rules.ts'
import { readSchedule, type ScheduleParts } from './schedule.ts'
import { findLastGood, restoreTestIn, warningsOf } from './status.rules.ts'

type Parts = ScheduleParts & { config: Pick<Config, 'offsite' | 'backupSecret'>; storage: Storage }

/** The state of backups as the panel, the console and the health check show it. Counts only what was read back. */
export async function readStatus(parts: Parts): Promise<BackupStatus> {
  const { config, database, storage } = parts
  const { db } = database
  const rows = await readJobs(db)
  const [settings, schedule, listed, checked, offsite, working] = await Promise.all([
    readBackupJobs(db),
    readSchedule(parts, rows.nightly),
    listStoredBackups(storage, parts.clock.now()),
    listCheckedBackups(db),
    describeOffsite(parts, faultOf(rows.copy)),
    findWorking(database),
  ])
  const past = listed.filter(({ filename }) => !isOfFuture(filename, schedule.now))
  const { at, keepDaily: daily, keepWeekly: weekly, keepMonthly: monthly, lastMerge } = settings
  return {
    settings: { nightly: schedule.isOn, at, keep: { daily, weekly, monthly } },
    timeZone: schedule.timeZone,
    now: schedule.now.toISOString(),
    warnings: warningsOf({ schedule, rows, offsite, listed: past, checked }),
    lastGood: findLastGood(past, checked),
    nightly: {
      nextAt: schedule.isOn ? nextDue(schedule).toISOString() : null,
      doneAt: rows.nightly.lastSuccess,
      fault: faultOf(rows.nightly),
    },
    offsite,
    restoreTest: restoreTestIn(rows['restore-test']),
    encrypted: config.backupSecret !== undefined,
    working,
    lastMerge: lastMerge && (await describeMerge(db, lastMerge)),
  }
}
