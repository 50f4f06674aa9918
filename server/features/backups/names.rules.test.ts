import { describe, expect, test } from 'vitest'
import { backupDate, backupType } from '#contract/backups.ts'
import { backupName, contentTypeOf, freeBackupName, isBackupName, newestFirst } from './names.rules.ts'

const at = new Date('2026-05-01T12:34:56.789Z')

describe('the name of a backup', () => {
  test.each([
    ['database', 'sqlite', 'database_backup_2026-05-01T12-34-56Z.sqlite'],
    ['database', 'postgres', 'database_backup_2026-05-01T12-34-56Z.sql'],
    ['export', 'sqlite', 'export_2026-05-01T12-34-56Z.json'],
    ['complete', 'postgres', 'complete_backup_2026-05-01T12-34-56Z.zip'],
  ] as const)('tells kind and moment: %s on %s', (type, dialect, name) => {
    expect(backupName(type, at, dialect)).toBe(name)
    expect(isBackupName(name)).toBe(true)
    expect(backupType(name)).toBe(type)
    expect(backupDate(name)).toBe('2026-05-01')
  })

  test('is the next free second when the moment is taken', () => {
    const taken = new Set(['export_2026-05-01T12-34-56Z.json', 'export_2026-05-01T12-34-57Z.json'])
    expect(freeBackupName('export', at, 'sqlite', taken)).toBe('export_2026-05-01T12-34-58Z.json')
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
