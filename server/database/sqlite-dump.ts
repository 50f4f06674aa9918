import { createReadStream, rmSync } from 'node:fs'
import { mkdir, readdir, rename, rm } from 'node:fs/promises'
import path from 'node:path'
import type { Readable } from 'node:stream'
import { DatabaseSync, type DatabaseSyncInstance } from '@photostructure/sqlite'
import { openUnfinished } from '../storage/unfinished.ts'
import { DumpFailed } from './dump-failed.ts'
import { forgetTheMoment } from './momentary.ts'

/** SQLite copies itself into a file only; the copy is read through, and then written where it belongs. */
export async function dumpSqlite(database: string, folder: string, write: (content: Readable) => Promise<void>) {
  const file = (await openUnfinished(folder)).newFile()
  try {
    copyInto(database, file)
    await write(createReadStream(file))
  } finally {
    await rm(file, { force: true })
  }
}

const copiesKept = 5

/** A copy of the database beside it, as it is before its tables are changed. The newest few are kept. */
export async function keepCopyBeforeUpdate(database: string, folder: string, now: Date) {
  await mkdir(folder, { recursive: true })
  const half = path.join(folder, 'unfinished')
  for (const leftover of [half, wholeOf(half)]) await rm(leftover, { force: true })
  copyInto(database, half)
  // Named like a database backup: npm run restore takes it.
  await rename(half, path.join(folder, `database_backup_${now.toISOString().replaceAll(':', '-')}.sqlite`))
  const copies = (await readdir(folder)).filter((name) => name.startsWith('database_backup_')).toSorted()
  for (const name of copies.slice(0, -copiesKept)) await rm(path.join(folder, name), { force: true })
}

/** Copied twice: what was deleted in the first copy has left no trace in the second. */
function copyInto(database: string, file: string) {
  const whole = wholeOf(file)
  try {
    vacuumInto(new DatabaseSync(database, { readOnly: true, timeout: 5_000 }), whole)
    const copy = new DatabaseSync(whole)
    // Half of it is thrown away: it needs no journal beside it.
    copy.exec('pragma journal_mode = memory')
    forgetTheMoment(copy)
    vacuumInto(copy, file)
  } finally {
    rmSync(whole, { force: true })
  }
  checkIntegrity(file)
}

function wholeOf(file: string) {
  return `${file}-whole`
}

function vacuumInto(database: DatabaseSyncInstance, file: string) {
  try {
    database.prepare('vacuum into ?').run(file)
  } finally {
    database.close()
  }
}

function checkIntegrity(file: string) {
  const copy = new DatabaseSync(file, { readOnly: true })
  try {
    const [found] = copy.prepare('pragma integrity_check').all() as { integrity_check?: string }[]
    if (found?.integrity_check !== 'ok') throw new DumpFailed('broken', `integrity_check: ${found?.integrity_check}`)
  } finally {
    copy.close()
  }
}
