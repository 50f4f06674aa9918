import path from 'node:path'
import type { Readable } from 'node:stream'
import type { FastifyBaseLogger } from 'fastify'
import type { BackupMaker } from '#contract/backups.ts'
import type { Clock } from '#server/clock.ts'
import type { Config } from '#server/config.ts'
import { DumpFailed } from '#server/database/dump.ts'
import type { Database } from '#server/database/open.ts'
import { Problem } from '#server/http/problem.ts'
import { type Draft, reportBytes, type Storage } from '#server/storage/storage.ts'
import { writeArchive, writeExport } from './archive/write-backup.ts'
import { backupName, storedBackup } from './backup-names.ts'
import { recordChecked } from './backup-state.ts'
import { nightMargin, type Progress } from './job.ts'
import { pruneBackups } from './retention.ts'

/** What of a site tells how its backups are. */
export type BackupParts = { config: Config; database: Database; storage: Storage; clock: Clock }
/** What every job is run with. */
export type JobParts = BackupParts & { log: FastifyBaseLogger }

export function makeDatabaseBackup(parts: JobParts, progress: Progress) {
  return withDraft(parts, progress, async ({ draft, at, keepAs }) => {
    let bytes = 0
    const report = (written: number) => {
      bytes = written
      progress('writing', written, 0)
    }
    const write = (content: Readable) => draft.write(reportBytes(content, report))
    await parts.database.dump(write).catch((error: unknown) => {
      throw error instanceof DumpFailed ? new Problem(error.code, { cause: error }) : error
    })
    return { filename: await keepAs(backupName('database', { at, dialect: parts.database.dialect })), bytes }
  })
}

export function makeExport(parts: JobParts, progress: Progress) {
  return withDraft(parts, progress, async ({ draft, at, keepAs }) => {
    const { missingRecords, leftOut } = await writeExport(draft, parts, { now: at, progress })
    return { filename: await keepAs(backupName('export', { at, missingRecords })), leftOut }
  })
}

/** Read again, and every sum compared, before it gets its name and is listed. After a nightly one retention removes others. */
export function makeComplete(parts: JobParts, progress: Progress, madeBy: BackupMaker = 'person') {
  const { database, clock } = parts
  return withDraft(parts, progress, async ({ draft, at, keepAs }) => {
    const margin = madeBy === 'night' ? nightMargin : undefined
    const { sha256, ...written } = await writeArchive(draft, parts, { now: at, progress, margin })
    const filename = backupName('complete', { at, madeBy, ...written })
    // Before it has its name: one that is listed without its row would not be copied off-site.
    await recordChecked(database.db, { filename, sha256, checkedAt: clock.now().toISOString() })
    await keepAs(filename)
    if (madeBy === 'night') await pruneBackups(parts)
    return { filename, ...written }
  })
}

export type Made = Awaited<ReturnType<typeof makeComplete>>

type Work<T> = (making: { draft: Draft; at: Date; keepAs(filename: string): Promise<string> }) => Promise<T>

async function withDraft<T>({ storage, clock }: JobParts, progress: Progress, work: Work<T>): Promise<T> {
  const draft = storage.newDraft()
  const keepAs = async (filename: string) => {
    await draft
      .keepAs(storedBackup(filename), () => progress('writing', 0, 0))
      .catch((error: unknown) => {
        throw asUnwritableFolder(error)
      })
    return filename
  }
  try {
    return await work({ draft, at: clock.now(), keepAs })
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
