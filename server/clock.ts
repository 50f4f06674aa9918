import { setTimeout as wait } from 'node:timers/promises'

/** Passed in wherever time matters, so that tests can set it. */
export type Clock = { now(): Date }

export const systemClock: Clock = { now: () => new Date() }

/** In milliseconds. */
export const minute = 60 * 1000
export const hour = 60 * minute
export const day = 24 * hour

/** Clocks of several machines differ by up to an hour. */
export function latestMoment(now: Date) {
  return new Date(now.getTime() + hour)
}

/** Whether a stored moment was written by a clock that was ahead: it counts as unset. */
export function isFuture(moment: string | Date, now: Date) {
  return new Date(moment) > latestMoment(now)
}

export function daysBefore(moment: Date, days: number) {
  return new Date(moment.getTime() - days * day)
}

/** The result, or the fallback after that time. A failure after that time is ignored. */
export async function withTimeout<T>(milliseconds: number, work: Promise<T>, fallback: T): Promise<T> {
  const timer = new AbortController()
  const late = wait(milliseconds, fallback, { ref: false, signal: timer.signal })
  late.catch(() => {})
  return Promise.race([work, late]).finally(() => timer.abort())
}

const formats = new Map<string, Intl.DateTimeFormat>()

/** Kept, because making a format takes as long as using it a thousand times. */
function formatOf(timeZone: string) {
  const format = formats.get(timeZone) ?? newFormat(timeZone)
  formats.set(timeZone, format)
  return format
}

function newFormat(timeZone: string) {
  const options = { dateStyle: 'short', timeStyle: 'medium' } as const
  try {
    return new Intl.DateTimeFormat('sv-SE', { ...options, timeZone })
  } catch {
    // Otherwise a zone that does not exist breaks pages and backups.
    return new Intl.DateTimeFormat('sv-SE', { ...options, timeZone: 'UTC' })
  }
}

/** Day and time in a time zone: `2027-03-01 18:00:00`. */
function wallClock(moment: Date, timeZone: string) {
  return formatOf(timeZone).format(moment)
}

/** The day in a time zone, as `2027-03-01`. */
export function dayIn(timeZone: string, moment: Date) {
  return wallClock(moment, timeZone).slice(0, 10)
}

export function daysAfter(day: string, days: number) {
  const at = new Date(`${day}T00:00:00.000Z`)
  at.setUTCDate(at.getUTCDate() + days)
  return at.toISOString().slice(0, 10)
}

/**
 * The moment of a day and time in a time zone. A time that clocks show twice, when they are put back, is the first one; a time
 * that they skip, when they are put forward, is as long after midnight as on other days.
 */
export function momentOf(date: string, time: string, timeZone: string) {
  const shown = Date.parse(`${date}T${time}:00.000Z`)
  const ahead = (moment: number) => Date.parse(`${wallClock(new Date(moment), timeZone).replace(' ', 'T')}.000Z`) - moment
  const [byOld, byNew] = [shown - ahead(shown - day), shown - ahead(shown + day)]
  const isShownAt = (moment: number) => moment + ahead(moment) === shown
  return new Date(!isShownAt(byOld) && isShownAt(byNew) ? byNew : byOld)
}
