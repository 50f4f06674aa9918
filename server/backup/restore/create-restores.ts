import type { WorkKind } from '#contract/backup-status.ts'
import { backupType } from '#contract/backups.ts'
import type { MergePreview, MergeSource, RestoredReport } from '#contract/restores.ts'
import type { BackupSecret } from '#server/config.ts'
import { Problem } from '#server/http/problem.ts'
import type { OpenFile } from '#server/storage/storage.ts'
import { openArchive, type PlacedPhoto } from '../archive/open-archive.ts'
import { backupsLock, findWorking } from '../backup-jobs.ts'
import { isBackupName, storedBackup } from '../backup-names.ts'
import { noProgress, type Progress } from '../job.ts'
import { describeMerge, putReportAway } from './last-merge.queries.ts'
import type { MergeMode } from './merge.rules.ts'
import { previewMerge } from './preview.ts'
import { type MergeParts, type MergeRequest, mergeExport, restoreArchive } from './restore.ts'
import { openSentFiles } from './sent-files.ts'
import { undoMerge } from './undo.ts'

type Parts = MergeParts & {
  /** Decrypts uploaded files. */
  secret: BackupSecret | undefined
  /** One thing at a time, in all processes. */
  exclusively<T>(kind: WorkKind, work: (progress: Progress) => Promise<T>, watch?: Progress): Promise<T>
}

type MergeInput = { source: MergeSource; mode: MergeMode; adminId: string }
type Opened = { file: OpenFile; filename: string; isArchive: boolean }

/** Previews, applies and undoes merges of files. */
export function createRestores({ exclusively, ...parts }: Parts) {
  const { database, storage, images, secret } = parts
  const sent = openSentFiles({ storage, secret })
  // The merge is committed: a storage that fails now must not turn the reply into a failure.
  const isKept = (filename: string) => storage.has(storedBackup(filename)).catch(() => false)
  const shown = { db: database.db, isKept }

  /** The photos of the archive that was previewed last: the panel then requests dozens of them. */
  let previewed: { source: string; photos: ReadonlyMap<string, PlacedPhoto> } | undefined
  function rememberPhotos(source: MergeSource, placed: readonly PlacedPhoto[]) {
    const photos = new Map(placed.filter(({ kind }) => kind === 'images').map((photo) => [photo.hash, photo]))
    previewed = { source: JSON.stringify(source), photos }
    return photos
  }

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
    const isArchive = filename.toLowerCase().endsWith('.zip')
    return use({ file, filename, isArchive }).finally(() => file.close())
  }

  async function mergeFile({ file, isArchive }: Pick<Opened, 'file' | 'isArchive'>, request: MergeRequest, progress: Progress) {
    const merged = await (isArchive ? restoreArchive : mergeExport)(file, request, parts, progress)
    return describeMerge(merged, shown)
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
      withSource(source, adminId, async (opened) => {
        const { preview, photos } = await previewMerge(opened, mode, parts)
        rememberPhotos(source, photos)
        return preview
      }),

    /** The same for a file that is open. */
    previewOpened: async (opened: Omit<Opened, 'filename'>, mode: MergeMode) =>
      (await previewMerge(opened, mode, parts)).preview,

    /** A photo of the archive, checked and made small: bytes of a file never reach the browser unchecked. */
    readPhoto: (source: MergeSource, { hash, adminId }: { hash: string; adminId: string }) =>
      withSource(source, adminId, async ({ file, isArchive }) => {
        if (!isArchive) throw new Problem('not_found')
        const isPreviewed = previewed?.source === JSON.stringify(source)
        const photos = isPreviewed && previewed ? previewed.photos : rememberPhotos(source, (await openArchive(file)).photos)
        const photo = photos.get(hash)
        if (!photo) throw new Problem('not_found')
        const content = await file.read(photo.start, photo.bytes)
        const judged = await images.judge(content)
        if (judged.hash !== hash) throw new Problem('image_broken')
        return images.makeSmall(content)
      }),

    apply: ({ source, mode, adminId, without }: MergeInput & { without: readonly number[] }): Promise<RestoredReport> =>
      exclusively(mode, async (progress) => {
        const report = await withSource(source, adminId, (opened) =>
          mergeFile(opened, { mode, filename: opened.filename, without: new Set(without) }, progress),
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
    ): Promise<RestoredReport> =>
      exclusively(mode, (progress) => mergeFile(opened, { mode, filename: opened.filename }, progress), watch),

    undo: (id: string): Promise<RestoredReport> =>
      exclusively('undo', async (progress) => describeMerge(await undoMerge(id, parts, progress), shown)),

    /** Refused while a merge or an undo runs. */
    async putAway(id: string) {
      const putAway = () => database.db.transaction().execute((tx) => putReportAway(tx, id))
      if (!(await database.unlessBusy(backupsLock, putAway))) throw new Problem('backup_in_progress')
    },
  }
}
