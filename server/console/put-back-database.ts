import { existsSync } from 'node:fs'
import { mkdir, rename } from 'node:fs/promises'
import path from 'node:path'
import { DatabaseSync } from '@photostructure/sqlite'
import { clearTransientTables } from '../database/dump.ts'
import { quickCheck } from '../database/sqlite.ts'
import { lockDataFolder } from '../start/data-folder.ts'
import { sync } from '../storage/folder.ts'
import { withUnfinished } from '../storage/unfinished.ts'

/** The main file first: without it nothing is taken for a database. */
const files = ['vitrina.sqlite', 'vitrina.sqlite-wal', 'vitrina.sqlite-shm']

/** Moves the present database out of the way, into a folder of its own; undefined when there is none. */
async function setDatabaseAside(dataDir: string, now: Date) {
  const present = files.filter((name) => existsSync(path.join(dataDir, name)))
  if (present.length === 0) return undefined
  const folder = path.join(dataDir, 'set-aside', now.toISOString().replaceAll(':', '-'))
  await mkdir(folder, { recursive: true })
  for (const name of present) await rename(path.join(dataDir, name), path.join(folder, name))
  return folder
}

/** Puts a whole database in the place of the present one, which is set aside; answers where that is now. */
export async function putInPlace(dataDir: string, database: string, now: Date) {
  const folder = await setDatabaseAside(dataDir, now)
  // Stopped between these two, the site has no database, does not start, and names the command that brings one back.
  await rename(database, path.join(dataDir, 'vitrina.sqlite'))
  return folder
}

/**
 * Goes back to a database backup, which `copyTo` lays into an empty folder as `vitrina.sqlite`, with its `-wal` if it has one.
 * Refused while the site runs.
 */
export async function putBackDatabase(dataDir: string, copyTo: (folder: string) => Promise<void>, now: Date) {
  const lock = lockDataFolder(dataDir)
  return withUnfinished(path.join(dataDir, 'unfinished'), async (folder) => {
    await mkdir(folder)
    await copyTo(folder)
    const copy = path.join(folder, 'vitrina.sqlite')
    quickCheck(copy)
    signEverybodyOut(copy)
    await sync(copy)
    return putInPlace(dataDir, copy, now)
  }).finally(lock.release)
}

/** Copies of older releases hold sessions, and so does a database that was set aside. All of it then lies in the main file. */
function signEverybodyOut(file: string) {
  const database = new DatabaseSync(file)
  clearTransientTables(database)
  database.exec('pragma wal_checkpoint(truncate)')
  database.close()
}
