import { expect, test } from 'vitest'
import type { BackupFault } from '#contract/backup-status.ts'
import type { KnownBackupRow } from '#server/database/tables.ts'
import { findLastGood, warningsOf } from './status.rules.ts'

type Facts = Parameters<typeof warningsOf>[0]

const now = '2026-05-02T12:30:00.000Z'
const tonight = 'complete_backup_2026-05-02T09-00-00Z-x7k2_nightly.zip'
const lastNight = 'complete_backup_2026-05-01T09-00-00Z-x7k2_nightly.zip'
const partial = 'complete_backup_2026-05-02T10-00-00Z-x7k2_without_2_photos.zip'
const fault: BackupFault = { code: 'unexpected', at: now, tries: 1, nextTryAt: now }

const listed = (...filenames: string[]) => filenames.map((filename) => ({ filename, bytes: 10 }))
const checked = (...filenames: string[]) =>
  new Map(
    filenames.map((filename): [string, KnownBackupRow] => [filename, { filename, sha256: '', checkedAt: now, copiedAt: null }]),
  )

const scheduleWith = (details: Partial<Facts['schedule']> = {}): Facts['schedule'] => ({
  now: new Date(now),
  at: '03:00',
  timeZone: 'America/Mexico_City',
  isOn: true,
  siteCreatedAt: '2026-01-01T00:00:00.000Z',
  doneAt: '2026-05-02T09:00:00.000Z',
  fault: null,
  ...details,
})

const warnings = (details: Partial<Facts> = {}) =>
  warningsOf({
    schedule: scheduleWith(),
    restoreTest: null,
    offsite: null,
    listed: listed(tonight, lastNight),
    checked: checked(tonight, lastNight),
    ...details,
  })

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
  expect(warnings({ checked: checked() })).toEqual(['nothing_yet', 'night_late'])
  // One was made and nobody knows whether it is whole; the one before it is old.
  expect(warnings({ checked: checked(lastNight) })).toEqual(['night_late'])
  expect(warnings({ listed: listed(partial, tonight), checked: checked(partial, tonight) })).toEqual(['not_whole'])
  expect(warnings({ listed: [] })).toEqual(['nothing_yet'])
})

test('a nightly backup is late two hours after it was due, unless it has failed or is off', () => {
  const late = { doneAt: '2026-05-01T09:00:00.000Z' }
  const old = { listed: listed(lastNight), checked: checked(lastNight) }
  expect(warnings({ ...old, schedule: scheduleWith(late) })).toEqual(['night_late'])
  expect(warnings({ ...old, schedule: scheduleWith({ ...late, now: new Date('2026-05-02T11:00:00.000Z') }) })).toEqual([])
  expect(warnings({ ...old, schedule: scheduleWith({ ...late, fault }) })).toEqual(['night_failed'])
  expect(warnings({ ...old, schedule: scheduleWith({ ...late, fault, isOn: false }) })).toEqual(['nightly_off'])
  expect(warnings({ ...old, schedule: scheduleWith({ doneAt: null, siteCreatedAt: now }) })).toEqual([])
})

test('a copy is late six hours after its nightly backup, and a failed one is a warning of its own', () => {
  const offsite = { kind: 'folder', encrypted: false, copied: null, fault: null } as const
  const evening = scheduleWith({ now: new Date('2026-05-02T15:00:01.000Z') })
  const copied = (filename: string, at: string) => ({ filename, at, copiedAt: at })
  expect(warnings({ offsite })).toEqual([])
  expect(warnings({ offsite, schedule: evening })).toEqual(['copy_late'])
  const before = copied(lastNight, '2026-05-01T09:00:00.000Z')
  expect(warnings({ offsite: { ...offsite, copied: before }, schedule: evening })).toEqual(['copy_late'])
  expect(warnings({ offsite: { ...offsite, fault }, schedule: evening })).toEqual(['copy_failed'])
  const current = copied(tonight, '2026-05-02T09:00:00.000Z')
  expect(warnings({ offsite: { ...offsite, copied: current }, schedule: evening })).toEqual([])
})

test('a restore test that found a difference is a warning', () => {
  expect(warnings({ restoreTest: { filename: tonight, at: now, fault: null } })).toEqual([])
  expect(warnings({ restoreTest: { filename: tonight, at: now, fault } })).toEqual(['trial_failed'])
  expect(warnings({ restoreTest: { filename: tonight, at: now, fault: { ...fault, code: 'disk_full' } } })).toEqual([])
})
