import { describe, expect, test } from 'vitest'
import type { BackupFault } from '#contract/backup-status.ts'
import { dayIn, daysAfter } from '#server/clock.ts'
import { Problem } from '#server/http/problem.ts'
import { dueSince, faultAfter, faultsToMail, isDueNow, lastDue, type NightlyBackup, nextDue } from './schedule.rules.ts'

const timeZone = 'America/Mexico_City'
const iso = (moment: Date | undefined) => moment?.toISOString().slice(0, 16)

const daysOf2026 = Array.from({ length: 365 }, (_, number) => daysAfter('2026-01-01', number))

describe('when a backup is due', () => {
  test.each([
    // 03:00 there is 09:00 here.
    ['2026-05-02T08:59:59.999Z', '2026-05-01T09:00', '2026-05-02T09:00'],
    ['2026-05-02T09:00:00.000Z', '2026-05-02T09:00', '2026-05-03T09:00'],
    ['2026-05-02T05:00:00.000Z', '2026-05-01T09:00', '2026-05-02T09:00'],
    ['2026-05-02T07:00:00.000Z', '2026-05-01T09:00', '2026-05-02T09:00'],
  ])('at %s it was due at %s, and is next at %s', (moment, last, next) => {
    const schedule = { now: new Date(moment), at: '03:00', timeZone }
    expect([iso(lastDue(schedule)), iso(nextDue(schedule))]).toEqual([last, next])
  })

  test.each([
    ['Europe/Madrid', '02:30'],
    ['Europe/Madrid', '00:00'],
    ['America/Santiago', '00:00'],
    ['America/New_York', '01:30'],
    ['Australia/Lord_Howe', '02:00'],
    ['Asia/Kolkata', '23:59'],
  ])('in %s at %s that is once for each day of a year, whatever is done to the clocks', (zone, at) => {
    const days: string[] = []
    let due = new Date('2025-12-30T00:00:00.000Z')
    for (;;) {
      const schedule = { now: due, at, timeZone: zone }
      const next = nextDue(schedule)
      const day = dayIn(zone, next)
      if (day > '2026-12-31') break
      expect(lastDue({ ...schedule, now: next })).toEqual(next)
      expect(lastDue({ ...schedule, now: new Date(next.getTime() - 1) })).toEqual(lastDue(schedule))
      days.push(day)
      due = next
    }
    expect(days.filter((day) => day >= '2026-01-01')).toEqual(daysOf2026)
  })
})

const night = (details: Partial<Omit<NightlyBackup, 'now'>> & { now: string }): NightlyBackup => ({
  at: '03:00',
  timeZone,
  isOn: true,
  siteCreatedAt: '2026-01-01T00:00:00.000Z',
  doneAt: '2026-05-01T09:00:00.000Z',
  fault: null,
  ...details,
  now: new Date(details.now),
})

describe('it is time for a backup', () => {
  test('from the due moment on until it is made, and so after a machine has slept', () => {
    expect(isDueNow(night({ now: '2026-05-02T08:59:00.000Z' }))).toBe(false)
    expect(isDueNow(night({ now: '2026-05-02T09:00:00.000Z' }))).toBe(true)
    expect(isDueNow(night({ now: '2026-05-09T20:00:00.000Z' }))).toBe(true)
    expect(iso(dueSince(night({ now: '2026-05-09T20:00:00.000Z' })))).toBe('2026-05-09T09:00')
    expect(isDueNow(night({ now: '2026-05-02T20:00:00.000Z', doneAt: '2026-05-02T19:00:00.000Z' }))).toBe(false)
    expect(isDueNow(night({ now: '2026-05-02T20:00:00.000Z', doneAt: null }))).toBe(true)
    // By a clock that was ahead.
    expect(isDueNow(night({ now: '2026-05-02T20:00:00.000Z', doneAt: '2030-01-01T09:00:00.000Z' }))).toBe(true)
  })

  test('not while it is switched off, and not before the first due moment of a new site', () => {
    expect(isDueNow(night({ now: '2026-05-02T09:00:00.000Z', isOn: false }))).toBe(false)
    const young = { siteCreatedAt: '2026-05-02T10:00:00.000Z', doneAt: null }
    expect(isDueNow(night({ now: '2026-05-03T08:59:00.000Z', ...young }))).toBe(false)
    expect(isDueNow(night({ now: '2026-05-03T09:00:00.000Z', ...young }))).toBe(true)
  })

  test('after a failure when it is to be tried again, or when the next night has come', () => {
    const fault = { code: 'disk_full', at: '2026-05-02T09:00:00.000Z', tries: 1, nextTryAt: '2026-05-02T09:05:00.000Z' }
    expect(isDueNow(night({ now: '2026-05-02T09:04:59.000Z', fault }))).toBe(false)
    expect(isDueNow(night({ now: '2026-05-02T09:05:00.000Z', fault }))).toBe(true)
    const late = { ...fault, at: '2026-05-03T08:59:00.000Z', nextTryAt: '2026-05-03T09:59:00.000Z' }
    expect(isDueNow(night({ now: '2026-05-03T08:59:30.000Z', fault: late }))).toBe(false)
    expect(isDueNow(night({ now: '2026-05-03T09:00:00.000Z', fault: late }))).toBe(true)
  })
})

describe('what fails', () => {
  const now = new Date('2026-05-02T09:00:00.000Z')

  test('what fails is tried again soon, then every hour', () => {
    const details = { neededMegabytes: 40, freeMegabytes: 3 }
    const problem = new Problem('disk_full', { details })
    const waits: number[] = []
    let fault: BackupFault | null = null
    for (let tries = 1; tries <= 5; tries += 1) {
      fault = faultAfter(fault, problem, now)
      expect(fault).toMatchObject({ code: 'disk_full', details, tries, at: now.toISOString() })
      waits.push((Date.parse(fault.nextTryAt) - now.getTime()) / 60_000)
    }
    expect(waits).toEqual([5, 15, 60, 60, 60])
  })

  test('a mail tells what has failed three times, a day after the last mail, and what has not been copied for a day', () => {
    const fault = (tries: number, at = '2026-05-02T08:30:00.000Z'): BackupFault => ({
      code: 'unexpected',
      at,
      tries,
      nextTryAt: at,
    })
    const none = { nightFault: null, copyFault: null, trial: null, mailedAt: null, copiedAt: null }
    const restoreTestOf = (tries: number, at?: string) => ({ filename: '', at: '', fault: fault(tries, at) })
    const mailed = (faults: Partial<typeof none> | Record<string, unknown>) =>
      faultsToMail({ ...none, ...faults }, now).map(({ kind }) => kind)
    expect(mailed({})).toEqual([])
    expect(mailed({ nightFault: fault(2), copyFault: fault(2), trial: restoreTestOf(2) })).toEqual([])
    expect(mailed({ nightFault: fault(3), copyFault: fault(3), trial: restoreTestOf(3) })).toEqual(['night', 'copy', 'trial'])
    expect(mailed({ copyFault: fault(9), copiedAt: '2026-05-01T09:00:01.000Z' })).toEqual([])
    expect(mailed({ copyFault: fault(9), copiedAt: '2026-05-01T09:00:00.000Z' })).toEqual(['copy'])
    expect(mailed({ nightFault: fault(9), mailedAt: '2026-05-01T09:00:01.000Z' })).toEqual([])
    expect(mailed({ nightFault: fault(9), mailedAt: '2026-05-01T09:00:00.000Z' })).toEqual(['night'])
    const noRoom = { ...fault(9), code: 'disk_full' }
    expect(mailed({ nightFault: noRoom, trial: { filename: '', at: '', fault: noRoom } })).toEqual(['night'])
    // Nothing has been tried since: the maker knows.
    expect(mailed({ trial: restoreTestOf(3, '2026-04-01T00:00:00.000Z'), mailedAt: '2026-04-02T00:00:00.000Z' })).toEqual([])
  })
})
