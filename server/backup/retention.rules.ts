import { backupMaker, backupType, missingFromBackup, recordsMissingFrom } from '#contract/backups.ts'
import { dayIn, daysAfter, daysBefore } from '#server/clock.ts'
import { isOfFuture, madeAt, newestFirst } from './backup-names.ts'

/** Earlier releases kept an export before each merge. */
const restorePointDays = 30

export type Retention = {
  keep: { daily: number; weekly: number; monthly: number }
  timeZone: string
  now: Date
  /** Whether the clock may be wrong: then nothing is pruned, because ages cannot be trusted. */
  isClockDoubtful: boolean
}

/**
 * Which backups retention does not keep. Those that an administrator has made always stay. `countsNext` counts one more, made
 * now: what is pruned once it exists can be pruned before it, to make room.
 */
export function backupsToPrune(all: readonly string[], retention: Retention, { countsNext = false } = {}): string[] {
  const { keep, timeZone, now, isClockDoubtful } = retention
  const filenames = isClockDoubtful ? [] : all.filter((filename) => !isOfFuture(filename, now))
  const nightly = filenames.filter((filename) => backupMaker(filename) === 'night').toSorted(newestFirst)
  const made = nightly.map((filename) => ({
    filename,
    isWhole: isWhole(filename),
    day: dayIn(timeZone, madeAt(filename)),
  }))
  const next = { filename: '', isWhole: true, day: dayIn(timeZone, now) }
  const counted = countsNext ? [next, ...made] : made
  const kept = new Set([
    ...onePer(counted, keep.daily, ({ day }) => day),
    ...onePer(counted, keep.weekly, ({ day }) => mondayOf(day)),
    ...onePer(counted, keep.monthly, ({ day }) => day.slice(0, 7)),
    // Of those that exist: the next one may fail.
    made.find(({ isWhole }) => isWhole)?.filename,
  ])
  const isOldRestorePoint = (filename: string) =>
    backupMaker(filename) === 'restore' && madeAt(filename) < daysBefore(now, restorePointDays)
  return [...nightly.filter((filename) => !kept.has(filename)), ...filenames.filter(isOldRestorePoint)]
}

type Made = { filename: string; isWhole: boolean; day: string }

/** Of each of the newest periods that have one: the newest whole one, or the newest. */
function onePer(newestToOldest: readonly Made[], most: number, periodOf: (made: Made) => string) {
  const periods = new Map<string, Made>()
  for (const made of newestToOldest) {
    const kept = periods.get(periodOf(made))
    if (!kept ? periods.size < most : made.isWhole && !kept.isWhole) periods.set(periodOf(made), made)
  }
  return [...periods.values()].map(({ filename }) => filename)
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
  return backupType(filename) === 'complete' && missingFromBackup(filename) + recordsMissingFrom(filename) === 0
}
