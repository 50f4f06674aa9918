import { describe, expect, test } from 'vitest'
import type { BackupStatus } from '#contract/backup-status.ts'
import { backupStatusOf } from './backup-sentences.ts'
import { backups as backupsEn } from './en/backups.ts'
import { backups as backupsEs } from './es/backups.ts'
import { momentIn } from './moments.ts'

const english = { locale: 'en', line: backupsEn.line, sentence: () => 'The disk is full.' }
const spanish = { locale: 'es-MX', line: backupsEs.line, sentence: () => 'El disco está lleno.' }

const fault = { code: 'disk_full', at: '2026-11-17T09:00:00.000Z', tries: 1, nextTryAt: '2026-11-17T10:00:00.000Z' }
/** Three in the morning in Mexico is nine by UTC. */
const lastGood = { filename: 'complete_backup_2026-11-17T09-00-00Z-x7k2_nightly.zip', at: '2026-11-17T09:00:00.000Z', bytes: 1 }
const everything: BackupStatus = {
  settings: { nightly: true, at: '03:00', keep: { daily: 7, weekly: 5, monthly: 12 } },
  timeZone: 'America/Mexico_City',
  now: '2026-11-17T18:00:00.000Z',
  warnings: [],
  lastGood,
  nightly: { nextAt: '2026-11-18T09:00:00.000Z', doneAt: lastGood.at, fault: null },
  offsite: {
    kind: 'folder',
    encrypted: false,
    copied: { filename: lastGood.filename, at: lastGood.at, copiedAt: '2026-11-17T09:04:00.000Z' },
    fault: null,
  },
  restoreTest: { filename: lastGood.filename, at: '2026-11-03T09:10:00.000Z', fault: null },
  encrypted: false,
  working: null,
  lastMerge: null,
}

describe('a moment', () => {
  const telling = { locale: 'en', timeZone: 'America/Mexico_City', now: '2026-11-17T05:30:00.000Z', at: backupsEn.line.at }

  test.each([
    ['2026-11-16T09:00:00.000Z', 'today 03:00'],
    ['2026-11-17T05:59:00.000Z', 'today 23:59'],
    ['2026-11-17T06:00:00.000Z', 'tomorrow 00:00'],
    ['2026-11-15T09:00:00.000Z', 'yesterday 03:00'],
    ['2026-11-03T09:00:00.000Z', 'November 3, 03:00'],
    ['2025-12-31T09:00:00.000Z', 'December 31, 2025, 03:00'],
  ])('%s is told by the clock of the time zone: %s', (moment, told) => {
    expect(momentIn(telling, moment)).toBe(told)
  })

  test('of the day before is yesterday on a day of 23 hours too', () => {
    const madrid = { ...telling, timeZone: 'Europe/Madrid', now: '2026-03-29T22:30:00.000Z' }
    expect(momentIn(madrid, '2026-03-29T00:30:00.000Z')).toBe('yesterday 01:30')
  })
})

describe('the line', () => {
  test('says that everything is safe, in both languages', () => {
    expect(backupStatusOf(everything, english)).toEqual({
      tone: 'safe',
      sentences: ['Everything is safe: last night 03:00, checked, copied off-site, restore tested on November 3'],
      notes: ['Next backup: tomorrow 03:00.'],
    })
    expect(backupStatusOf(everything, spanish).sentences).toEqual([
      'Todo está a salvo: anoche a las 03:00, comprobado, con copia externa, restauración probada el 3 de noviembre',
    ])
  })

  test('claims no copy and no trial that was not', () => {
    const alone = backupStatusOf({ ...everything, offsite: null, restoreTest: null }, english)
    expect(alone).toMatchObject({ tone: 'safe', sentences: ['Everything is safe: last night 03:00, checked'] })
    expect(alone.notes).toContain(backupsEn.line.noOffsiteCopy)
    const copied = { filename: 'older.zip', at: '2026-11-16T09:00:00.000Z', copiedAt: '2026-11-16T09:04:00.000Z' }
    const behind = { ...everything, offsite: { kind: 'folder' as const, encrypted: false, copied, fault: null } }
    expect(backupStatusOf(behind, english).sentences).toEqual([
      'Everything is safe: last night 03:00, checked, restore tested on November 3',
    ])
  })

  test('stays green and says so when there was no room to try out a backup', () => {
    const untried = { ...everything, restoreTest: { filename: lastGood.filename, at: fault.at, fault } }
    expect(backupStatusOf(untried, english)).toEqual({
      tone: 'safe',
      sentences: ['Everything is safe: last night 03:00, checked, copied off-site'],
      notes: ['Next backup: tomorrow 03:00.', backupsEn.line.noRestoreTest],
    })
    expect(backupStatusOf(untried, spanish).notes).toContain(backupsEs.line.noRestoreTest)
    const onBuiltIn = { filename: lastGood.filename, at: fault.at, fault: null, onBuiltIn: true }
    expect(backupStatusOf({ ...everything, restoreTest: onBuiltIn }, english).notes).toContain(backupsEn.line.testedOnBuiltIn)
    const differs = { filename: lastGood.filename, at: fault.at, fault: { ...fault, code: 'trial_differs' } }
    expect(backupStatusOf({ ...everything, restoreTest: differs, warnings: ['trial_failed'] }, english)).toMatchObject({
      tone: 'failed',
      notes: expect.not.arrayContaining([backupsEn.line.noRestoreTest]),
    })
  })

  test('names a failure first, with its reason and when it is tried again, and what is safe all the same', () => {
    const nightly = { nextAt: fault.nextTryAt, doneAt: null, fault }
    const told = backupStatusOf({ ...everything, nightly, warnings: ['night_late', 'copy_late', 'night_failed'] }, english)
    expect(told.tone).toBe('failed')
    expect(told.sentences).toEqual([
      'Last night’s backup failed. The disk is full. Next try: today 04:00.',
      'The latest backup has no off-site copy yet. Check that the off-site target can be reached.',
    ])
    expect(told.notes[0]).toBe('The latest checked backup: today 03:00.')
    expect(backupStatusOf({ ...everything, nightly, warnings: ['night_failed'] }, spanish).sentences).toEqual([
      'Falló el respaldo de anoche. El disco está lleno. Próximo intento: hoy a las 04:00.',
    ])
  })

  test('is not green while there is none', () => {
    const none = backupStatusOf({ ...everything, lastGood: null, warnings: ['nightly_off', 'nothing_yet'] }, english)
    expect(none.tone).toBe('missing')
    expect(none.sentences[0]).toMatch(/^No complete backup yet/)
    expect(none.sentences[1]).toMatch(/^Nightly backups are off/)
    expect(backupStatusOf({ ...everything, lastGood: null }, english).tone).not.toBe('safe')
  })
})
