import { expect, test } from 'vitest'
import { type JobName, type JobRow, jobNames, type KnownBackupRow } from '#server/database/tables.ts'
import { jobRows } from '#server/jobs/jobs.ts'
import { findLastGood, restoreTestIn, warningsOf } from './status.ts'

type Facts = Parameters<typeof warningsOf>[0]

const now = '2026-05-02T12:30:00.000Z'
const tonight = 'complete_backup_2026-05-02T09-00-00Z-x7k2_nightly.zip'
const lastNight = 'complete_backup_2026-05-01T09-00-00Z-x7k2_nightly.zip'
const partial = 'complete_backup_2026-05-02T10-00-00Z-x7k2_without_2_photos.zip'
const failing = { failures: 1, lastError: { code: 'unexpected', at: now }, nextTry: now }

const listed = (...filenames: string[]) => filenames.map((filename) => ({ filename, bytes: 10 }))
const checked = (...filenames: string[]) =>
  new Map(
    filenames.map((filename): [string, KnownBackupRow] => [filename, { filename, sha256: '', checkedAt: now, copiedAt: null }]),
  )

type Details = Partial<Omit<Facts, 'rows' | 'schedule'>> & {
  rows?: Partial<Record<JobName, Partial<JobRow>>>
  schedule?: Partial<Facts['schedule']>
}

function warnings({ rows = {}, schedule, ...details }: Details = {}) {
  const nightly = { lastSuccess: '2026-05-02T09:00:00.000Z', ...rows.nightly }
  const all = jobRows(jobNames.map((name) => ({ ...(name === 'nightly' ? nightly : rows[name]), name })))
  return warningsOf({
    schedule: {
      ...{ now: new Date(now), at: '03:00', timeZone: 'America/Mexico_City', isOn: true, row: all.nightly },
      ...{ siteCreatedAt: '2026-01-01T00:00:00.000Z', ...schedule },
    },
    rows: all,
    offsite: null,
    listed: listed(tonight, lastNight),
    checked: checked(tonight, lastNight),
    ...details,
  })
}

test('there is no warning when the last nightly backup is whole and was read again', () => {
  expect(warnings()).toEqual([])
})

test('a backup counts only when nothing is missing from it and it was read again', () => {
  expect(findLastGood(listed(partial, tonight), checked(partial, tonight))).toEqual({
    filename: tonight,
    at: '2026-05-02T09:00:00.000Z',
    bytes: 10,
  })
  expect(findLastGood(listed(tonight, lastNight), checked(lastNight))?.filename).toBe(lastNight)
  expect(warnings({ checked: checked() })).toEqual(['nothing_yet'])
  expect(warnings({ listed: listed(partial, tonight), checked: checked(partial, tonight) })).toEqual(['not_whole'])
  expect(warnings({ listed: [] })).toEqual(['nothing_yet'])
})

test('a nightly backup is late two hours after it was due, unless it has failed or is off', () => {
  const late = { lastSuccess: '2026-05-01T09:00:00.000Z' }
  const old = { listed: listed(lastNight), checked: checked(lastNight), rows: { nightly: late } }
  const failed = { nightly: { ...late, ...failing } }
  expect(warnings(old)).toEqual(['night_late'])
  expect(warnings({ ...old, schedule: { now: new Date('2026-05-02T11:00:00.000Z') } })).toEqual([])
  expect(warnings({ ...old, rows: failed })).toEqual(['night_failed'])
  expect(warnings({ ...old, rows: failed, schedule: { isOn: false } })).toEqual(['nightly_off'])
  expect(warnings({ ...old, rows: { nightly: { lastSuccess: null } }, schedule: { siteCreatedAt: now } })).toEqual([])
})

test('a copy is late six hours after its nightly backup, and a failed one is a warning of its own', () => {
  const offsite = { kind: 'folder', encrypted: false, copied: null, fault: null } as const
  const evening = { now: new Date('2026-05-02T15:00:01.000Z') }
  const copied = (filename: string, at: string) => ({ filename, at, copiedAt: at })
  expect(warnings({ offsite })).toEqual([])
  expect(warnings({ offsite, schedule: evening })).toEqual(['copy_late'])
  const before = copied(lastNight, '2026-05-01T09:00:00.000Z')
  expect(warnings({ offsite: { ...offsite, copied: before }, schedule: evening })).toEqual(['copy_late'])
  const fault = { code: 'unexpected', at: now, tries: 1, nextTryAt: now }
  const failed = { rows: { copy: failing }, schedule: evening }
  expect(warnings({ ...failed, offsite: { ...offsite, fault } })).toEqual(['copy_failed'])
  // The target was given up since.
  expect(warnings(failed)).toEqual([])
  const current = copied(tonight, '2026-05-02T09:00:00.000Z')
  expect(warnings({ offsite: { ...offsite, copied: current }, schedule: evening })).toEqual([])
})

test('a restore test that found a difference is a warning, and one without room on the disk is none', () => {
  const result = { filename: tonight }
  const noRoom = { ...failing, lastError: { code: 'disk_full', at: now } }
  expect(warnings({ rows: { 'restore-test': { ...failing, result } } })).toEqual(['trial_failed'])
  expect(warnings({ rows: { 'restore-test': { ...noRoom, result } } })).toEqual([])
  const tested = (row: Partial<JobRow>) => restoreTestIn(jobRows([{ ...row, name: 'restore-test' }])['restore-test'])
  expect(tested({})).toBeNull()
  expect(tested({ lastSuccess: now, result: { ...result, onBuiltIn: true } })).toEqual({
    ...{ filename: tonight, at: now, fault: null, onBuiltIn: true },
  })
  expect(tested({ ...noRoom, result })).toMatchObject({ at: now, fault: { code: 'disk_full', tries: 1, nextTryAt: now } })
})
