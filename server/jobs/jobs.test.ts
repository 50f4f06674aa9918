import { expect, test } from 'vitest'
import { day, hour } from '../clock.ts'
import { isTimeFor, jobRows } from './jobs.ts'

const now = new Date('2026-05-02T09:00:00.000Z')
const after = (time: number) => new Date(now.getTime() + time)
const never = jobRows([]).hourly

test('a job runs so long after its last success; moments of a clock that was ahead count as unset', () => {
  expect(isTimeFor(never, hour, now)).toBe(true)
  const done = { ...never, lastSuccess: now.toISOString() }
  expect([after(hour - 1), after(hour)].map((moment) => isTimeFor(done, hour, moment))).toEqual([false, true])
  const ahead = after(365 * day).toISOString()
  expect(isTimeFor({ ...never, lastSuccess: ahead }, hour, now)).toBe(true)
  const lastError = { code: 'unexpected', at: ahead }
  expect(isTimeFor({ ...never, failures: 1, lastError, nextTry: ahead }, hour, now)).toBe(true)
})
