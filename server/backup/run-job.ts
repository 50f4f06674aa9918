import type { MergePreview, MergeSource, RestoredReport } from '#contract/restores.ts'
import { asDiskProblem, Problem } from '#server/http/problem.ts'
import type { Storage } from '#server/storage/storage.ts'
import type { IncomingBackup } from './archive/read-backup.ts'
import { openBackupFile } from './archive/read-backup.ts'
import { backupsLock, withStoredProgress } from './backup-jobs.ts'
import { isBackupName, storedBackup } from './backup-names.ts'
import { withPlainFile } from './encryption.ts'
import { type Job, type JobSource, noProgress, type Progress, workKindOf } from './job.ts'
import { type JobParts, makeComplete, makeDatabaseBackup, makeExport } from './make-backup.ts'
import { makeNightly } from './nightly.ts'
import { copyOffsite, openTarget } from './offsite-copies.ts'
import { previewMerge } from './restore/preview-merge.ts'
import { mergeBackup } from './restore/restore.ts'
import { openUpload } from './restore/sent-files.ts'
import { describeMerge, undoMerge } from './restore/undo.ts'
import { testRestore } from './restore-test.ts'

const makers = { database: makeDatabaseBackup, export: makeExport, complete: makeCompleteForPerson }

function makeCompleteForPerson(parts: JobParts, progress: Progress) {
  return makeComplete(parts, {}, progress)
}

const jobs = {
  make: (parts: JobParts, { type }: JobOf<'make'>, progress: Progress) => makers[type](parts, progress),
  nightly: (parts: JobParts, { always }: JobOf<'nightly'>, progress: Progress) => makeNightly(parts, { always }, progress),
  copy: async (parts: JobParts, _job: JobOf<'copy'>, progress: Progress) => {
    const { offsite } = parts.config
    if (offsite) await copyOffsite(parts, await openTarget(offsite), progress)
  },
  'restore-test': (parts: JobParts, { filename }: JobOf<'restore-test'>, progress: Progress) =>
    testRestore(parts, { filename }, progress),
  preview: (parts: JobParts, { source, mode }: JobOf<'preview'>, progress: Progress): Promise<MergePreview> =>
    withSource(source, parts, progress, (incoming) => previewMerge(incoming, mode, parts)),
  /** `added` are the hashes of new photos. */
  restore: (parts: JobParts, { source, mode, without }: JobOf<'restore'>, progress: Progress) =>
    withSource(source, parts, progress, async (incoming, filename): Promise<{ report: RestoredReport; added: string[] }> => {
      const request = { mode, filename, without: new Set(without) }
      const { merge, added } = await mergeBackup(incoming, request, parts, progress)
      return { report: await describeMerge(parts.database.db, merge), added }
    }),
  undo: async (parts: JobParts, { id }: JobOf<'undo'>, progress: Progress): Promise<RestoredReport> =>
    describeMerge(parts.database.db, await undoMerge(id, parts, progress)),
}

type JobOf<Kind extends Job['kind']> = Extract<Job, { kind: Kind }>
export type ResultOf<J extends Job> = J extends { kind: 'make'; type: infer Type extends keyof typeof makers }
  ? Awaited<ReturnType<(typeof makers)[Type]>>
  : Awaited<ReturnType<(typeof jobs)[J['kind']]>>

/** Runs a job under the one lock of all of them, and stores its progress where every process can read it. */
export async function runJob<J extends Job>(parts: JobParts, job: J, watch: Progress = noProgress): Promise<ResultOf<J>> {
  const { database } = parts
  const run = jobs[job.kind] as (parts: JobParts, job: Job, progress: Progress) => Promise<ResultOf<J>>
  const turn = await database
    .unlessBusy(backupsLock, () =>
      withStoredProgress(parts, workKindOf(job), (show) =>
        run(parts, job, (...progress) => {
          show(...progress)
          watch(...progress)
        }),
      ),
    )
    .catch((error: unknown) => {
      throw asDiskProblem(error)
    })
  if (!turn) throw new Problem('backup_in_progress')
  return turn.done
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
    if (!('opened' in source)) await file.close()
  }
}

async function openStored(source: MergeSource, storage: Storage) {
  if ('upload' in source) return openUpload(source.upload, storage)
  const { filename } = source
  const file = isBackupName(filename) ? await storage.open(storedBackup(filename)) : undefined
  if (!file) throw new Problem('backup_not_found')
  return { file, filename }
}
