import { backupMaker, backupType, missingFromBackup, recordsMissingFrom } from '#contract/backups.ts'
import { dayIn, daysAfter } from '#server/clock.ts'
import { isOfFuture, madeAt, newestFirst } from './backup-names.ts'

type Keep = { daily: number; weekly: number; monthly: number }

/** An undo is wanted soon or never. */
export const restorePointDays = 30

type Known = {
  filenames: readonly string[]
  keep: Keep
  timeZone: string
  now: Date
  /** Those that were made before go. */
  restorePointsSince: Date
  /** Whether the clock may be wrong: then nothing goes. */
  isDoubtful?: boolean
  /** Counts one more, made now: what goes once it is there can go before it, to make room. */
  isOneComing?: boolean
}

/** Which of the backups go. What a person has made stays. */
export function toLetGo({ filenames: all, keep, timeZone, now, restorePointsSince, ...options }: Known): string[] {
  const { isDoubtful = false, isOneComing = false } = options
  const filenames = isDoubtful ? [] : all.filter((filename) => !isOfFuture(filename, now))
  const nights = filenames.filter((filename) => backupMaker(filename) === 'night').toSorted(newestFirst)
  const made = nights.map((filename) => ({
    filename,
    isWhole: isWhole(filename),
    day: dayIn(timeZone, madeAt(filename)),
  }))
  const coming = { filename: '', isWhole: true, day: dayIn(timeZone, now) }
  const counted = isOneComing ? [coming, ...made] : made
  const kept = new Set([
    ...onePer(counted, keep.daily, ({ day }) => day),
    ...onePer(counted, keep.weekly, ({ day }) => mondayOf(day)),
    ...onePer(counted, keep.monthly, ({ day }) => day.slice(0, 7)),
    // Of those that are there: the one that is coming may fail.
    made.find(({ isWhole }) => isWhole)?.filename,
  ])
  const isOldRestorePoint = (filename: string) => backupMaker(filename) === 'restore' && madeAt(filename) < restorePointsSince
  return [...nights.filter((filename) => !kept.has(filename)), ...filenames.filter(isOldRestorePoint)]
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
