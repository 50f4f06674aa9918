import { randomInt, randomUUID } from 'node:crypto'
import type { BackupType, ExportedData } from '#contract/backups.ts'
import { hashesShown } from '#contract/image-addresses.ts'
import type { ProblemCode } from '#contract/problems.ts'
import type { Clock } from '#server/clock.ts'
import { DumpFailed, type DumpFault } from '#server/database/dump-failed.ts'
import type { Database } from '#server/database/open.ts'
import type { Db } from '#server/database/tables.ts'
import { asDiskProblem } from '#server/http/disk-problem.ts'
import { Problem } from '#server/http/problem.ts'
import type { Draft, OpenFile, Storage } from '#server/storage/storage.ts'
import { backupName, isBackupName, listStoredBackups, storedBackup } from './backup-names.ts'
import * as queries from './backups.queries.ts'
import type { JudgeImage } from './check-images.ts'
import { ensureRoom } from './disk-room.ts'
import { exportOf, type Incoming, readExport } from './export.rules.ts'
import type { MergeMode } from './merge.rules.ts'
import { carryOut, changesNothing, planMerge, reportOf } from './merge-records.ts'
import { unwatched } from './progress.ts'
import { readAgain } from './read-again.ts'
import { restoreArchive } from './restore-archive.ts'
import { writeArchive } from './write-archive.ts'

export type BackupParts = {
  database: Database
  storage: Storage
  clock: Clock
  images: {
    nameOf(hash: string): string
    judge: JudgeImage
    /** Held while what is known of photos comes or goes. */
    lock: string
    /** Makes the smaller copies, when there is time. */
    prepare(hash: string): void
    /** Brings back photos that were set aside and are shown again. */
    bringBack(): Promise<void>
  }
  /** Visitors are to see what a merge has brought. */
  contentChanged(): void
}

export type Backups = ReturnType<typeof createBackups>

/** Everything that can be done with backups, for the page and for the console alike. */
export function createBackups({ database, storage, clock, images, contentChanged }: BackupParts) {
  const { db, dialect } = database

  /**
   * One at a time, whichever process was asked: the machine may be small, and two answers at once would confuse the one who
   * asked.
   */
  async function alone<T>(work: () => Promise<T>): Promise<T> {
    const turn = await database.unlessBusy('backups', work).catch((error: unknown) => {
      throw asDiskProblem(error)
    })
    if (!turn) throw new Problem('backup_in_progress')
    return turn.done
  }

  async function keepUnderNewName(type: BackupType, at: Date, keep: (name: string) => Promise<void>, missingImages = 0) {
    const random = randomInt(36 ** 4)
      .toString(36)
      .padStart(4, '0')
    const filename = backupName(type, { at, dialect, random, missingImages })
    await keep(storedBackup(filename))
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

  async function keepExport(): Promise<{ data: ExportedData; filename: string }> {
    const now = clock.now()
    const data = exportOf(await database.snapshot(queries.readRecords), now.toISOString())
    const content = Buffer.from(JSON.stringify(data, null, 2))
    return { data, filename: await keepUnderNewName('export', now, (name) => storage.put(name, content)) }
  }

  const writeRestorePoint = async () => (await keepExport()).filename

  /** Photos these projects show and nobody has: only a complete backup brings photos. */
  async function withMissing<Report>(report: Report, { projects }: Incoming) {
    // What was merged is merged: a storage that fails now must not make the answer say that nothing was changed.
    await images.bringBack().catch(() => {})
    const files = await storage.list('objects').catch(() => undefined)
    const stored = files && new Set(files.map(({ name }) => name))
    const known = new Set(await queries.listImageHashes(db))
    const isThere = (hash: string) => known.has(hash) && (stored?.has(images.nameOf(hash)) ?? true)
    const shown = new Set(projects.flatMap(hashesShown))
    return { ...report, missingImages: [...shown].filter((hash) => !isThere(hash)).length }
  }

  async function mergeExport(incoming: Incoming, mode: MergeMode) {
    const newcomer = { newId: randomUUID, now: clock.now().toISOString() }
    const noImages = { added: 0, alreadyThere: 0 }
    const plan = await planMerge(db, incoming, mode, newcomer)
    if (changesNothing(plan)) return { ...(await withMissing(reportOf(plan, noImages), incoming)), restorePoint: null }
    const restorePoint = await writeRestorePoint()
    const merge = async (tx: Db) => {
      const current = await planMerge(tx, incoming, mode, newcomer)
      await carryOut(tx, current, [])
      return current
    }
    const done = await database.exclusively(images.lock, merge, { unhurried: true })
    contentChanged()
    return { ...(await withMissing(reportOf(done, noImages), incoming)), restorePoint }
  }

  return {
    list: () => listStoredBackups(storage),

    /** A listed backup as a stream; undefined when there is none of that name. */
    async read(filename: string) {
      return isBackupName(filename) ? storage.stream(storedBackup(filename)) : undefined
    },

    keepExport: async () =>
      keepExport().catch((error: unknown) => {
        throw asDiskProblem(error)
      }),

    keepDatabase: () =>
      alone(() =>
        withDraft(async (draft) => {
          const now = clock.now()
          await database.dump(draft.write).catch((error: unknown) => {
            throw error instanceof DumpFailed ? new Problem(dumpProblems[error.fault], { cause: error }) : error
          })
          const { bytes, close } = await draft.open()
          await close()
          return { filename: await keepUnderNewName('database', now, draft.keepAs), bytes }
        }),
      ),

    /** Listed only once it is whole: it is read again, and every sum compared, before it gets its name. */
    keepComplete: ({ progress = unwatched } = {}) =>
      alone(() =>
        withDraft(async (draft) => {
          const now = clock.now()
          const stored = await storage.list('objects')
          await ensureRoom(
            storage,
            stored.reduce((total, { bytes }) => total + bytes, 0),
          )
          const written = await writeArchive(draft, { database, storage, nameOfImage: images.nameOf, now, progress })
          const bytes = await readAgain(draft, images.judge, progress)
          const filename = await keepUnderNewName('complete', now, draft.keepAs, written.missingImages)
          return { filename, bytes, ...written }
        }),
      ),

    /** `restore` also brings changed projects back; `import` leaves them. */
    mergeExport: (data: unknown, mode: MergeMode) => {
      const incoming = readExport(data)
      return alone(() => mergeExport(incoming, mode))
    },

    /** A listed backup for reading here and there; undefined when there is none of that name. */
    async open(filename: string) {
      return isBackupName(filename) ? storage.open(storedBackup(filename)) : undefined
    },

    /** The file stays where it is, and open. */
    restoreComplete: (file: OpenFile, { progress = unwatched } = {}) =>
      alone(async () => {
        const now = clock.now()
        const { newImages, records, ...report } = await restoreArchive(file, {
          database,
          storage,
          images,
          now,
          writeRestorePoint,
          progress,
        })
        if (report.restorePoint) contentChanged()
        for (const hash of newImages) images.prepare(hash)
        return withMissing(report, records)
      }),
  }
}

const dumpProblems: Record<DumpFault, ProblemCode> = {
  missing: 'pg_dump_missing',
  older: 'pg_dump_older',
  slow: 'pg_dump_slow',
  broken: 'database_backup_failed',
}
