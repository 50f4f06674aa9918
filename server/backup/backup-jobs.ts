import type { BackupSettings, Working, WorkKind } from '#contract/backup-status.ts'
import type { Clock } from '#server/clock.ts'
import type { Database } from '#server/database/open.ts'
import type { BackupJobsRow, Db, KnownBackupRow } from '#server/database/tables.ts'
import { noFault, readJobs, writeJob } from '#server/jobs/jobs.ts'
import type { Progress } from './job.ts'
import { backupJobNames, isFailing } from './schedule.rules.ts'

/** Settings, the running job and the last merge: one row. */
export function readBackupJobs(db: Db): Promise<BackupJobsRow> {
  return db.selectFrom('backupCare').selectAll().executeTakeFirstOrThrow()
}

export async function updateBackupJobs(db: Db, { working, lastMerge, ...changes }: Partial<Omit<BackupJobsRow, 'id'>>) {
  await db
    .updateTable('backupCare')
    .set({
      ...changes,
      ...(working !== undefined && { working: working && JSON.stringify(working) }),
      ...(lastMerge !== undefined && { lastMerge: lastMerge && JSON.stringify(lastMerge) }),
    })
    .execute()
}

export async function updateBackupSettings(db: Db, { nightly, at, keep }: BackupSettings) {
  const { daily: keepDaily, weekly: keepWeekly, monthly: keepMonthly } = keep
  await updateBackupJobs(db, { nightly, at, keepDaily, keepWeekly, keepMonthly })
  // Otherwise the fault of a schedule that is off would be shown for ever.
  if (!nightly) await writeJob(db, 'nightly', noFault)
}

/** Whether the nightly backup, its off-site copy or the restore test fails. Copies count while a target is set. */
export async function hasBackupFault(db: Db, options: { isCopied: boolean }) {
  const rows = await readJobs(db)
  return backupJobNames.some((name) => isFailing(rows[name], options))
}

/** A complete backup was read again after it was made. */
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

/** One backup or restore at a time, in all processes: two restores at once would report each other's changes. */
export const backupsLock = 'backups'

/** In milliseconds. */
const writeEvery = 500

/** Runs the work and stores its progress in the database, where every process can read it. */
export async function withStoredProgress<T>(
  { database: { db }, clock }: { database: Database; clock: Clock },
  kind: WorkKind,
  work: (progress: Progress) => Promise<T>,
) {
  const startedAt = clock.now().toISOString()
  let writing: Promise<void> | undefined
  let writtenAt = performance.now()
  // Work goes on where its progress cannot be stored.
  const write = (working: Working | null) => updateBackupJobs(db, { working }).catch(() => {})
  await write({ kind, step: 'reading', done: 0, total: 0, startedAt })
  try {
    return await work((step, done, total) => {
      if (writing || performance.now() - writtenAt < writeEvery) return
      writtenAt = performance.now()
      // Not awaited: on SQLite the work itself may hold the database.
      writing = write({ kind, step, done, total, startedAt }).finally(() => {
        writing = undefined
      })
    })
  } finally {
    await writing
    await write(null)
  }
}

/** What some process is working at; null when none is. Clears what a killed process has left. */
export async function findWorking({ db, unlessBusy }: Database): Promise<Working | null> {
  const { working } = await readBackupJobs(db)
  if (!working) return null
  const left = await unlessBusy(backupsLock, () => updateBackupJobs(db, { working: null }))
  return left ? null : working
}

/** A complete backup has left the machine. */
export async function markBackupTaken(db: Db, backupTakenAt: string) {
  await db.updateTable('site').set({ backupTakenAt }).execute()
}
