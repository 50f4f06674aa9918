import { type BackupType, backupType } from '#contract/backups.ts'
import type { Dialect } from '#server/database/dialect.ts'

const ours =
  /^(database_backup_\d{4}-\d\d-\d\dT\d\d-\d\d-\d\dZ\.(sqlite|sql)|export_\d{4}-\d\d-\d\dT\d\d-\d\d-\d\dZ\.json|complete_backup_\d{4}-\d\d-\d\dT\d\d-\d\d-\d\dZ\.zip)$/

export function isBackupName(filename: string) {
  return ours.test(filename)
}

/** `complete_backup_2026-05-01T12-00-00Z.zip`: the moment, in letters every file system takes. */
export function backupName(type: BackupType, at: Date, dialect: Dialect) {
  const moment = `${at.toISOString().slice(0, 19).replaceAll(':', '-')}Z`
  if (type === 'database') return `database_backup_${moment}.${dialect === 'sqlite' ? 'sqlite' : 'sql'}`
  return type === 'complete' ? `complete_backup_${moment}.zip` : `export_${moment}.json`
}

/** Two of a kind within one second: the later one is named for the next free second. */
export function freeBackupName(type: BackupType, at: Date, dialect: Dialect, taken: ReadonlySet<string>): string {
  const name = backupName(type, at, dialect)
  return taken.has(name) ? freeBackupName(type, new Date(at.getTime() + 1_000), dialect, taken) : name
}

/** Newest first; the names of one moment by their kind. */
export function newestFirst(a: string, b: string) {
  return momentIn(b).localeCompare(momentIn(a)) || a.localeCompare(b)
}

function momentIn(filename: string) {
  return /\d{4}-\d\d-\d\dT\d\d-\d\d-\d\dZ/.exec(filename)?.[0] ?? ''
}

const contentTypes: Record<BackupType, string> = {
  database: 'application/octet-stream',
  complete: 'application/zip',
  export: 'application/json; charset=utf-8',
}

export function contentTypeOf(filename: string) {
  return contentTypes[backupType(filename)]
}

/** Where it is noted that a backup is about to get that name. */
export function notedName(filename: string) {
  return `names/${filename}`
}

/** Where a backup is kept. */
export function storedBackup(filename: string) {
  return `backups/${filename}`
}
