import { randomUUID } from 'node:crypto'
import type { BackupType, ExportedData } from '#contract/backups.ts'
import type { ProblemCode } from '#contract/problems.ts'
import type { Clock } from '#server/clock.ts'
import { DumpFailed, type DumpFault } from '#server/database/dump-failed.ts'
import type { Database } from '#server/database/open.ts'
import type { Db } from '#server/database/tables.ts'
import { Problem } from '#server/http/problem.ts'
import type { Draft, OpenFile, Storage } from '#server/storage/storage.ts'
import * as queries from './backups.queries.ts'
import { checkImages, type JudgeImage } from './check-images.ts'
import { asDiskFull, ensureRoom } from './disk-room.ts'
import { exportOf, type Incoming, readExport } from './export.rules.ts'
import type { MergeMode } from './merge.rules.ts'
import { carryOut, changesNothing, planMerge, reportOf } from './merge-records.ts'
import { freeBackupName, isBackupName, newestFirst, notedName, storedBackup } from './names.rules.ts'
import { openArchive } from './open-archive.ts'
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
    /** Held while photos come or go. */
    lock: string
    /** Makes the smaller copies, when there is time. */
    prepare(hash: string): void
  }
  /** Visitors are to see what a merge has brought. */
  contentChanged(): void
}

export type Backups = ReturnType<typeof createBackups>

/** Everything that can be done with backups, for the page and for the console alike. */
export function createBackups({ database, storage, clock, images, contentChanged }: BackupParts) {
  const { db, dialect } = database
  let busy = false

  /**
   * One at a time, whichever process was asked: the machine may be small, and two answers at once would confuse the one who
   * asked.
   */
  async function alone<T>(work: () => Promise<T>): Promise<T> {
    if (busy) throw new Problem('backup_in_progress')
    busy = true
    try {
      const turn = await database.unlessBusy('backups', work)
      if (!turn) throw new Problem('backup_in_progress')
      return turn.done
    } catch (error) {
      throw asDiskFull(error)
    } finally {
      busy = false
    }
  }

  /**
   * Names are given one at a time, in whichever process: two of one second would overwrite each other. They are only noted
   * under the lock, for which others wait: a bucket may take minutes to copy a large backup to its name.
   */
  async function keepUnderNewName(type: BackupType, at: Date, keep: (name: string) => Promise<void>): Promise<string> {
    const filename = await database.exclusively('names of backups', () => noteNewName(type, at), { unhurried: true })
    try {
      await keep(storedBackup(filename))
      return filename
    } finally {
      // One that stays behind keeps nobody from anything, and is swept away.
      await storage.remove(notedName(filename)).catch(() => {})
    }
  }

  async function noteNewName(type: BackupType, at: Date) {
    // In this order: a name is taken from the notes once it is among the backups.
    const noted = (await storage.list('names')).map(({ name }) => name.slice('names/'.length))
    const kept = (await list()).map(({ filename }) => filename)
    const filename = freeBackupName(type, at, dialect, new Set([...noted, ...kept]))
    await storage.put(notedName(filename), Buffer.alloc(0))
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

  async function list() {
    const files = (await storage.list('backups')).map(({ name, bytes }) => ({ filename: name.slice('backups/'.length), bytes }))
    return files.filter(({ filename }) => isBackupName(filename)).toSorted((a, b) => newestFirst(a.filename, b.filename))
  }

  async function keepExport(): Promise<{ data: ExportedData; filename: string }> {
    const now = clock.now()
    const data = exportOf(await database.snapshot(queries.readRecords), now.toISOString())
    const content = Buffer.from(JSON.stringify(data, null, 2))
    return { data, filename: await keepUnderNewName('export', now, (name) => storage.put(name, content)) }
  }

  const writeRestorePoint = async () => (await keepExport()).filename

  async function mergeExport(incoming: Incoming, mode: MergeMode) {
    const newcomer = { newId: randomUUID, now: clock.now().toISOString() }
    const noImages = { added: 0, alreadyThere: 0 }
    const plan = await planMerge(db, incoming, mode, newcomer)
    if (changesNothing(plan)) return { ...reportOf(plan, noImages), restorePoint: null }
    const restorePoint = await writeRestorePoint()
    const merge = async (tx: Db) => {
      const current = await planMerge(tx, incoming, mode, newcomer)
      await carryOut(tx, current, [])
      return current
    }
    const done = await database.exclusively(images.lock, merge, { unhurried: true })
    contentChanged()
    return { ...reportOf(done, noImages), restorePoint }
  }

  return {
    list,

    /** A listed backup as a stream; undefined when there is none of that name. */
    async read(filename: string) {
      return isBackupName(filename) ? storage.stream(storedBackup(filename)) : undefined
    },

    keepExport: async () =>
      keepExport().catch((error: unknown) => {
        throw asDiskFull(error)
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
          return { filename: await keepUnderNewName('complete', now, draft.keepAs), bytes, ...written }
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
        const { newImages, ...report } = await restoreArchive(file, {
          database,
          storage,
          images,
          now,
          writeRestorePoint,
          progress,
        })
        if (report.restorePoint) contentChanged()
        for (const hash of newImages) images.prepare(hash)
        return report
      }),

    /** Reads all of it as a restore would, and changes nothing. */
    async verifyComplete(file: OpenFile, { progress = unwatched } = {}) {
      const archive = await openArchive(file)
      await checkImages(archive.images, () => true, images.judge, progress)
      return archive.manifest
    },

    verifyExport(data: unknown) {
      const { projects, contacts } = readExport(data)
      return { projects: projects.length, contacts: contacts.length }
    },
  }
}

const dumpProblems: Record<DumpFault, ProblemCode> = {
  missing: 'pg_dump_missing',
  older: 'pg_dump_older',
  slow: 'pg_dump_slow',
  broken: 'database_backup_failed',
}
