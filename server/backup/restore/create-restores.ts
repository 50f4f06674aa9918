import type { WorkKind } from '#contract/backup-status.ts'
import { backupType } from '#contract/backups.ts'
import type { MergePreview, MergeSource, RestoredReport } from '#contract/restores.ts'
import type { BackupSecret } from '#server/config.ts'
import { Problem } from '#server/http/problem.ts'
import type { OpenFile } from '#server/storage/storage.ts'
import { backupsLock, findWorking } from '../backup-jobs.ts'
import { isBackupName, storedBackup } from '../backup-names.ts'
import { noProgress, type Progress } from '../job.ts'
import { describeMerge, putReportAway } from './last-merge.queries.ts'
import type { MergeMode } from './merge.rules.ts'
import { previewMerge } from './preview.ts'
import { type MergeParts, mergeBackup } from './restore.ts'
import { withIncoming } from './scaffold-incoming.ts'
import { openSentFiles } from './sent-files.ts'
import { undoMerge } from './undo.ts'

type Parts = MergeParts & {
  /** Decrypts uploaded files. */
  secret: BackupSecret | undefined
  /** One thing at a time, in all processes. */
  exclusively<T>(kind: WorkKind, work: (progress: Progress) => Promise<T>, watch?: Progress): Promise<T>
}

type MergeInput = { source: MergeSource; mode: MergeMode; adminId: string }
type Opened = { file: OpenFile; filename: string }

/** Previews, applies and undoes merges of files. */
export function createRestores({ exclusively, ...parts }: Parts) {
  const { database, storage, images, secret } = parts
  const sent = openSentFiles({ storage, secret })
  async function refuseWhileBusy() {
    if (await findWorking(database)) throw new Problem('backup_in_progress')
  }

  async function openListed(filename: string) {
    const isRestorable = isBackupName(filename) && backupType(filename) !== 'database'
    const file = isRestorable ? await storage.open(storedBackup(filename)) : undefined
    if (!file) throw new Problem('backup_not_found')
    return { file, filename }
  }

  async function withSource<T>(source: MergeSource, adminId: string, use: (opened: Opened) => Promise<T>) {
    const { file, filename } = 'upload' in source ? await sent.open(source.upload, adminId) : await openListed(source.filename)
    return use({ file, filename }).finally(() => file.close())
  }

  async function mergeFile(
    { file, filename }: Opened,
    request: { mode: MergeMode; without?: ReadonlySet<number> },
    progress: Progress,
  ) {
    const { merge, added } = await withIncoming(file, filename, parts, (incoming) =>
      mergeBackup(incoming, { ...request, filename }, parts, progress),
    )
    for (const hash of added) images.prepareVariants(hash)
    return describeMerge(database.db, merge)
  }

  return {
    sent: {
      ...sent,
      /** Refuses before the first byte instead of after gigabytes. */
      async begin(file: Parameters<typeof sent.begin>[0]) {
        if (!/\.(zip|json)(\.age)?$/i.test(file.filename)) throw new Problem('zip_expected')
        await refuseWhileBusy()
        return sent.begin(file)
      },
    },

    preview: ({ source, mode, adminId }: MergeInput): Promise<MergePreview> =>
      withSource(source, adminId, ({ file, filename }) =>
        withIncoming(file, filename, parts, (incoming) => previewMerge(incoming, mode, parts)),
      ),

    /** The same for a file that is open. */
    previewOpened: ({ file, filename }: Opened, mode: MergeMode) =>
      withIncoming(file, filename, parts, (incoming) => previewMerge(incoming, mode, parts)),

    apply: ({ source, mode, adminId, without }: MergeInput & { without: readonly number[] }): Promise<RestoredReport> =>
      exclusively(mode, async (progress) => {
        const report = await withSource(source, adminId, (opened) =>
          mergeFile(opened, { mode, without: new Set(without) }, progress),
        )
        // One that stays is swept later.
        if ('upload' in source) await sent.drop(source.upload, adminId).catch(() => {})
        return report
      }),

    refuseWhileBusy,

    /** A file that is open. */
    mergeOpened: (
      opened: Opened,
      mode: MergeMode,
      { progress: watch = noProgress }: { progress?: Progress | undefined } = {},
    ): Promise<RestoredReport> => exclusively(mode, (progress) => mergeFile(opened, { mode }, progress), watch),

    undo: (id: string): Promise<RestoredReport> =>
      exclusively('undo', async (progress) => describeMerge(database.db, await undoMerge(id, parts, progress))),

    /** Refused while a merge or an undo runs. */
    async putAway(id: string) {
      const putAway = () => database.db.transaction().execute((tx) => putReportAway(tx, id))
      if (!(await database.unlessBusy(backupsLock, putAway))) throw new Problem('backup_in_progress')
    },
  }
}
