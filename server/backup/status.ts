import type { BackupStatus, BackupWarning } from '#contract/backup-status.ts'
import { backupMaker, backupType, missingFromBackup, recordsMissingFrom } from '#contract/backups.ts'
import { hour } from '#server/clock.ts'
import type { JobRow, KnownBackupRow } from '#server/database/tables.ts'
import { faultOf, type JobRows, readJobs } from '#server/jobs/jobs.ts'
import { listStoredBackups, madeAt } from './backup-names.ts'
import { findWorking, listCheckedBackups, readBackupState } from './backup-state.ts'
import { describeOffsite } from './offsite-copies.ts'
import { describeMerge } from './restore/undo.ts'
import { isWhole } from './retention.ts'
import { dueSince, isFailing, type NightlyBackup, nextDue, readSchedule, type ScheduleParts } from './schedule.ts'

/** The state of backups as the panel, the console and the health check show it. Counts only what was read back. */
export async function readStatus(parts: ScheduleParts): Promise<BackupStatus> {
  const { config, database, storage } = parts
  const { db } = database
  const rows = await readJobs(db)
  const [settings, schedule, listed, checked, offsite, working] = await Promise.all([
    readBackupState(db),
    readSchedule(parts, rows.nightly),
    listStoredBackups(storage, parts.clock.now()),
    listCheckedBackups(db),
    describeOffsite(parts, faultOf(rows.copy)),
    findWorking(database),
  ])
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
  const { result } = row
  return result && 'filename' in result && at ? { ...result, at, fault } : null
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

/** How long a nightly backup and its off-site copy may take before they are late. */
const nightHours = 2
const copyHours = 6

export function warningsOf({ schedule, rows, offsite, listed, checked }: Facts): BackupWarning[] {
  const complete = listed.map(({ filename }) => filename).filter((filename) => backupType(filename) === 'complete')
  const newest = complete[0] ?? ''
  // While there is none, there is nothing to copy.
  const night = complete.find((filename) => backupMaker(filename) === 'night' && checked.has(filename))
  const nightAt = night ? madeAt(night) : undefined
  const isCopied = nightAt && offsite?.copied && new Date(offsite.copied.at) >= nightAt
  const isLate = (since: Date | undefined, hours: number) => since && schedule.now.getTime() - since.getTime() > hours * hour
  const isFaulty = (row: JobRow) => isFailing(row, { isCopied: offsite !== null })
  const all: Record<BackupWarning, boolean | undefined> = {
    nothing_yet: findLastGood(listed, checked) === null,
    nightly_off: !schedule.isOn,
    night_failed: schedule.isOn && isFaulty(rows.nightly),
    night_late: !isFaulty(rows.nightly) && isLate(dueSince(schedule), nightHours),
    not_whole: missingFromBackup(newest) > 0,
    records_missing: recordsMissingFrom(newest) > 0,
    copy_failed: isFaulty(rows.copy),
    copy_late: offsite !== null && !offsite.fault && !isCopied && isLate(nightAt, copyHours),
    trial_failed: isFaulty(rows['restore-test']),
  }
  return (Object.keys(all) as BackupWarning[]).filter((warning) => all[warning])
}
