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
import { backupsLock, noteChecked, type Progress, unwatched, whileShown } from './backup-jobs.ts'
import { backupName, isBackupName, listStoredBackups, storedBackup } from './backup-names.ts'
import { nightMargin, withLocalFile } from './disk-space.ts'
import { createRestores } from './restore/create-restores.ts'
import type { MergeMode } from './restore/merge.rules.ts'

type Parts = {
  database: Database
  storage: Storage
  clock: Clock
  images: Images
  /** With what files that come encrypted are opened. */
  secret?: BackupSecret | undefined
}

type Making = { progress?: Progress | undefined; madeBy?: BackupMaker; signal?: AbortSignal | undefined }

export type Backups = ReturnType<typeof createBackups>

/** Everything that can be done with backups, for the page and for the console alike. */
export function createBackups(parts: Parts) {
  const { database, storage, clock, images } = parts
  const { dialect } = database
  const photos = { images, inquiryPhotos: openContactPhotos({ database, storage, judge: images.judge }) }

  async function exclusively<T>(kind: WorkKind, work: (progress: Progress) => Promise<T>, watch = unwatched): Promise<T> {
    const turn = await database
      .unlessBusy(backupsLock, () =>
        whileShown(parts, kind, (show) =>
          work((...progress) => {
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
        throw asFaultOfOurs(error)
      })
      const { missingImages, missingRecords } = written
      const about = { at: now, madeBy, missingImages, missingRecords }
      const filename = await keepUnderNewName('complete', about, draft.keepAs)
      // It is there and whole; without the note it only does not count as checked.
      await noteChecked(database.db, { filename, sha256, checkedAt: clock.now().toISOString() }).catch(() => {})
      return { filename, bytes: file.bytes, ...written }
    })

  const readWhole = (file: OpenFile, progress: Progress) =>
    readArchive(file, { judge: images.judge, isWanted: async () => false, progress }).finally(() => file.close())

  const keepRestorePoint = async () => (await keepExport('restore')).filename
  const restores = createRestores({ ...parts, photos, keepRestorePoint, exclusively, secret: parts.secret })

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

    /** One after the other: each holds on to the database while it is written. */
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

    /** Listed only once it is whole: it is read again, and every sum compared, before it gets its name. Given up with the next photo after the signal. */
    keepComplete: ({ progress: watch = unwatched, madeBy = 'person', signal }: Making = {}) =>
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
              // A person is told whose it is. At night nobody is there, and everything else must be backed up.
              if (madeBy !== 'night' || !damaged || without.size === mostLeftOut) throw error
              without.add(damaged)
            }
          }
        },
        watch,
      ),

    /** Whether a backup that was made and not noted is as it should be. Then it is noted. */
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
        await noteChecked(database.db, { filename, sha256: await sumOf(name, storage), checkedAt: clock.now().toISOString() })
        return true
      }),

    restores,

    /** The file is read several times, and stays open. */
    mergeExport: (file: OpenFile, mode: MergeMode, { filename = 'export.json' } = {}) =>
      restores.merge({ file, filename, isArchive: false }, mode),

    restoreComplete: (file: OpenFile, { progress = unwatched, filename = 'complete_backup.zip' } = {}) =>
      restores.merge({ file, filename, isArchive: true }, 'restore', { progress }),
  }
}

function untilStopped(signal: AbortSignal | undefined, show: Progress): Progress {
  return (...at) => {
    signal?.throwIfAborted()
    show(...at)
  }
}

/** The rest of the site may well be writable, so the sentence names the folder. */
function asUnwritableFolder(error: unknown) {
  const { code = '', dest, path: source = '' } = error as NodeJS.ErrnoException & { dest?: string }
  if (!['EROFS', 'EACCES', 'EPERM'].includes(code)) return error
  return new Problem('disk_read_only', { details: { folder: path.dirname(dest ?? source) }, cause: error })
}

/** So many damaged photos are no accident any more: with each of them everything is written again. */
const mostLeftOut = 10

function damagedPhotoIn(error: unknown) {
  if (!(error instanceof Problem) || error.code !== 'stored_image_damaged') return undefined
  const { details } = error.cause as Problem<'archive_refused'>
  return details?.reason === 'photo_damaged' ? details.photo : undefined
}

/** The archive was written just now: what is wrong with it is no fault of a file that a person chose. */
function asFaultOfOurs(error: unknown) {
  if (!(error instanceof Problem)) return error
  const { details } = error as Problem<'archive_refused'>
  if (details?.reason !== 'photo_damaged') return new Problem('unexpected', { cause: error })
  const { reason: _reason, photo: _photo, ...owners } = details
  const isKnown = 'sentBy' in owners || owners.projects.length > 0 || owners.site
  return new Problem('stored_image_damaged', { ...(isKnown && { details: owners }), cause: error })
}

const dumpProblems: Record<DumpFault, ProblemCode> = {
  missing: 'pg_dump_missing',
  older: 'pg_dump_older',
  slow: 'pg_dump_slow',
  broken: 'database_backup_failed',
}
