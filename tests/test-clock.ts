import type { Clock } from '#server/clock.ts'

/** A clock that stands still until a test turns its hands. */
export function testClock(start = '2026-05-01T12:00:00.000Z'): Clock & { pass(time: Duration): void } {
  let now = Date.parse(start)
  return {
    now: () => new Date(now),
    pass: ({ days = 0, hours = 0, minutes = 0, seconds = 0, milliseconds = 0 }) => {
      now += (((days * 24 + hours) * 60 + minutes) * 60 + seconds) * 1000 + milliseconds
    },
  }
}

type Duration = { days?: number; hours?: number; minutes?: number; seconds?: number; milliseconds?: number }
