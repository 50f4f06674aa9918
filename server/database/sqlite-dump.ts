import { fork } from 'node:child_process'
import { once } from 'node:events'
import { createReadStream, statSync } from 'node:fs'
import { mkdir, readdir, rename, rm } from 'node:fs/promises'
import path from 'node:path'
import type { Readable } from 'node:stream'
import { ownProgram } from '../own-program.ts'
import { freeBytesAt } from '../storage/disk.ts'
import { withUnfinished } from '../storage/unfinished.ts'
import { DatabaseUnusable } from './database-errors.ts'
import { DumpFailed } from './dump.ts'

/** SQLite can copy a database only into a file: it is checked there, and then written to its destination. */
export function dumpSqlite(database: string, folder: string, write: (content: Readable) => Promise<void>) {
  return withUnfinished(folder, async (file) => {
    await copyInto(database, file)
    await write(createReadStream(file))
  })
}

const keptCopies = 5
/** For the copy, SQLite's temporary files, and the changed tables before they are in the main file. */
const roomForUpdate = 2.5
const roomForNewTables = 1_000_000

/** A copy of the database beside it, as it is before its tables are changed. The newest few are kept. */
export async function keepCopyBeforeUpdate(database: string, now: Date) {
  const dataDir = path.dirname(database)
  const folder = path.join(dataDir, 'before-update')
  await refuseWithoutRoom(database, dataDir)
  await mkdir(folder, { recursive: true })
  await withUnfinished(path.join(dataDir, 'unfinished'), async (file) => {
    await copyInto(database, file)
    // Named like a database backup: npm run restore takes it.
    await rename(file, path.join(folder, `database_backup_${now.toISOString().replaceAll(':', '-')}.sqlite`))
  })
  const copies = (await readdir(folder)).filter((name) => name.startsWith('database_backup_')).toSorted()
  for (const name of copies.slice(0, -keptCopies)) await rm(path.join(folder, name), { force: true })
}

async function refuseWithoutRoom(database: string, dataDir: string) {
  const bytes = [database, `${database}-wal`].map((file) => statSync(file, { throwIfNoEntry: false })?.size ?? 0)
  const needed = roomForUpdate * bytes.reduce((sum, each) => sum + each) + roomForNewTables
  const free = await freeBytesAt(dataDir)
  if (free >= needed) return
  const [neededMegabytes, freeMegabytes] = [Math.ceil(needed / 1_000_000), Math.floor(free / 1_000_000)]
  throw new DatabaseUnusable(
    'older',
    `The update of the database needs ${neededMegabytes} MB on the disk of ${dataDir}, and ${freeMegabytes} MB are free. ` +
      'Nothing was changed. Free some room and start again.',
  )
}

/** What is wrong with a copy, or why it could not be made. */
export type CopyOutcome = {
  fault?: string | undefined
  error?: { message: string; code?: string | undefined; errcode?: number | undefined }
}

async function copyInto(database: string, file: string) {
  const { file: program, execArgv = [] } = ownProgram('sqlite-copy')
  const child = fork(program, [database, file], { execArgv })
  const ended = once(child, 'exit').then(([code]): CopyOutcome => ({ error: { message: `The copying ended with ${code}.` } }))
  const answered = once(child, 'message').then(([outcome]) => outcome as CopyOutcome)
  const { fault, error } = await Promise.race([answered, ended])
  await ended
  if (error) throw Object.assign(new Error(error.message), error)
  if (fault) throw new DumpFailed('broken', fault)
}
