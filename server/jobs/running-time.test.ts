import { describe, expect, test } from 'vitest'
import { day, hour, isFuture } from '../clock.ts'
import { describeRunning, type RunningTime, runningAt } from './running-time.ts'

const start = Date.parse('2026-05-01T12:00:00.000Z')
const unknown: RunningTime = { seenAt: null, gaps: [], jump: null }
const running = runningAt(unknown, start)
/** Noted every hour, as the hourly jobs do. */
const runFor = (time: number, from: RunningTime) => {
  let now = from.seenAt ?? start
  let after = from
  for (const end = now + time; now < end; ) {
    now += hour
    after = runningAt(after, now)
  }
  return after
}
const describeAt = (state: RunningTime) => describeRunning(state, state.seenAt ?? 0)
const daysAgo = (state: RunningTime, days: number) => ((state.seenAt ?? 0) - describeAt(state).daysBefore(days).getTime()) / day

describe('days on which the site ran', () => {
  test('are those of the clock while the site runs, and before anything was noted', () => {
    expect(daysAgo(running, 30)).toBe(30)
    expect(daysAgo(runFor(3 * day, running), 30)).toBe(30)
    expect(describeAt(runFor(3 * day, running)).isSettled).toBe(true)
  })

  test('do not pass while it is switched off or while its clock is ahead', () => {
    const ahead = runningAt(running, start + 365 * day)
    expect(daysAgo(ahead, 30)).toBe(395)
    expect(daysAgo(runFor(10 * day, ahead), 5)).toBe(5)
    expect(daysAgo(runFor(10 * day, ahead), 30)).toBe(395)
    expect(describeAt(ahead).isSettled).toBe(false)
    expect(describeAt(runFor(2 * day, ahead)).isSettled).toBe(true)
  })

  test('are as before once the clock is right again, or only less wrong', () => {
    const ahead = runningAt(running, start + 365 * day)
    const right = runningAt(ahead, start + hour)
    expect(daysAgo(right, 30)).toBeCloseTo(30 + 1 / 24)
    expect(daysAgo(runningAt(ahead, start + 200 * day), 30)).toBe(230)
    expect(daysAgo(runFor(60 * day, right), 30)).toBe(30)
  })

  test('are not fewer because a machine sleeps at night', () => {
    let asleep = running
    for (let night = 1; night < 40; night += 1) asleep = runningAt(asleep, start + night * 20 * hour)
    expect(daysAgo(asleep, 30)).toBe(30)
  })

  test('are in doubt after a long gap only: a machine that runs every other day prunes its backups', () => {
    const sometimes = runningAt(running, start + 2 * day)
    expect(describeAt(sometimes).isSettled).toBe(true)
  })
})

describe('a clock that jumped', () => {
  test('is shown for a week: when it is set back, and when it is ahead by more than a month', () => {
    const shown = (state: RunningTime) => describeAt(state).hasJumped
    expect(shown(running)).toBe(false)
    expect(shown(runningAt(running, start + 20 * day))).toBe(false)
    expect(shown(runningAt(running, start - hour))).toBe(false)
    const ahead = runningAt(running, start + 365 * day)
    expect(shown(ahead)).toBe(true)
    const right = runningAt(ahead, start + hour)
    expect(right.jump).toEqual([start + 365 * day, start + hour])
    expect(shown(runFor(6 * day, right))).toBe(true)
    expect(shown(runFor(8 * day, right))).toBe(false)
  })

  test('leaves moments of the future, which clocks that differ a little do not', () => {
    expect(isFuture(new Date(start + 2 * hour), new Date(start))).toBe(true)
    expect(isFuture(new Date(start + hour / 2).toISOString(), new Date(start))).toBe(false)
  })
})
