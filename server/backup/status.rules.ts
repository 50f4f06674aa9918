import type { BackupStatus, BackupWarning } from '#contract/backup-status.ts'
import { backupMaker, backupType, missingFromBackup, recordsMissingFrom } from '#contract/backups.ts'
import { hour } from '#server/clock.ts'
import type { JobRow, KnownBackupRow } from '#server/database/tables.ts'
import type { JobRows } from '#server/jobs/jobs.ts'
import { faultOf } from '#server/jobs/jobs.ts'
import { madeAt } from './backup-names.ts'
import { isWhole } from './retention.rules.ts'
import { dueSince, isFailing, isOverdue, type NightlyBackup } from './schedule.rules.ts'

type Listed = { filename: string; bytes: number }

/** How long an off-site copy may take before it is late. */
const copyHours = 6

/** The newest complete backup from which nothing is missing and that was read again after it was made. */
export function findLastGood(newestToOldest: readonly Listed[], checked: ReadonlyMap<string, KnownBackupRow>) {
  const last = newestToOldest.find(({ filename }) => isWhole(filename) && checked.has(filename))
  return last ? { filename: last.filename, at: madeAt(last.filename).toISOString(), bytes: last.bytes } : null
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
  listed: readonly Listed[]
  checked: ReadonlyMap<string, KnownBackupRow>
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

type Copied = NonNullable<BackupStatus['offsite']>['copied']

/** Compared with the last nightly backup: while there is none, there is nothing to copy. */
function isCopyLate(now: Date, copied: Copied, complete: readonly string[], checked: Facts['checked']) {
  const last = complete.find((filename) => backupMaker(filename) === 'night' && checked.has(filename))
  if (!last || now.getTime() - madeAt(last).getTime() <= copyHours * hour) return false
  return !copied || Date.parse(copied.at) < madeAt(last).getTime()
}
