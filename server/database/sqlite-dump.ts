import { fork } from 'node:child_process'
import { once } from 'node:events'
import { createReadStream } from 'node:fs'
import { mkdir, readdir, rename, rm } from 'node:fs/promises'
import path from 'node:path'
import type { Readable } from 'node:stream'
import { ownProgram } from '../own-program.ts'
import { withUnfinished } from '../storage/unfinished.ts'
import { DumpFailed } from './dump-failed.ts'

/** SQLite copies itself into a file only; the copy is checked, and then written where it belongs. */
export function dumpSqlite(database: string, folder: string, write: (content: Readable) => Promise<void>) {
  return withUnfinished(folder, async (file) => {
    await copyInto(database, file)
    await write(createReadStream(file))
  })
}

const copiesKept = 5

/** A copy of the database beside it, as it is before its tables are changed. The newest few are kept. */
export async function keepCopyBeforeUpdate(database: string, folder: string, now: Date) {
  await mkdir(folder, { recursive: true })
  const half = path.join(folder, 'unfinished')
  await rm(half, { force: true })
  await copyInto(database, half)
  // Named like a database backup: npm run restore takes it.
  await rename(half, path.join(folder, `database_backup_${now.toISOString().replaceAll(':', '-')}.sqlite`))
  const copies = (await readdir(folder)).filter((name) => name.startsWith('database_backup_')).toSorted()
  for (const name of copies.slice(0, -copiesKept)) await rm(path.join(folder, name), { force: true })
}

/** What is wrong with a copy, or why there is none. */
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
