import type { BackupState, Shortfall } from '#contract/backup-status.ts'
import { backupMaker, backupType, missingFromBackup, recordsMissingFrom } from '#contract/backups.ts'
import { hour } from '#server/clock.ts'
import type { CareRow, KnownBackupRow } from '#server/database/tables.ts'
import { madeAt } from './backup-names.ts'
import { isWhole } from './retention.rules.ts'
import { dueSince, faultFoundBy, isNightOver, lastDue, type Night } from './schedule.rules.ts'

type Listed = { filename: string; bytes: number }

/** A copy that takes longer than this is late. */
const copyHours = 6

/** The newest complete backup from which nothing is missing and that was read again. One of which that is not known does not count. */
export function findSafe(newestToOldest: readonly Listed[], known: ReadonlyMap<string, KnownBackupRow>) {
  const safe = newestToOldest.find(({ filename }) => isWhole(filename) && known.has(filename))
  return safe ? { filename: safe.filename, at: madeAt(safe.filename).toISOString(), bytes: safe.bytes } : null
}

type Facts = {
  night: Night
  trial: CareRow['trial']
  elsewhere: BackupState['elsewhere']
  /** The newest first. */
  listed: readonly Listed[]
  known: ReadonlyMap<string, KnownBackupRow>
}

/** What is missing from being safe. */
export function shortfallsOf(facts: Facts): Shortfall[] {
  const { night, trial, elsewhere, listed, known } = facts
  const complete = listed.map(({ filename }) => filename).filter((filename) => backupType(filename) === 'complete')
  const [newest] = complete
  const all: Record<Shortfall, boolean> = {
    nothing_yet: findSafe(listed, known) === null,
    nightly_off: !night.isOn,
    night_failed: night.isOn && night.fault !== null,
    night_late: night.isOn && !night.fault && isNightLate(night, complete, known),
    not_whole: newest !== undefined && missingFromBackup(newest) > 0,
    records_missing: newest !== undefined && recordsMissingFrom(newest) > 0,
    copy_failed: Boolean(elsewhere?.fault),
    copy_late: elsewhere !== null && !elsewhere.fault && isCopyLate(night.now, elsewhere.copied, complete, known),
    trial_failed: faultFoundBy(trial) !== null,
  }
  return (Object.keys(all) as Shortfall[]).filter((shortfall) => all[shortfall])
}

type Known = Facts['known']

function isNightLate(night: Night, complete: readonly string[], known: Known) {
  const last = lastDue(night)
  const sinceThen = complete.filter((filename) => madeAt(filename) >= last)
  // What was made and not noted as read again counts no more than one that was not made.
  const isUnchecked = sinceThen.length > 0 && !sinceThen.some((filename) => known.has(filename))
  return (dueSince(night) !== undefined || (night.isOn && isUnchecked)) && isNightOver(night)
}

type Copied = NonNullable<BackupState['elsewhere']>['copied']

/** Compared with the last night's backup: while there is none, that is what is missing. */
function isCopyLate(now: Date, copied: Copied, complete: readonly string[], known: Known) {
  const last = complete.find((filename) => backupMaker(filename) === 'night' && known.has(filename))
  if (!last || !isOver(madeAt(last), now, copyHours)) return false
  return !copied || Date.parse(copied.at) < madeAt(last).getTime()
}

function isOver(since: Date, now: Date, hours: number) {
  return now.getTime() - since.getTime() > hours * hour
}
