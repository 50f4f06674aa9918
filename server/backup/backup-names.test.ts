import { describe, expect, test } from 'vitest'
import { backupDate, backupType, missingFromBackup } from '#contract/backups.ts'
import { backupName, contentTypeOf, isBackupName, newestFirst } from './backup-names.ts'

const at = new Date('2026-05-01T12:34:56.789Z')

describe('the name of a backup', () => {
  test.each([
    ['database', 'sqlite', 'database_backup_2026-05-01T12-34-56Z-x7k2.sqlite'],
    ['database', 'postgres', 'database_backup_2026-05-01T12-34-56Z-x7k2.sql'],
    ['export', 'sqlite', 'export_2026-05-01T12-34-56Z-x7k2.json'],
    ['complete', 'postgres', 'complete_backup_2026-05-01T12-34-56Z-x7k2.zip'],
  ] as const)('tells kind and moment: %s on %s', (type, dialect, name) => {
    expect(backupName(type, { at, dialect, random: 'x7k2' })).toBe(name)
    expect(isBackupName(name)).toBe(true)
    expect(backupType(name)).toBe(type)
    expect(backupDate(name)).toBe('2026-05-01')
  })

  test('tells how many photos are missing from it', () => {
    const name = backupName('complete', { at, dialect: 'sqlite', random: 'x7k2', missingImages: 16 })
    expect(name).toBe('complete_backup_2026-05-01T12-34-56Z-x7k2_without_16_photos.zip')
    expect(isBackupName(name)).toBe(true)
    expect([name, 'complete_backup_2026-05-01T12-34-56Z.zip'].map(missingFromBackup)).toEqual([16, 0])
  })

  test('of an earlier release has no random end', () => {
    expect(isBackupName('complete_backup_2026-05-01T12-34-56Z.zip')).toBe(true)
  })

  test.each([
    '../x',
    'export.json',
    'export_2026-05-01T12-34-56Z.json/..',
    'export_2026-05-01T12-34-56Z.json\n',
    'complete_backup_2026-05-01T12-34-56Z.sql',
    '',
  ])('is none of ours: %j', (name) => expect(isBackupName(name)).toBe(false))

  test('of anything else is an export of an unknown day', () => {
    expect(backupType('notes.txt')).toBe('export')
    expect(backupDate('notes.txt')).toBeUndefined()
    expect(backupDate('a-2020-01-02-and-2021-01-02')).toBe('2020-01-02')
  })

  test('puts the newest first, whatever its kind', () => {
    const names = [
      'export_2026-05-01T12-34-56Z.json',
      'database_backup_2026-05-02T00-00-00Z.sql',
      'complete_backup_2026-05-01T23-00-00Z.zip',
    ]
    expect(names.toSorted(newestFirst)).toEqual([names[1], names[2], names[0]])
  })

  test('decides what it is sent as', () => {
    expect(contentTypeOf('complete_backup_2026-05-01T12-34-56Z.zip')).toBe('application/zip')
    expect(contentTypeOf('database_backup_2026-05-01T12-34-56Z.sql')).toBe('application/octet-stream')
  })
})
