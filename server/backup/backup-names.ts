import { randomInt } from 'node:crypto'
import { type BackupMaker, type BackupType, backupMoment } from '#contract/backups.ts'
import { isFuture } from '#server/clock.ts'
import type { Dialect } from '#server/database/dialect.ts'
import type { Storage } from '#server/storage/storage.ts'

const moment = String.raw`\d{4}-\d\d-\d\dT\d\d-\d\d-\d\dZ`
/** Earlier releases had no random end. */
const stamp = `${moment}(-[0-9a-z]{4})?`
const without = String.raw`(_without_\d+_records)?`
const pattern = new RegExp(
  `^(database_backup_${stamp}\\.(sqlite|sql)|export_${stamp}(_restore_point)?${without}\\.json|complete_backup_${stamp}(_nightly)?${without}(_without_\\d+_photos)?\\.zip)$`,
)

export function isBackupName(filename: string) {
  return pattern.test(filename)
}

type Named = {
  at: Date
  dialect?: Dialect
  random?: string
  madeBy?: BackupMaker
  missingImages?: number
  missingRecords?: number
}

/** `complete_backup_2026-05-01T12-00-00Z-x7k2.zip`: the moment without colons, and a random end for two of one second. */
export function backupName(type: BackupType, { at, dialect, random = randomEnd(), madeBy = 'person', ...missing }: Named) {
  const without = (things: string, count = 0) => (count > 0 ? `_without_${count}_${things}` : '')
  const records = without('records', missing.missingRecords)
  const end = `${at.toISOString().slice(0, 19).replaceAll(':', '-')}Z-${random}`
  if (type === 'database') return `database_backup_${end}.${dialect === 'postgres' ? 'sql' : 'sqlite'}`
  if (type === 'export') return `export_${end}${records}.json`
  return `complete_backup_${end}${madeBy === 'night' ? '_nightly' : ''}${records}${without('photos', missing.missingImages)}.zip`
}

function randomEnd() {
  return randomInt(36 ** 4)
    .toString(36)
    .padStart(4, '0')
}

export function madeAt(filename: string) {
  return new Date(backupMoment(filename) ?? Number.NaN)
}

/** The names of one moment by their kind. Those of the future come last: they were made by a clock that was ahead. */
export function newestFirst(now: Date) {
  const isAhead = (filename: string) => Number(isFuture(madeAt(filename), now))
  return (a: string, b: string) => isAhead(a) - isAhead(b) || madeAt(b).getTime() - madeAt(a).getTime() || a.localeCompare(b)
}

export const backupsFolder = 'backups'

export function storedBackup(filename: string) {
  return `${backupsFolder}/${filename}`
}

/** Newest first. */
export async function listStoredBackups(storage: Storage, now: Date) {
  const files = await storage.list(backupsFolder)
  const inOrder = newestFirst(now)
  return files
    .map(({ name, bytes }) => ({ filename: name.slice(backupsFolder.length + 1), bytes }))
    .filter(({ filename }) => isBackupName(filename))
    .toSorted((a, b) => inOrder(a.filename, b.filename))
}
