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
