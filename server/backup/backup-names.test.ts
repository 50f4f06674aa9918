import { expect, test } from 'vitest'
import { backupDate, backupType, missingFromBackup } from '#contract/backups.ts'
import { backupName, isBackupName } from './backup-names.ts'

const at = new Date('2026-05-01T12:34:56.789Z')

test.each([
  ['database', 'sqlite', {}, 'database_backup_2026-05-01T12-34-56Z-x7k2.sqlite'],
  ['database', 'postgres', {}, 'database_backup_2026-05-01T12-34-56Z-x7k2.sql'],
  ['export', 'sqlite', {}, 'export_2026-05-01T12-34-56Z-x7k2.json'],
  ['complete', 'postgres', {}, 'complete_backup_2026-05-01T12-34-56Z-x7k2.zip'],
  [
    'complete',
    'sqlite',
    { madeBy: 'night', missingImages: 16, missingRecords: 1 },
    'complete_backup_2026-05-01T12-34-56Z-x7k2_nightly_without_1_records_without_16_photos.zip',
  ],
] as const)('the name tells kind, moment and what is missing: %s on %s %j', (type, dialect, missing, name) => {
  expect(backupName(type, { at, dialect, random: 'x7k2', ...missing })).toBe(name)
  expect([isBackupName(name), backupType(name), backupDate(name)]).toEqual([true, type, '2026-05-01'])
  expect(missingFromBackup(name)).toBe('missingImages' in missing ? missing.missingImages : 0)
})

test('a name of an earlier release has no random end; others are none of ours, and taken for exports', () => {
  expect(isBackupName('complete_backup_2026-05-01T12-34-56Z.zip')).toBe(true)
  const moment = '2026-05-01T12-34-56Z'
  const almost = [`export_${moment}.json/..`, `export_${moment}.json\n`, `complete_backup_${moment}.sql`]
  const others = ['../x', 'export.json', '', ...almost]
  expect(others.filter(isBackupName)).toEqual([])
  expect([backupType('notes.txt'), backupDate('notes.txt')]).toEqual(['export', undefined])
  expect(backupDate('a-2020-01-02-and-2021-01-02')).toBe('2020-01-02')
})
