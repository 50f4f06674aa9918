import { day } from '../clock.ts'

/** In milliseconds since 1970. */
type Span = readonly [from: number, to: number]

/** What is noted of when the site ran. */
export type RunningTime = {
  /** By the clock, when it was noted last. */
  seenAt: number | null
  /** When the site did not run, or its clock was ahead. */
  gaps: readonly Span[]
  /** The last time the clock was set back, or ahead by so much that it may be wrong. */
  jump: Span | null
}

/** Notes are an hour apart; a machine may sleep for a night. */
const longestPause = day
/** A site may be switched off for weeks. */
const longestAbsence = 30 * day
/** The newest are enough: nothing is kept for longer than the time between so many. */
const mostGaps = 100
const daysShown = 7

/** As it is noted now. A clock that is ahead for a while leaves no gap once it is right again. */
export function runningAt({ seenAt, gaps, jump }: RunningTime, now: number): RunningTime {
  const passed = seenAt === null ? 0 : now - seenAt
  const all: Span[] = seenAt !== null && passed > longestPause ? [...gaps, [seenAt, now]] : [...gaps]
  const past = all.map(([from, to]): Span => [from, Math.min(to, now)]).filter(([from, to]) => from < to)
  const isJump = seenAt !== null && (passed < -longestPause || passed > longestAbsence)
  return { seenAt: now, gaps: past.slice(-mostGaps), jump: isJump ? [seenAt, now] : jump }
}

/** Since when the site has run for so many days: what is deleted by its age must be older. */
export function ranSince({ gaps }: RunningTime, now: number, days: number) {
  return gaps.reduceRight((since, [from, to]) => (to > since ? since - (to - from) : since), now - days * day)
}

/** Whether the site has run for a day since a gap so long that its clock may be wrong. */
export function isSettled({ gaps }: RunningTime, now: number) {
  return gaps.every(([from, to]) => to - from <= longestAbsence || now - to > day)
}

export function isJumpShown({ jump }: RunningTime, now: number) {
  return jump !== null && jump[1] <= now && now - jump[1] < daysShown * day
}
