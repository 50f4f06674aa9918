/** Passed in wherever time matters, so that tests can turn its hands. */
export type Clock = { now(): Date }

export const systemClock: Clock = { now: () => new Date() }
