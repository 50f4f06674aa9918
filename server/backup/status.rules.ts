import type { BackupStatus, BackupWarning } from '#contract/backup-status.ts'
import { backupMaker, backupType, missingFromBackup, recordsMissingFrom } from '#contract/backups.ts'
import { hour } from '#server/clock.ts'
import type { BackupJobsRow, KnownBackupRow } from '#server/database/tables.ts'
import { madeAt } from './backup-names.ts'
import { isWhole } from './retention.rules.ts'
import { dueSince, isOverdue, lastDue, type NightlyBackup, restoreTestFault } from './schedule.rules.ts'

type Listed = { filename: string; bytes: number }

/** How long an off-site copy may take before it is late. */
const copyHours = 6

/** The newest complete backup from which nothing is missing and that was read again after it was made. */
export function findLastGood(newestToOldest: readonly Listed[], checked: ReadonlyMap<string, KnownBackupRow>) {
  const last = newestToOldest.find(({ filename }) => isWhole(filename) && checked.has(filename))
  return last ? { filename: last.filename, at: madeAt(last.filename).toISOString(), bytes: last.bytes } : null
}

type Facts = {
  schedule: NightlyBackup
  restoreTest: BackupJobsRow['trial']
  offsite: BackupStatus['offsite']
  /** The newest first. */
  listed: readonly Listed[]
  checked: ReadonlyMap<string, KnownBackupRow>
}

export function warningsOf(facts: Facts): BackupWarning[] {
  const { schedule, restoreTest, offsite, listed, checked } = facts
  const complete = listed.map(({ filename }) => filename).filter((filename) => backupType(filename) === 'complete')
  const [newest] = complete
  const all: Record<BackupWarning, boolean> = {
    nothing_yet: findLastGood(listed, checked) === null,
    nightly_off: !schedule.isOn,
    night_failed: schedule.isOn && schedule.fault !== null,
    night_late: schedule.isOn && !schedule.fault && isNightlyLate(schedule, complete, checked),
    not_whole: newest !== undefined && missingFromBackup(newest) > 0,
    records_missing: newest !== undefined && recordsMissingFrom(newest) > 0,
    copy_failed: Boolean(offsite?.fault),
    copy_late: offsite !== null && !offsite.fault && isCopyLate(schedule.now, offsite.copied, complete, checked),
    trial_failed: restoreTestFault(restoreTest) !== null,
  }
  return (Object.keys(all) as BackupWarning[]).filter((warning) => all[warning])
}

type Checked = Facts['checked']

function isNightlyLate(schedule: NightlyBackup, complete: readonly string[], checked: Checked) {
  const last = lastDue(schedule)
  const sinceThen = complete.filter((filename) => madeAt(filename) >= last)
  // One that was not read again may be damaged: it counts like one that was not made.
  const isUnchecked = sinceThen.length > 0 && !sinceThen.some((filename) => checked.has(filename))
  return (dueSince(schedule) !== undefined || (schedule.isOn && isUnchecked)) && isOverdue(schedule)
}

type Copied = NonNullable<BackupStatus['offsite']>['copied']

/** Compared with the last nightly backup: while there is none, there is nothing to copy. */
function isCopyLate(now: Date, copied: Copied, complete: readonly string[], checked: Checked) {
  const last = complete.find((filename) => backupMaker(filename) === 'night' && checked.has(filename))
  if (!last || !isOver(madeAt(last), now, copyHours)) return false
  return !copied || Date.parse(copied.at) < madeAt(last).getTime()
}

function isOver(since: Date, now: Date, hours: number) {
  return now.getTime() - since.getTime() > hours * hour
}
