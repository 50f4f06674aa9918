import { backupMaker, backupType } from '#contract/backups.ts'
import { dayIn, daysAfter, isFuture } from '#server/clock.ts'
import { type Doer, noteActivity } from '#server/features/activity/activity.queries.ts'
import { Problem } from '#server/http/problem.ts'
import { readRunningTime } from '#server/jobs/running-time.ts'
import { listStoredBackups, madeAt, newestFirst, storedBackup } from './backup-names.ts'
import { forgetBackup, readBackupState } from './backup-state.ts'
import type { BackupParts } from './make-backup.ts'

type Deleting = { evenTheLast: boolean; by?: Doer }

/** Removes a backup that an administrator has chosen. */
export async function deleteBackup(parts: BackupParts, filename: string, { evenTheLast, by }: Deleting) {
  const filenames = await listNames(parts)
  if (!filenames.includes(filename)) throw new Problem('backup_not_found')
  if (!evenTheLast && lastWhole(filenames) === filename) throw new Problem('last_backup')
  await remove(parts, filename)
  await noteActivity(parts.database.db, by, { kind: 'backup_deleted', name: filename }, parts.clock.now())
}

/** Removes what retention does not keep. The caller holds the lock. */
export async function pruneBackups(parts: BackupParts) {
  for (const filename of await findPruned(parts, await listNames(parts))) await remove(parts, filename)
}

async function listNames({ storage, clock }: BackupParts) {
  return (await listStoredBackups(storage, clock.now())).map(({ filename }) => filename)
}

async function remove({ database, storage }: BackupParts, filename: string) {
  // The file first: a backup that is there without its row would not count as checked.
  await storage.remove(storedBackup(filename))
  await forgetBackup(database.db, filename)
}

export type Retention = {
  keep: { daily: number; weekly: number; monthly: number }
  timeZone: string
  now: Date
  /** Whether the clock may be wrong: then nothing is pruned, because ages cannot be trusted. */
  isClockDoubtful: boolean
}

/** Those of these backups that retention does not keep. */
export async function findPruned({ config: { timeZone }, database: { db }, clock }: BackupParts, filenames: readonly string[]) {
  const { keepDaily: daily, keepWeekly: weekly, keepMonthly: monthly } = await readBackupState(db)
  const { isSettled } = await readRunningTime(db, clock)
  const keep = { daily, weekly, monthly }
  return backupsToPrune(filenames, { keep, timeZone, now: clock.now(), isClockDoubtful: !isSettled })
}

/**
 * The nightly backups that retention does not keep. Those that an administrator has made always stay; those of a clock that was
 * ahead take no place of another, and stay until then.
 */
export function backupsToPrune(all: readonly string[], { keep, timeZone, now, isClockDoubtful }: Retention): string[] {
  if (isClockDoubtful) return []
  const isCounted = (filename: string) => backupMaker(filename) === 'night' && !isFuture(madeAt(filename), now)
  const nightly = all.filter(isCounted).toSorted(newestFirst(now))
  const dayOf = (filename: string) => dayIn(timeZone, madeAt(filename))
  const kept = new Set([
    ...onePer(nightly, keep.daily, dayOf),
    ...onePer(nightly, keep.weekly, (filename) => mondayOf(dayOf(filename))),
    ...onePer(nightly, keep.monthly, (filename) => dayOf(filename).slice(0, 7)),
    nightly.find(isWhole),
  ])
  return nightly.filter((filename) => !kept.has(filename))
}

/** Of each of the newest periods that have one: the newest whole one, or the newest. */
function onePer(newestToOldest: readonly string[], most: number, periodOf: (filename: string) => string) {
  const periods = new Map<string, string>()
  for (const filename of newestToOldest) {
    const kept = periods.get(periodOf(filename))
    if (!kept ? periods.size < most : isWhole(filename) && !isWhole(kept)) periods.set(periodOf(filename), filename)
  }
  return periods.values()
}

/** The first day of its ISO week. */
function mondayOf(date: string) {
  return daysAfter(date, -((new Date(date).getUTCDay() + 6) % 7))
}

/** The only complete backup from which nothing is missing, or the only one at all; undefined where there are several or none. */
export function lastWhole(filenames: readonly string[]): string | undefined {
  const complete = filenames.filter((filename) => backupType(filename) === 'complete')
  const whole = complete.filter(isWhole)
  const [last, ...others] = whole.length > 0 ? whole : complete
  return others.length === 0 ? last : undefined
}

export function isWhole(filename: string) {
  return backupType(filename) === 'complete' && !filename.includes('_without_')
}
