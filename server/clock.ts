import { setTimeout as wait } from 'node:timers/promises'

/** Passed in wherever time matters, so that tests can set it. */
export type Clock = { now(): Date }

export const systemClock: Clock = { now: () => new Date() }

/** In milliseconds. */
export const minute = 60 * 1000
export const hour = 60 * minute
export const day = 24 * hour

/** The clocks of several machines differ by less. */
export function latestMoment(now: Date) {
  return new Date(now.getTime() + hour)
}

/** Whether a stored moment comes from a clock that was ahead: it counts as unset. */
export function isFuture(moment: string | Date, now: Date) {
  return new Date(moment) > latestMoment(now)
}

export function daysBefore(moment: Date, days: number) {
  return new Date(moment.getTime() - days * day)
}

/** The answer, or the fallback when it takes longer than that. A failure after that time is dropped. */
export async function withTimeout<T>(milliseconds: number, answer: Promise<T>, fallback: T): Promise<T> {
  const timer = new AbortController()
  const late = wait(milliseconds, fallback, { ref: false, signal: timer.signal })
  late.catch(() => {})
  return Promise.race([answer, late]).finally(() => timer.abort())
}

const formats = new Map<string, Intl.DateTimeFormat>()

/** Making one takes longer than using it a thousand times. */
function formatOf(timeZone: string) {
  const known = formats.get(timeZone)
  if (known) return known
  const made = newFormat(timeZone)
  formats.set(timeZone, made)
  return made
}

function newFormat(timeZone: string) {
  const options = { dateStyle: 'short', timeStyle: 'medium' } as const
  try {
    return new Intl.DateTimeFormat('sv-SE', { ...options, timeZone })
  } catch {
    // A zone that does not exist must cost neither a page nor a backup.
    return new Intl.DateTimeFormat('sv-SE', { ...options, timeZone: 'UTC' })
  }
}

/** The day and the time by the clock there: `2027-03-01 18:00:00`. */
function wallClock(moment: Date, timeZone: string) {
  return formatOf(timeZone).format(moment)
}

/** As 2027-03-01. */
export function dayIn(timeZone: string, moment: Date) {
  return wallClock(moment, timeZone).slice(0, 10)
}

/** The day so many days after another. */
export function daysAfter(day: string, days: number) {
  const at = new Date(`${day}T00:00:00.000Z`)
  at.setUTCDate(at.getUTCDate() + days)
  return at.toISOString().slice(0, 10)
}

/**
 * The moment at which the clock there shows that time on that day. Where clocks are put back and show it twice, the first one;
 * where they are put forward and leave it out, as long after midnight as if they had not been.
 */
export function momentOf(date: string, time: string, timeZone: string) {
  const shown = Date.parse(`${date}T${time}:00.000Z`)
  const ahead = (moment: number) => Date.parse(`${wallClock(new Date(moment), timeZone).replace(' ', 'T')}.000Z`) - moment
  const [byOld, byNew] = [shown - ahead(shown - day), shown - ahead(shown + day)]
  const isShownAt = (moment: number) => moment + ahead(moment) === shown
  return new Date(!isShownAt(byOld) && isShownAt(byNew) ? byNew : byOld)
}
