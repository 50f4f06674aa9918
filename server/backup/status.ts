import type { BackupStatus, BackupWarning } from '#contract/backup-status.ts'
import { backupMaker, backupType, missingFromBackup, recordsMissingFrom } from '#contract/backups.ts'
import { hour } from '#server/clock.ts'
import type { Config } from '#server/config.ts'
import type { JobRow, KnownBackupRow } from '#server/database/tables.ts'
import { faultOf, type JobRows, readJobs } from '#server/jobs/jobs.ts'
import type { Storage } from '#server/storage/storage.ts'
import { isOfFuture, listStoredBackups, madeAt } from './backup-names.ts'
import { findWorking, listCheckedBackups, readBackupState } from './backup-state.ts'
import { describeOffsite } from './offsite-copies.ts'
import { describeMerge } from './restore/undo.ts'
import { isWhole } from './retention.ts'
import { dueSince, isFailing, isOverdue, type NightlyBackup, nextDue, readSchedule, type ScheduleParts } from './schedule.ts'

type Parts = ScheduleParts & { config: Pick<Config, 'offsite' | 'backupSecret'>; storage: Storage }

/** The state of backups as the panel, the console and the health check show it. Counts only what was read back. */
export async function readStatus(parts: Parts): Promise<BackupStatus> {
  const { config, database, storage } = parts
  const { db } = database
  const rows = await readJobs(db)
  const [settings, schedule, stored, checked, offsite, working] = await Promise.all([
    readBackupState(db),
    readSchedule(parts, rows.nightly),
    listStoredBackups(storage, parts.clock.now()),
    listCheckedBackups(db),
    describeOffsite(parts, faultOf(rows.copy)),
    findWorking(database),
  ])
  const listed = stored.filter(({ filename }) => !isOfFuture(filename, schedule.now))
  const { at, keepDaily: daily, keepWeekly: weekly, keepMonthly: monthly, lastMerge } = settings
  return {
    settings: { nightly: schedule.isOn, at, keep: { daily, weekly, monthly } },
    timeZone: schedule.timeZone,
    now: schedule.now.toISOString(),
    warnings: warningsOf({ schedule, rows, offsite, listed, checked }),
    lastGood: findLastGood(listed, checked),
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

export function restoreTestIn(row: JobRow): BackupStatus['restoreTest'] {
  const fault = faultOf(row)
  const at = fault?.at ?? row.lastSuccess
  return row.result && at ? { ...row.result, at, fault } : null
}

type Facts = {
  schedule: NightlyBackup
  rows: JobRows
  offsite: BackupStatus['offsite']
  /** The newest first. */
  listed: readonly { filename: string; bytes: number }[]
  checked: ReadonlyMap<string, KnownBackupRow>
}

/** The newest complete backup from which nothing is missing and that was read again after it was made. */
export function findLastGood(listed: Facts['listed'], checked: Facts['checked']) {
  const last = listed.find(({ filename }) => isWhole(filename) && checked.has(filename))
  return last ? { ...last, at: madeAt(last.filename).toISOString() } : null
}

export function warningsOf({ schedule, rows, offsite, listed, checked }: Facts): BackupWarning[] {
  const complete = listed.map(({ filename }) => filename).filter((filename) => backupType(filename) === 'complete')
  const newest = complete[0] ?? ''
  const isFaulty = (row: JobRow) => isFailing(row, { isCopied: offsite !== null })
  const all: Record<BackupWarning, boolean> = {
    nothing_yet: findLastGood(listed, checked) === null,
    nightly_off: !schedule.isOn,
    night_failed: schedule.isOn && isFaulty(rows.nightly),
    night_late: !isFaulty(rows.nightly) && dueSince(schedule) !== undefined && isOverdue(schedule),
    not_whole: missingFromBackup(newest) > 0,
    records_missing: recordsMissingFrom(newest) > 0,
    copy_failed: isFaulty(rows.copy),
    copy_late: offsite !== null && !offsite.fault && isCopyLate(schedule.now, offsite.copied, complete, checked),
    trial_failed: isFaulty(rows['restore-test']),
  }
  return (Object.keys(all) as BackupWarning[]).filter((warning) => all[warning])
}

/** How long an off-site copy may take before it is late. */
const copyHours = 6

type Copied = NonNullable<BackupStatus['offsite']>['copied']

/** Compared with the last nightly backup: while there is none, there is nothing to copy. */
function isCopyLate(now: Date, copied: Copied, complete: readonly string[], checked: Facts['checked']) {
  const last = complete.find((filename) => backupMaker(filename) === 'night' && checked.has(filename))
  if (!last || now.getTime() - madeAt(last).getTime() <= copyHours * hour) return false
  return !copied || Date.parse(copied.at) < madeAt(last).getTime()
}
