import path from 'node:path'
import type { WorkKind } from '#contract/backup-status.ts'
import type { BackupMaker, BackupType } from '#contract/backups.ts'
import type { ProblemCode } from '#contract/problems.ts'
import type { Clock } from '#server/clock.ts'
import type { BackupSecret } from '#server/config.ts'
import { DumpFailed, type DumpFault } from '#server/database/dump.ts'
import type { Database } from '#server/database/open.ts'
import { asDiskProblem, Problem } from '#server/http/problem.ts'
import { type Draft, type OpenFile, type Storage, sumOf } from '#server/storage/storage.ts'
import { type Images, openContactPhotos } from './archive/backup-photos.ts'
import { readArchive } from './archive/read-archive.ts'
import { writeArchive } from './archive/write-archive.ts'
import { countNamed, exportText, findReadable } from './archive/write-export.ts'
import { backupsLock, noProgress, type Progress, recordChecked, withStoredProgress } from './backup-jobs.ts'
import { backupName, isBackupName, listStoredBackups, storedBackup } from './backup-names.ts'
import { nightMargin, withLocalFile } from './disk-space.ts'
import { createRestores } from './restore/create-restores.ts'
import type { MergeMode } from './restore/merge.rules.ts'

type Parts = {
  database: Database
  storage: Storage
  clock: Clock
  images: Images
  /** Decrypts uploaded files. */
  secret?: BackupSecret | undefined
}

type Making = { progress?: Progress | undefined; madeBy?: BackupMaker; signal?: AbortSignal | undefined }

export type Backups = ReturnType<typeof createBackups>

/** Makes, lists, opens and checks backups, for the panel and the console. */
export function createBackups(parts: Parts) {
  const { database, storage, clock, images } = parts
  const { dialect } = database
  const photos = { images, inquiryPhotos: openContactPhotos({ database, storage, judge: images.judge }) }

  async function exclusively<T>(kind: WorkKind, work: (progress: Progress) => Promise<T>, watch = noProgress): Promise<T> {
    const run = await database
      .unlessBusy(backupsLock, () =>
        withStoredProgress(parts, kind, (show) =>
          work((...progress) => {
            show(...progress)
            watch(...progress)
          }),
        ),
      )
      .catch((error: unknown) => {
        throw asDiskProblem(error)
      })
    if (!run) throw new Problem('backup_in_progress')
    return run.done
  }

  async function keepUnderNewName(
    type: BackupType,
    about: { at: Date; madeBy?: BackupMaker; missingImages?: number; missingRecords?: number },
    keep: (name: string) => Promise<void>,
  ) {
    const filename = backupName(type, { ...about, dialect })
    await keep(storedBackup(filename)).catch((error: unknown) => {
      throw asUnwritableFolder(error)
    })
    return filename
  }

  async function withDraft<T>(work: (draft: Draft) => Promise<T>): Promise<T> {
    const draft = storage.newDraft()
    try {
      return await work(draft)
    } finally {
      await draft.drop()
    }
  }

  let exporting: Promise<unknown> = Promise.resolve()
  async function keepExport(madeBy: BackupMaker = 'person') {
    const now = clock.now()
    return withLocalFile(storage, async (file) => {
      const leftOut = await database.snapshot(async (tx) => {
        const readable = await findReadable(tx)
        await file.write(exportText(tx, now.toISOString(), readable))
        return readable.leftOut
      })
      const about = { at: now, madeBy, missingRecords: countNamed(leftOut) }
      return { filename: await keepUnderNewName('export', about, (name) => storage.put(name, file.read())), leftOut }
    })
  }

  const writeComplete = ({ madeBy, progress, without }: { madeBy: BackupMaker; progress: Progress; without: Set<string> }) =>
    withDraft(async (draft) => {
      const now = clock.now()
      const margin = madeBy === 'night' ? nightMargin : undefined
      const { sha256, ...written } = await writeArchive(draft, { database, storage, photos, now, progress, margin, without })
      const file = await draft.open()
      await readWhole(file, progress).catch((error: unknown) => {
        throw asOwnFault(error)
      })
      const { missingImages, missingRecords } = written
      const about = { at: now, madeBy, missingImages, missingRecords }
      const filename = await keepUnderNewName('complete', about, draft.keepAs)
      // Without the row it only does not count as checked; the nightly job checks it again.
      await recordChecked(database.db, { filename, sha256, checkedAt: clock.now().toISOString() }).catch(() => {})
      return { filename, bytes: file.bytes, ...written }
    })

  const readWhole = (file: OpenFile, progress: Progress) =>
    readArchive(file, { judge: images.judge, isNeeded: async () => false, progress }).finally(() => file.close())

  const restores = createRestores({ ...parts, exclusively, secret: parts.secret })

  return {
    list: () => listStoredBackups(storage, clock.now()),

    /** A listed backup as a stream; undefined when there is none of that name. */
    async read(filename: string) {
      return isBackupName(filename) ? storage.stream(storedBackup(filename)) : undefined
    },

    /** A listed backup for random access; undefined when there is none of that name. */
    async open(filename: string) {
      return isBackupName(filename) ? storage.open(storedBackup(filename)) : undefined
    },

    /** One after the other: each keeps a transaction open while it is written. */
    keepExport: () => {
      const keep = () => keepExport()
      const kept = exporting.then(keep, keep)
      exporting = kept
      return kept.catch((error: unknown) => {
        throw asDiskProblem(error)
      })
    },

    keepDatabase: () =>
      exclusively('database', () =>
        withDraft(async (draft) => {
          const now = clock.now()
          await database.dump(draft.write).catch((error: unknown) => {
            throw error instanceof DumpFailed ? new Problem(dumpProblems[error.fault], { cause: error }) : error
          })
          const { bytes, close } = await draft.open()
          await close()
          return { filename: await keepUnderNewName('database', { at: now }, draft.keepAs), bytes }
        }),
      ),

    /** Read again, and every sum compared, before it gets its name and is listed. The signal stops it at the next photo. */
    keepComplete: ({ progress: watch = noProgress, madeBy = 'person', signal }: Making = {}) =>
      exclusively(
        madeBy === 'night' ? 'night' : 'complete',
        async (show) => {
          const progress = untilStopped(signal, show)
          const without = new Set<string>()
          for (;;) {
            try {
              return await writeComplete({ madeBy, progress, without })
            } catch (error) {
              const damaged = damagedPhotoIn(error)
              // Only a nightly backup goes on without it: the panel shows an administrator whose photo it is.
              if (madeBy !== 'night' || !damaged || without.size === mostLeftOut) throw error
              without.add(damaged)
            }
          }
        },
        watch,
      ),

    /** Checks a backup that has no row yet, and records it; false where it is damaged. */
    recheckComplete: (filename: string, signal?: AbortSignal) =>
      exclusively('night', async (show) => {
        const name = storedBackup(filename)
        const file = await storage.open(name)
        if (!file) return false
        try {
          await readWhole(file, untilStopped(signal, show))
        } catch (error) {
          if (error instanceof Problem && error.code === 'archive_refused') return false
          throw error
        }
        await recordChecked(database.db, { filename, sha256: await sumOf(name, storage), checkedAt: clock.now().toISOString() })
        return true
      }),

    restores,

    /** Reads the file several times, and leaves it open. */
    mergeExport: (file: OpenFile, mode: MergeMode, { filename = 'export.json' } = {}) =>
      restores.mergeOpened({ file, filename }, mode),

    restoreComplete: (file: OpenFile, { progress = noProgress, filename = 'complete_backup.zip' } = {}) =>
      restores.mergeOpened({ file, filename }, 'restore', { progress }),
  }
}

function untilStopped(signal: AbortSignal | undefined, show: Progress): Progress {
  return (...at) => {
    signal?.throwIfAborted()
    show(...at)
  }
}

/** Names the folder: the rest of the site may be writable. */
function asUnwritableFolder(error: unknown) {
  const { code = '', dest, path: source = '' } = error as NodeJS.ErrnoException & { dest?: string }
  if (!['EROFS', 'EACCES', 'EPERM'].includes(code)) return error
  return new Problem('disk_read_only', { details: { folder: path.dirname(dest ?? source) }, cause: error })
}

/** Every damaged photo makes it write the archive again: with more than this it gives up. */
const mostLeftOut = 10

function damagedPhotoIn(error: unknown) {
  if (!(error instanceof Problem) || error.code !== 'stored_image_damaged') return undefined
  const { details } = error.cause as Problem<'archive_refused'>
  return details?.reason === 'photo_damaged' ? details.photo : undefined
}

/** The archive was written just now: its fault is one of the site, and not of an uploaded file. */
function asOwnFault(error: unknown) {
  if (!(error instanceof Problem)) return error
  const { details } = error as Problem<'archive_refused'>
  if (details?.reason !== 'photo_damaged') return new Problem('unexpected', { cause: error })
  const { reason: _reason, photo: _photo, ...owners } = details
  const hasOwner = 'sentBy' in owners || owners.projects.length > 0 || owners.site
  return new Problem('stored_image_damaged', { ...(hasOwner && { details: owners }), cause: error })
}

const dumpProblems: Record<DumpFault, ProblemCode> = {
  missing: 'pg_dump_missing',
  older: 'pg_dump_older',
  slow: 'pg_dump_slow',
  broken: 'database_backup_failed',
}
