import { describe, expect, test } from 'vitest'
import { dayIn, daysAfter } from '#server/clock.ts'
import { type JobName, type JobRow, jobNames } from '#server/database/tables.ts'
import { jobRows } from '#server/jobs/jobs.ts'
import { dueSince, faultsToMail, isDueNow, lastDue, type NightlyBackup, nextDue } from './schedule.rules.ts'

const timeZone = 'America/Mexico_City'
const iso = (moment: Date | undefined) => moment?.toISOString().slice(0, 16)

const daysOf2026 = Array.from({ length: 365 }, (_, number) => daysAfter('2026-01-01', number))

describe('when a backup is due', () => {
  test.each([
    // 03:00 there is 09:00 here.
    ['2026-05-02T08:59:59.999Z', '2026-05-01T09:00', '2026-05-02T09:00'],
    ['2026-05-02T09:00:00.000Z', '2026-05-02T09:00', '2026-05-03T09:00'],
    ['2026-05-02T05:00:00.000Z', '2026-05-01T09:00', '2026-05-02T09:00'],
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

describe('it is time for a backup', () => {
  type Details = { row?: Partial<JobRow> } & Partial<Omit<NightlyBackup, 'now' | 'row'>>
  const night = (now: string, { row, ...details }: Details = {}): NightlyBackup => ({
    ...{ at: '03:00', timeZone, isOn: true, siteCreatedAt: '2026-01-01T00:00:00.000Z', ...details },
    row: jobRows([{ name: 'nightly', lastSuccess: '2026-05-01T09:00:00.000Z', ...row }]).nightly,
    now: new Date(now),
  })

  test('from the due moment on until it is made, and so after a machine has slept', () => {
    expect(isDueNow(night('2026-05-02T08:59:00.000Z'))).toBe(false)
    expect(isDueNow(night('2026-05-02T09:00:00.000Z'))).toBe(true)
    expect(iso(dueSince(night('2026-05-09T20:00:00.000Z')))).toBe('2026-05-09T09:00')
    const evening = (lastSuccess: string | null) => isDueNow(night('2026-05-02T20:00:00.000Z', { row: { lastSuccess } }))
    expect([evening('2026-05-02T19:00:00.000Z'), evening(null)]).toEqual([false, true])
    // By a clock that was ahead.
    expect(evening('2030-01-01T09:00:00.000Z')).toBe(true)
  })

  test('not while it is switched off, and not before the first due moment of a new site', () => {
    expect(isDueNow(night('2026-05-02T09:00:00.000Z', { isOn: false }))).toBe(false)
    const young = { siteCreatedAt: '2026-05-02T10:00:00.000Z', row: { lastSuccess: null } }
    expect(isDueNow(night('2026-05-03T08:59:00.000Z', young))).toBe(false)
    expect(isDueNow(night('2026-05-03T09:00:00.000Z', young))).toBe(true)
  })

  test('after a failure when it is to be tried again, or when the next night has come', () => {
    const failed = (at: string, nextTry: string) => ({ row: { failures: 1, lastError: { code: 'disk_full', at }, nextTry } })
    const early = failed('2026-05-02T09:00:00.000Z', '2026-05-02T09:05:00.000Z')
    expect(isDueNow(night('2026-05-02T09:04:59.000Z', early))).toBe(false)
    expect(isDueNow(night('2026-05-02T09:05:00.000Z', early))).toBe(true)
    const late = failed('2026-05-03T08:59:00.000Z', '2026-05-03T09:59:00.000Z')
    expect(isDueNow(night('2026-05-03T08:59:30.000Z', late))).toBe(false)
    expect(isDueNow(night('2026-05-03T09:00:00.000Z', late))).toBe(true)
  })
})

test('a mail tells what has failed three times, a day after the last mail, and what has not been copied for a day', () => {
  const now = new Date('2026-05-02T09:00:00.000Z')
  const failing = (failures: number, { at = '2026-05-02T08:30:00.000Z', code = 'unexpected', lastSuccess = '' } = {}) => ({
    ...{ failures, lastError: { code, at }, nextTry: at, lastSuccess: lastSuccess || null },
  })
  const mailed = (rows: Partial<Record<JobName, Partial<JobRow>>>, { isCopied = true } = {}) => {
    const all = jobNames.map((name) => ({ ...rows[name], name }))
    return faultsToMail(jobRows(all), { now, isCopied }).map(({ job }) => job)
  }
  const allFailing = (times: number) => ({ nightly: failing(times), copy: failing(times), 'restore-test': failing(times) })
  expect(mailed({})).toEqual([])
  expect(mailed(allFailing(2))).toEqual([])
  expect(mailed(allFailing(3))).toEqual(['nightly', 'copy', 'restore-test'])
  expect(mailed(allFailing(3), { isCopied: false })).toEqual(['nightly', 'restore-test'])
  expect(mailed({ copy: failing(9, { lastSuccess: '2026-05-01T09:00:01.000Z' }) })).toEqual([])
  expect(mailed({ copy: failing(9, { lastSuccess: '2026-05-01T09:00:00.000Z' }) })).toEqual(['copy'])
  const lastMail = (lastSuccess: string) => ({ 'fault-mails': { lastSuccess } })
  expect(mailed({ nightly: failing(9), ...lastMail('2026-05-01T09:00:01.000Z') })).toEqual([])
  expect(mailed({ nightly: failing(9), ...lastMail('2026-05-01T09:00:00.000Z') })).toEqual(['nightly'])
  const noRoom = failing(9, { code: 'disk_full' })
  expect(mailed({ nightly: noRoom, 'restore-test': noRoom })).toEqual(['nightly'])
  // Nothing has been tried since: the maker knows.
  const old = failing(3, { at: '2026-04-01T00:00:00.000Z' })
  expect(mailed({ 'restore-test': old, ...lastMail('2026-04-02T00:00:00.000Z') })).toEqual([])
})
