import { expect, test } from 'vitest'
import type { CareFault } from '#contract/backup-status.ts'
import type { KnownBackupRow } from '#server/database/tables.ts'
import { findSafe, shortfallsOf } from './status.rules.ts'

type Facts = Parameters<typeof shortfallsOf>[0]

const now = '2026-05-02T12:30:00.000Z'
const tonight = 'complete_backup_2026-05-02T09-00-00Z-x7k2_nightly.zip'
const lastNight = 'complete_backup_2026-05-01T09-00-00Z-x7k2_nightly.zip'
const partial = 'complete_backup_2026-05-02T10-00-00Z-x7k2_without_2_photos.zip'
const fault: CareFault = { code: 'unexpected', at: now, tries: 1, nextTryAt: now }

const listed = (...filenames: string[]) => filenames.map((filename) => ({ filename, bytes: 10 }))
const known = (...filenames: string[]) =>
  new Map(
    filenames.map((filename): [string, KnownBackupRow] => [filename, { filename, sha256: '', checkedAt: now, copiedAt: null }]),
  )

const night = (details: Partial<Facts['night']> = {}): Facts['night'] => ({
  now: new Date(now),
  at: '03:00',
  timeZone: 'America/Mexico_City',
  isOn: true,
  siteCreatedAt: '2026-01-01T00:00:00.000Z',
  doneAt: '2026-05-02T09:00:00.000Z',
  fault: null,
  ...details,
})

const missing = (details: Partial<Facts> = {}) =>
  shortfallsOf({
    night: night(),
    trial: null,
    elsewhere: null,
    listed: listed(tonight, lastNight),
    known: known(tonight, lastNight),
    ...details,
  })

test('nothing is missing when the last night brought a whole backup that was read again', () => {
  expect(missing()).toEqual([])
})

test('a backup counts only when nothing is missing from it and it was read again', () => {
  expect(findSafe(listed(partial, tonight), known(partial, tonight))).toEqual({
    filename: tonight,
    at: '2026-05-02T09:00:00.000Z',
    bytes: 10,
  })
  expect(findSafe(listed(tonight, lastNight), known(lastNight))?.filename).toBe(lastNight)
  expect(missing({ known: known() })).toEqual(['nothing_yet', 'night_late'])
  // One was made and nobody knows whether it is whole; the one before it is old.
  expect(missing({ known: known(lastNight) })).toEqual(['night_late'])
  expect(missing({ listed: listed(partial, tonight), known: known(partial, tonight) })).toEqual(['not_whole'])
  expect(missing({ listed: [] })).toEqual(['nothing_yet'])
})

test('a night is late two hours after it was due, unless it is known why or nobody wants it', () => {
  const late = { doneAt: '2026-05-01T09:00:00.000Z' }
  const old = { listed: listed(lastNight), known: known(lastNight) }
  expect(missing({ ...old, night: night(late) })).toEqual(['night_late'])
  expect(missing({ ...old, night: night({ ...late, now: new Date('2026-05-02T11:00:00.000Z') }) })).toEqual([])
  expect(missing({ ...old, night: night({ ...late, fault }) })).toEqual(['night_failed'])
  expect(missing({ ...old, night: night({ ...late, fault, isOn: false }) })).toEqual(['nightly_off'])
  expect(missing({ ...old, night: night({ doneAt: null, siteCreatedAt: now }) })).toEqual([])
})

test('a copy is late six hours after the night of which it is, and when it failed it is said so', () => {
  const elsewhere = { kind: 'folder', encrypted: false, copied: null, fault: null } as const
  const evening = night({ now: new Date('2026-05-02T15:00:01.000Z') })
  const copied = (filename: string, at: string) => ({ filename, at, copiedAt: at })
  expect(missing({ elsewhere })).toEqual([])
  expect(missing({ elsewhere, night: evening })).toEqual(['copy_late'])
  const before = copied(lastNight, '2026-05-01T09:00:00.000Z')
  expect(missing({ elsewhere: { ...elsewhere, copied: before }, night: evening })).toEqual(['copy_late'])
  expect(missing({ elsewhere: { ...elsewhere, fault }, night: evening })).toEqual(['copy_failed'])
  const current = copied(tonight, '2026-05-02T09:00:00.000Z')
  expect(missing({ elsewhere: { ...elsewhere, copied: current }, night: evening })).toEqual([])
})

test('a backup that was tried out and came back otherwise is no comfort', () => {
  expect(missing({ trial: { filename: tonight, at: now, fault: null } })).toEqual([])
  expect(missing({ trial: { filename: tonight, at: now, fault } })).toEqual(['trial_failed'])
  expect(missing({ trial: { filename: tonight, at: now, fault: { ...fault, code: 'disk_full' } } })).toEqual([])
})
