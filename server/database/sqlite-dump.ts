import { createReadStream, statSync } from 'node:fs'
import { mkdir, readdir, rename, rm } from 'node:fs/promises'
import path from 'node:path'
import type { Readable } from 'node:stream'
import { DatabaseSync } from '@photostructure/sqlite'
import { freeBytesAt } from '../storage/disk.ts'
import { withUnfinished } from '../storage/unfinished.ts'
import { DatabaseUnusable } from './database-errors.ts'
import { clearTransientTables, DumpFailed } from './dump.ts'

/** SQLite can copy a database only into a file: it is checked there, and then written to its destination. */
export function dumpSqlite(database: string, folder: string, write: (content: Readable) => Promise<void>) {
  return withUnfinished(folder, async (file) => {
    copyInto(database, file)
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
    copyInto(database, file)
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

/** In one call that blocks: only programs without visitors do it, and a start. */
function copyInto(database: string, file: string) {
  const source = new DatabaseSync(database, { readOnly: true, timeout: 5_000 })
  source.prepare('vacuum into ?').run(file)
  source.close()
  const copy = new DatabaseSync(file)
  // Without a journal file: the copy is dropped when this fails.
  copy.exec('pragma journal_mode = memory')
  clearTransientTables(copy)
  // Deleted rows would still be readable in the file.
  copy.exec('vacuum')
  const [result] = copy.prepare('pragma integrity_check').all() as { integrity_check?: string }[]
  copy.close()
  if (result?.integrity_check !== 'ok')
    throw new DumpFailed('database_backup_failed', `integrity_check: ${result?.integrity_check}`)
}
