import { setTimeout as wait } from 'node:timers/promises'
import type { BackupSettings, Working } from '#contract/backup-status.ts'
import type { Database } from '#server/database/open.ts'
import type { BackupStateRow, Db, KnownBackupRow } from '#server/database/tables.ts'
import { Problem } from '#server/http/problem.ts'
import { noFault, withJson, writeJob } from '#server/jobs/jobs.ts'

/** One backup or restore at a time, in all processes: two restores at once would report each other's changes. */
export const backupsLock = 'backups'

/** Settings, the running job and the last merge: one row. */
export function readBackupState(db: Db): Promise<BackupStateRow> {
  return db.selectFrom('backupCare').selectAll().executeTakeFirstOrThrow()
}

export async function updateBackupState(db: Db, changes: Partial<Omit<BackupStateRow, 'id'>>) {
  await db.updateTable('backupCare').set(withJson(changes)).execute()
}

export async function updateBackupSettings(db: Db, { nightly, at, keep }: BackupSettings) {
  const { daily: keepDaily, weekly: keepWeekly, monthly: keepMonthly } = keep
  await updateBackupState(db, { nightly, at, keepDaily, keepWeekly, keepMonthly })
  // Otherwise the fault of a schedule that is off would be shown for ever.
  if (!nightly) await writeJob(db, 'nightly', noFault)
}

/** What some process is working at; null when none is. Clears what a killed process has left. */
export async function findWorking({ db, unlessBusy }: Database): Promise<Working | null> {
  const { working } = await readBackupState(db)
  if (!working) return null
  const left = await unlessBusy(backupsLock, () => updateBackupState(db, { working: null }))
  return left ? null : working
}

export async function recordChecked(db: Db, row: Omit<KnownBackupRow, 'copiedAt'>) {
  await db.insertInto('knownBackups').values(row).execute()
}

/** Backups that were read again after they were made, by name. */
export async function listCheckedBackups(db: Db): Promise<ReadonlyMap<string, KnownBackupRow>> {
  const rows = await db.selectFrom('knownBackups').selectAll().execute()
  return new Map(rows.map((row) => [row.filename, row]))
}

/** Keeps the row of a backup that has an off-site copy. */
export async function forgetBackup(db: Db, filename: string) {
  await db.deleteFrom('knownBackups').where('filename', '=', filename).where('copiedAt', 'is', null).execute()
}

/** When the off-site copy was read back; null when there is none any more. */
export async function recordCopied(db: Db, filename: string, copiedAt: string | null) {
  await db.updateTable('knownBackups').set({ copiedAt }).where('filename', '=', filename).execute()
}

/** The off-site target is another one. `stored` are the backups of the site; others were there only. */
export async function forgetCopies(db: Db, stored: readonly string[]) {
  await db.updateTable('knownBackups').set({ copiedAt: null }).execute()
  const rows = await db.selectFrom('knownBackups').select('filename').execute()
  for (const { filename } of rows.filter((row) => !stored.includes(row.filename))) await forgetBackup(db, filename)
  await writeJob(db, 'copy', noFault)
}

/** In milliseconds, and how often: the database may take a moment to notice that a worker was killed. */
const pause = 250
const mostTries = 12

/** Works under the one lock of all jobs; refuses where another goes on. */
export async function withBackupsLock<T>(database: Database, work: () => Promise<T>): Promise<T> {
  for (let tries = 0; tries < mostTries; tries += 1) {
    const turn = await database.unlessBusy(backupsLock, work)
    if (turn) return turn.done
    await wait(pause)
  }
  throw new Problem('backup_in_progress')
}
