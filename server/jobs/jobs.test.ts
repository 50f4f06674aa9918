import { expect, test } from 'vitest'
import { day, hour, minute } from '../clock.ts'
import { failureAfter, faultOf, isTimeFor, jobRows } from './jobs.ts'

const now = new Date('2026-05-02T09:00:00.000Z')
const after = (time: number) => new Date(now.getTime() + time)
const never = jobRows([]).hourly

test('a job runs so long after its last success', () => {
  expect(isTimeFor(never, hour, now)).toBe(true)
  const done = { ...never, lastSuccess: now.toISOString() }
  expect([after(hour - 1), after(hour)].map((moment) => isTimeFor(done, hour, moment))).toEqual([false, true])
})

test('what fails is tried again soon, then every hour, and shown as it is stored', () => {
  const details = { neededMegabytes: 40, freeMegabytes: 3 }
  expect(faultOf(never)).toBeNull()
  let row = never
  for (const [failures, minutes] of [5, 15, 60, 60].entries()) {
    row = { ...row, ...failureAfter(row, { code: 'disk_full', details }, now) }
    const nextTryAt = after(minutes * minute).toISOString()
    expect(faultOf(row)).toEqual({ code: 'disk_full', details, at: now.toISOString(), tries: failures + 1, nextTryAt })
    const times = [after(minutes * minute - 1), after(minutes * minute)]
    expect(times.map((moment) => isTimeFor(row, day, moment))).toEqual([false, true])
  }
})

test('moments of a clock that was ahead count as unset', () => {
  const ahead = after(365 * day).toISOString()
  expect(isTimeFor({ ...never, lastSuccess: ahead }, hour, now)).toBe(true)
  const lastError = { code: 'unexpected', at: ahead }
  expect(isTimeFor({ ...never, failures: 1, lastError, nextTry: ahead }, hour, now)).toBe(true)
})
