import { expect, test } from 'vitest'
import type { CareFault } from '#contract/backup-status.ts'
import { Problem } from '#server/http/problem.ts'
import { faultAfter, faultsToTell } from './faults.rules.ts'

const now = new Date('2026-05-02T09:00:00.000Z')

test('what fails is tried again soon, then every hour', () => {
  const details = { neededMegabytes: 40, freeMegabytes: 3 }
  const problem = new Problem('disk_full', { details })
  const waits: number[] = []
  let fault: CareFault | null = null
  for (let tries = 1; tries <= 5; tries += 1) {
    fault = faultAfter(fault, problem, now)
    expect(fault).toMatchObject({ code: 'disk_full', details, tries, at: now.toISOString() })
    waits.push((Date.parse(fault.nextTryAt) - now.getTime()) / 60_000)
  }
  expect(waits).toEqual([5, 15, 60, 60, 60])
})

test('a mail tells what has failed three times, a day after the last mail, and what has not been copied for a day', () => {
  const fault = (tries: number, at = '2026-05-02T08:30:00.000Z'): CareFault => ({
    code: 'unexpected',
    at,
    tries,
    nextTryAt: at,
  })
  const none = { nightFault: null, copyFault: null, trial: null, mailedAt: null, copiedAt: null }
  const trialOf = (tries: number, at?: string) => ({ filename: '', at: '', fault: fault(tries, at) })
  const told = (given: Partial<typeof none> | Record<string, unknown>) =>
    faultsToTell({ ...none, ...given }, now).map(({ kind }) => kind)
  expect(told({})).toEqual([])
  expect(told({ nightFault: fault(2), copyFault: fault(2), trial: trialOf(2) })).toEqual([])
  expect(told({ nightFault: fault(3), copyFault: fault(3), trial: trialOf(3) })).toEqual(['night', 'copy', 'trial'])
  expect(told({ copyFault: fault(9), copiedAt: '2026-05-01T09:00:01.000Z' })).toEqual([])
  expect(told({ copyFault: fault(9), copiedAt: '2026-05-01T09:00:00.000Z' })).toEqual(['copy'])
  expect(told({ nightFault: fault(9), mailedAt: '2026-05-01T09:00:01.000Z' })).toEqual([])
  expect(told({ nightFault: fault(9), mailedAt: '2026-05-01T09:00:00.000Z' })).toEqual(['night'])
  const noRoom = { ...fault(9), code: 'disk_full' }
  expect(told({ nightFault: noRoom, trial: { filename: '', at: '', fault: noRoom } })).toEqual(['night'])
  // Nothing has been tried since: the maker knows.
  expect(told({ trial: trialOf(3, '2026-04-01T00:00:00.000Z'), mailedAt: '2026-04-02T00:00:00.000Z' })).toEqual([])
})
