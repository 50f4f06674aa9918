import type { ActivityKind } from '#contract/activity.ts'
import type { WorkKind, WorkStep } from '#contract/backup-status.ts'
import { backupType } from '#contract/backups.ts'
import type { MergeSource } from '#contract/restores.ts'
import type { StoredMerge } from '#server/database/tables.ts'
import { type Doer, noteActivity } from '#server/features/activity/activity.queries.ts'
import { releaseNeeded } from '#server/features/images/image-quarantine.ts'
import { judgeImage } from '#server/features/images/image-tasks.ts'
import { asDiskProblem, Problem } from '#server/http/problem.ts'
import type { Storage } from '#server/storage/storage.ts'
import { type IncomingBackup, openBackupFile } from './archive/read-backup.ts'
import { isBackupName, storedBackup } from './backup-names.ts'
import { updateBackupState, withBackupsLock } from './backup-state.ts'
import { decryptedName, withPlainFile } from './encryption.ts'
import { checkIntegrity } from './integrity.ts'
import { type Job, type JobSource, noProgress, type Progress } from './job.ts'
import { type JobParts, makeComplete, makeDatabaseBackup, makeExport } from './make-backup.ts'
import { copyOffsite, openTarget } from './offsite-copies.ts'
import type { MergeMode } from './restore/merge.rules.ts'
import { previewMerge } from './restore/preview-merge.ts'
import { mergeBackup } from './restore/restore.ts'
import { sentFile } from './restore/sent-files.ts'
import { describeMerge, undoMerge } from './restore/undo.ts'
import { testRestore } from './restore-test.ts'

type JobOf<Kind extends WorkKind> = Job & { kind: Kind }
type Run<J extends Job> = (parts: JobParts, job: J, progress: Progress) => Promise<unknown>

const jobs = {
  database: async (parts, { by }, progress) => noteMade(parts, by, 'backup_made', await makeDatabaseBackup(parts, progress)),
  export: async (parts, { by }, progress) => noteMade(parts, by, 'data_exported', await makeExport(parts, progress)),
  complete: async (parts, { by }, progress) => noteMade(parts, by, 'backup_made', await makeComplete(parts, progress)),
  night: (parts, _job, progress) => makeComplete(parts, progress, 'night'),
  copy: async (parts, _job, progress) => {
    const { offsite } = parts.config
    if (offsite) await copyOffsite(parts, await openTarget(offsite), progress)
  },
  'restore-test': testRestore,
  integrity: (parts, _job, progress) => checkIntegrity(parts, progress),
  preview: (parts, { source, mode }, progress) =>
    withSource(source, parts, progress, (incoming) => previewMerge(incoming, mode, parts)),
  import: mergeFile,
  restore: mergeFile,
  undo: async (parts, { id, by }, progress) => {
    return reportOf(await undoMerge({ id, by }, parts, progress), parts)
  },
} satisfies { [Kind in WorkKind]: Run<JobOf<Kind>> }

export type ResultOf<J extends Job> = Awaited<ReturnType<(typeof jobs)[J['kind']]>>

/** `added` are the hashes of new photos. */
function mergeFile(parts: JobParts, { kind: mode, source, without, by }: JobOf<MergeMode>, progress: Progress) {
  return withSource(source, parts, progress, async (incoming, filename) => {
    const request = { mode, filename, without: new Set(without), by }
    const { merge, added } = await mergeBackup(incoming, request, parts, progress)
    return { report: await reportOf(merge, parts), added }
  })
}

/** It is committed: a photo that is shown again and stays in quarantine now is taken out by the next sweep. */
async function reportOf(merge: StoredMerge, parts: JobParts) {
  await releaseNeeded({ ...parts, encoder: { judge: judgeImage } }).catch(() => {})
  return describeMerge(parts.database.db, merge)
}

/** Nightly backups are the site's own, and not noted. */
async function noteMade<Made extends { filename: string }>(
  parts: JobParts,
  by: Doer | undefined,
  kind: ActivityKind,
  made: Made,
) {
  await noteActivity(parts.database.db, by, { kind, name: made.filename }, parts.clock.now())
  return made
}

/** Runs a job under the one lock of all of them, and stores its progress where every process can read it. */
export async function runJob<J extends Job>(parts: JobParts, job: J, watch: Progress = noProgress): Promise<ResultOf<J>> {
  const run = jobs[job.kind] as Run<Job>
  const { database } = parts
  const work = () => withStoredProgress(parts, job, watch, (progress) => run(parts, job, progress))
  try {
    return (await withBackupsLock(database, work)) as ResultOf<J>
  } catch (error) {
    const { status, code, details } = error as Partial<Problem>
    // The caller is told a sentence, and the log the exact cause.
    if (status === 422) parts.log.warn({ job: job.kind, code, details }, 'a file was refused')
    throw asDiskProblem(error)
  }
}

/** In milliseconds. */
const showEvery = 250

async function withStoredProgress<T>(
  { database: { db }, clock }: JobParts,
  job: Job,
  watch: Progress,
  work: (progress: Progress) => Promise<T>,
) {
  const begun = { kind: job.kind, step: 'reading' as WorkStep, done: 0, total: 0, startedAt: clock.now().toISOString() }
  let shown: WorkStep | undefined
  let shownAt = 0
  let storing: Promise<void> | undefined
  // Work goes on where its progress cannot be stored.
  await updateBackupState(db, { working: begun }).catch(() => {})
  try {
    return await work((step, done, total) => {
      if (step === shown && performance.now() - shownAt < showEvery) return
      shown = step
      shownAt = performance.now()
      watch(step, done, total)
      // One at a time, and not awaited: on SQLite the work itself may hold the database.
      storing ??= updateBackupState(db, { working: { ...begun, step, done, total } })
        .catch(() => {})
        .finally(() => {
          storing = undefined
        })
    })
  } finally {
    await storing
    await updateBackupState(db, { working: null }).catch(() => {})
  }
}

async function withSource<T>(
  source: JobSource,
  { config, storage }: JobParts,
  progress: Progress,
  use: (incoming: IncomingBackup, filename: string) => Promise<T>,
): Promise<T> {
  const { file, filename } = 'opened' in source ? { ...source, file: source.opened } : await openStored(source, storage)
  const parts = { storage, secret: config.backupSecret, progress }
  try {
    return await withPlainFile(file, parts, async (plain) => use(await openBackupFile(plain, filename), filename))
  } finally {
    // What the console has opened it closes itself.
    if (!('opened' in source)) await file.close().catch(() => {})
  }
}

async function openStored({ filename, upload }: MergeSource, storage: Storage) {
  const isRestorable = upload !== undefined || (isBackupName(filename) && backupType(filename) !== 'database')
  const file = isRestorable ? await storage.open(upload ? sentFile(upload) : storedBackup(filename)) : undefined
  if (!file) throw new Problem(upload ? 'backup_upload_not_found' : 'backup_not_found')
  return { file, filename: decryptedName(filename) }
}
