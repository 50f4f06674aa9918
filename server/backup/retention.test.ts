import { describe, expect, test } from 'vitest'
import { backupsToPrune, lastWhole, type Retention } from './retention.ts'

const timeZone = 'America/Mexico_City'
const keep = { daily: 7, weekly: 5, monthly: 12 }

/** A nightly backup, by its day and time. */
const night = (day: string, { time = '09-00-00', without = 0 } = {}) =>
  `complete_backup_${day}T${time}Z-x7k2_nightly${without ? `_without_${without}_photos` : ''}.zip`

const daysBetween = (from: string, to: string) => {
  const days: string[] = []
  for (let at = Date.parse(from); at <= Date.parse(to); at += 86_400_000) days.push(new Date(at).toISOString().slice(0, 10))
  return days
}

const now = new Date('2026-05-31T12:00:00.000Z')
const retention = { keep, timeZone, now, isClockDoubtful: false }
const pruned = (filenames: readonly string[], changes: Partial<Retention> = {}) =>
  backupsToPrune(filenames, { ...retention, ...changes })
const stays = (filenames: readonly string[], options: Partial<Retention> = {}) => {
  const gone = new Set(pruned(filenames, options))
  return filenames.filter((filename) => !gone.has(filename))
}

describe('of the nightly backups stay', () => {
  test('of 400 nights one for each of seven days, five weeks and twelve months, and never more', () => {
    const days = daysBetween('2025-04-27', '2026-05-31')
    // May 31 is a Sunday: the end of a week and of a month.
    const kept = [
      ...['2025-06-30', '2025-07-31', '2025-08-31', '2025-09-30', '2025-10-31', '2025-11-30', '2025-12-31'],
      ...['2026-01-31', '2026-02-28', '2026-03-31', '2026-04-30'],
      ...['2026-05-03', '2026-05-10', '2026-05-17', '2026-05-24'],
      ...daysBetween('2026-05-25', '2026-05-31'),
    ]
    expect(stays(days.map((day) => night(day)))).toEqual(kept.map((day) => night(day)))
    let all: string[] = []
    for (const day of days) {
      all = stays([...all, night(day)], { now: new Date(`${day}T12:00:00.000Z`) })
      expect(all.length).toBeLessThanOrEqual(7 + 5 + 12)
    }
    expect(all).toEqual(kept.map((day) => night(day)))
  })

  test('the newest days that have one, however long ago', () => {
    const all = ['2025-01-05', '2025-01-20', '2025-06-01', '2026-01-01'].map((day) => night(day))
    expect(stays(all, { keep: { daily: 2, weekly: 0, monthly: 0 } })).toEqual(all.slice(2))
    expect(stays(all, { keep: { daily: 1, weekly: 0, monthly: 3 } })).toEqual(all.slice(1))
  })

  test('a whole one rather than a newer one of the same day', () => {
    const all = [night('2026-05-30', { time: '09-00-00' }), night('2026-05-30', { time: '20-00-00', without: 2 })]
    expect(stays(all)).toEqual(all.slice(0, 1))
    expect(stays(all.toReversed())).toEqual(all.slice(0, 1))
  })

  test('the newest whole one, though newer ones that are not fill all places', () => {
    const old = night('2024-01-01')
    const all = [old, ...daysBetween('2026-05-01', '2026-05-31').map((day) => night(day, { without: 1 }))]
    expect(stays(all, { keep: { daily: 3, weekly: 0, monthly: 1 } })).toEqual([old, ...all.slice(-3)])
  })

  test('those of a day by the clock of the maker', () => {
    // 23:30 of the 1st and 00:30 of the 2nd, there.
    const all = [night('2026-05-02', { time: '05-30-00' }), night('2026-05-02', { time: '06-30-00' })]
    expect(stays(all, { keep: { daily: 9, weekly: 0, monthly: 0 } })).toEqual(all)
    expect(stays(all, { keep: { daily: 9, weekly: 0, monthly: 0 }, timeZone: 'UTC' })).toEqual(all.slice(1))
  })
})

test('one of the future takes no place of another and stays until then, and nothing goes while the clock is in doubt', () => {
  const ahead = night('2027-05-31')
  const all = daysBetween('2026-05-29', '2026-05-31').map((day) => night(day))
  const few = { daily: 2, weekly: 0, monthly: 0 }
  expect(pruned([ahead, ...all], { keep: few })).toEqual(all.slice(0, 1))
  const partial = night('2026-05-31', { without: 1, time: '10-00-00' })
  expect(stays([ahead, night('2020-01-01'), partial], { keep: { ...few, daily: 1 } })).toEqual([
    ahead,
    night('2020-01-01'),
    partial,
  ])
  expect(pruned([ahead, ...all], { keep: few, isClockDoubtful: true })).toEqual([])
})

test('what a person has made stays, and so do restore points of earlier releases', () => {
  const mine = [
    'complete_backup_2020-01-01T00-00-00Z.zip',
    'complete_backup_2020-01-02T00-00-00Z-x7k2_without_3_photos.zip',
    'database_backup_2020-01-01T00-00-00Z-x7k2.sqlite',
    'export_2020-01-01T00-00-00Z-x7k2.json',
    'export_2020-01-01T00-00-00Z-x7k2_restore_point.json',
  ]
  expect(pruned(mine)).toEqual([])
})

test('the last one is the only complete backup from which nothing is missing, or the only one at all', () => {
  const partial = night('2026-05-30', { without: 1 })
  const others = ['export_2020-01-01T00-00-00Z-x7k2.json', partial]
  expect(lastWhole([...others, night('2026-05-29')])).toBe(night('2026-05-29'))
  expect(lastWhole([...others, night('2026-05-29'), 'complete_backup_2020-01-01T00-00-00Z.zip'])).toBeUndefined()
  expect(lastWhole(others)).toBe(partial)
  expect(lastWhole([partial, night('2026-05-29', { without: 3 })])).toBeUndefined()
  expect(lastWhole(others.slice(0, 1))).toBeUndefined()
})
