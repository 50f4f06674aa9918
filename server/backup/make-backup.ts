import path from 'node:path'
import { Readable } from 'node:stream'
import type { FastifyBaseLogger } from 'fastify'
import type { BackupMaker, BackupType } from '#contract/backups.ts'
import type { ProblemCode } from '#contract/problems.ts'
import type { Clock } from '#server/clock.ts'
import type { Config } from '#server/config.ts'
import { DumpFailed, type DumpFault } from '#server/database/dump.ts'
import type { Database } from '#server/database/open.ts'
import { Problem } from '#server/http/problem.ts'
import { type Draft, type OpenFile, type Storage, sumOf } from '#server/storage/storage.ts'
import type { Images } from './archive/backup-photos.ts'
import { checkPhotos, openBackupFile } from './archive/read-backup.ts'
import { type WrittenArchive, writeArchive, writeExport } from './archive/write-backup.ts'
import { recordChecked } from './backup-jobs.ts'
import { backupName, storedBackup } from './backup-names.ts'
import { nightMargin } from './disk-space.ts'
import type { Progress } from './job.ts'

/** What every job is run with. */
export type JobParts = {
  config: Config
  database: Database
  storage: Storage
  clock: Clock
  log: FastifyBaseLogger
  images: Images
}

export type Made = Awaited<ReturnType<typeof makeComplete>>

export function makeDatabaseBackup(parts: JobParts, progress: Progress) {
  return withDraft(parts, async (draft) => {
    const at = parts.clock.now()
    let written = 0
    const watched = async function* (content: Readable) {
      for await (const chunk of content as AsyncIterable<Buffer>) {
        written += chunk.length
        progress('writing', written, 0)
        yield chunk
      }
    }
    await parts.database
      .dump((content) => draft.write(Readable.from(watched(content), { objectMode: false })))
      .catch((error: unknown) => {
        throw error instanceof DumpFailed ? new Problem(dumpProblems[error.fault], { cause: error }) : error
      })
    return { filename: await keep(draft, parts, 'database', { at }), bytes: written }
  })
}

const dumpProblems: Record<DumpFault, ProblemCode> = {
  missing: 'pg_dump_missing',
  older: 'pg_dump_older',
  slow: 'pg_dump_slow',
  broken: 'database_backup_failed',
}

export function makeExport(parts: JobParts) {
  return withDraft(parts, async (draft) => {
    const at = parts.clock.now()
    const { leftOut, missingRecords } = await writeExport(draft, parts, { now: at })
    return { filename: await keep(draft, parts, 'export', { at, missingRecords }), leftOut }
  })
}

type Making = { madeBy?: BackupMaker }

/** Read again, and every sum compared, before it gets its name and is listed. */
export async function makeComplete(parts: JobParts, { madeBy = 'person' }: Making, progress: Progress) {
  const first = await writeComplete(parts, { madeBy }, progress)
  if (!('damaged' in first)) return first
  // Only a nightly backup goes on without them: the panel shows an administrator whose photos they are.
  if (madeBy !== 'night') throw asDamaged(first.damaged)
  const second = await writeComplete(parts, { madeBy, without: first.damaged.hashes }, progress)
  if ('damaged' in second) throw asDamaged(second.damaged)
  return second
}

function asDamaged({ hashes, owners }: NonNullable<WrittenArchive['damaged']>) {
  return new Problem('stored_image_damaged', { details: { ...owners, photos: hashes.size } })
}

function writeComplete(
  parts: JobParts,
  { madeBy, without = new Set() }: Required<Making> & { without?: ReadonlySet<string> },
  progress: Progress,
) {
  return withDraft(parts, async (draft) => {
    const { database, clock } = parts
    const at = clock.now()
    const margin = madeBy === 'night' ? nightMargin : undefined
    const { sha256, damaged, ...written } = await writeArchive(draft, parts, { now: at, progress, margin, without })
    if (damaged) return { damaged }
    const file = await draft.open()
    await readWhole(file, parts, progress).catch((error: unknown) => {
      // It was written just now: its fault is one of the site, and not of an uploaded file.
      if (!(error instanceof Problem)) throw error
      throw new Problem(error.code === 'file_too_large' ? 'backup_too_large' : 'unexpected', { cause: error })
    })
    const { missingImages, missingRecords } = written
    const filename = await keep(draft, parts, 'complete', { at, madeBy, missingImages, missingRecords })
    // Without the row it only does not count as checked; the nightly job checks it again.
    await recordChecked(database.db, { filename, sha256, checkedAt: clock.now().toISOString() }).catch(() => {})
    return { filename, bytes: file.bytes, ...written }
  })
}

async function readWhole(file: OpenFile, { images: { judge } }: JobParts, progress: Progress) {
  try {
    const incoming = await openBackupFile(file, 'complete_backup.zip')
    await checkPhotos(incoming, { judge, isNeeded: async () => false, progress })
  } finally {
    await file.close()
  }
}

/** Checks a complete backup that has no row yet, and records it; false where it is damaged. */
export async function recheckComplete(parts: JobParts, filename: string, progress: Progress) {
  const { database, storage, clock } = parts
  const name = storedBackup(filename)
  const file = await storage.open(name)
  if (!file) return false
  try {
    await readWhole(file, parts, progress)
  } catch (error) {
    if (error instanceof Problem) return false
    throw error
  }
  await recordChecked(database.db, { filename, sha256: await sumOf(name, storage), checkedAt: clock.now().toISOString() })
  return true
}

type Named = Omit<Parameters<typeof backupName>[1], 'dialect'>

async function keep(draft: Draft, { database: { dialect } }: JobParts, type: BackupType, about: Named) {
  const filename = backupName(type, { ...about, dialect })
  await draft.keepAs(storedBackup(filename)).catch((error: unknown) => {
    throw asUnwritableFolder(error)
  })
  return filename
}

async function withDraft<T>({ storage }: JobParts, work: (draft: Draft) => Promise<T>): Promise<T> {
  const draft = storage.newDraft()
  try {
    return await work(draft)
  } finally {
    await draft.drop()
  }
}

/** Names the folder: the rest of the site may be writable. */
function asUnwritableFolder(error: unknown) {
  const { code = '', dest, path: source = '' } = error as NodeJS.ErrnoException & { dest?: string }
  if (!['EROFS', 'EACCES', 'EPERM'].includes(code)) return error
  return new Problem('disk_read_only', { details: { folder: path.dirname(dest ?? source) }, cause: error })
}
