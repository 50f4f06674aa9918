import type { CareRow, Db, KnownBackupRow } from '#server/database/tables.ts'
import { faultFoundBy } from './care/faults.rules.ts'

type Changes = Partial<Omit<CareRow, 'id'>>

const json = new Set(['nightFault', 'copyFault', 'trial', 'working', 'lastMerge'])

/** How the site looks after its backups, and how that went. */
export function readCare(db: Db): Promise<CareRow> {
  return db.selectFrom('backupCare').selectAll().executeTakeFirstOrThrow()
}

/** Whether something fails that the site does for its backups by itself. What failed elsewhere counts while that place is named. */
export async function hasFailed(db: Db, { isCopied }: { isCopied: boolean }) {
  const { nightFault, copyFault, trial } = await readCare(db)
  return Boolean(nightFault || (isCopied && copyFault) || faultFoundBy(trial))
}

export async function changeCare(db: Db, changes: Changes) {
  const written = Object.entries(changes).map(([column, value]) => [
    column,
    json.has(column) && value !== null ? JSON.stringify(value) : value,
  ])
  await db.updateTable('backupCare').set(Object.fromEntries(written)).execute()
}

/** Of a complete backup that was read again after it was made. */
export async function noteChecked(
  db: Db,
  { filename, sha256, checkedAt }: { filename: string; sha256: string; checkedAt: string },
) {
  await db.insertInto('knownBackups').values({ filename, sha256, checkedAt }).execute()
}

/** By their names. */
export async function listKnown(db: Db): Promise<ReadonlyMap<string, KnownBackupRow>> {
  const rows = await db.selectFrom('knownBackups').selectAll().execute()
  return new Map(rows.map((row) => [row.filename, row]))
}

/** Not while there is a copy of it elsewhere. */
export async function forgetBackup(db: Db, filename: string) {
  await db.deleteFrom('knownBackups').where('filename', '=', filename).where('copiedAt', 'is', null).execute()
}

/** When a copy elsewhere was read back; null when there is none any more. */
export async function noteCopied(db: Db, filename: string, copiedAt: string | null) {
  await db.updateTable('knownBackups').set({ copiedAt }).where('filename', '=', filename).execute()
}

/** When a copy elsewhere was last read back. */
export async function findLastCopy(db: Db) {
  const last = await db
    .selectFrom('knownBackups')
    .select('copiedAt')
    .where('copiedAt', 'is not', null)
    .orderBy('copiedAt', 'desc')
    .limit(1)
    .executeTakeFirst()
  return last?.copiedAt ?? null
}

/** A complete backup has left the machine. */
export async function markBackupTaken(db: Db, backupTakenAt: string) {
  await db.updateTable('site').set({ backupTakenAt }).execute()
}
