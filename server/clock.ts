/** Passed in wherever time matters, so that tests can set it. */
export type Clock = { now(): Date }

export const systemClock: Clock = { now: () => new Date() }

/** In milliseconds. */
export const minute = 60 * 1000
export const hour = 60 * minute
export const day = 24 * hour

export function daysBefore(moment: Date, days: number) {
  return new Date(moment.getTime() - days * day)
}
