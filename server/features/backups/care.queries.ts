import type { CareRow, Db } from '#server/database/tables.ts'

type Changes = Partial<Omit<CareRow, 'id'>>

const json = new Set(['nightFault', 'copyFault', 'trial', 'working', 'lastMerge'])

/** How the site looks after its backups, and how that went. */
export function readCare(db: Db): Promise<CareRow> {
  return db.selectFrom('backupCare').selectAll().executeTakeFirstOrThrow()
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
