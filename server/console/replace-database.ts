import { existsSync } from 'node:fs'
import { mkdir, rename } from 'node:fs/promises'
import path from 'node:path'
import { DatabaseSync } from '@photostructure/sqlite'
import { systemClock as clock } from '../clock.ts'
import type { Config } from '../config.ts'
import { DatabaseUnusable } from '../database/database-errors.ts'
import { clearTransientTables } from '../database/dump.ts'
import { type Database, openDatabase } from '../database/open.ts'
import { quickCheck } from '../database/sqlite.ts'
import { lockDataFolder } from '../start/data-folder.ts'
import { isEmptySite } from '../start/lost-database.ts'
import { readStorageId, setSiteId } from '../start/site-id.ts'
import { sync } from '../storage/folder.ts'
import { openStorage } from '../storage/open-storage.ts'
import { withUnfinished } from '../storage/unfinished.ts'
import { WrongUse } from './args.ts'
import { becomeOwnerOf } from './existing-site.ts'
import { openSite } from './open-backup.ts'
import { print } from './output.ts'
import { restore } from './restore-backup.ts'

/** A new database for the files of a site that has lost its own. Never replaces one that is not empty. */
export async function restoreIntoNewDatabase(config: Config, name: string) {
  if (config.databaseUrl) {
    await refuseUnlessEmpty(config)
    return restoreInto(config, await openDatabase({ url: config.databaseUrl, dataDir: config.dataDir }), name)
  }
  refuseWithoutFolder(config)
  becomeOwnerOf(config.dataDir)
  const lock = lockDataFolder(config.dataDir)
  // Made in a folder of its own and then moved: refused or stopped before that, nothing has changed.
  await withUnfinished(path.join(config.dataDir, 'unfinished'), async (folder) => {
    await refuseUnlessEmpty(config)
    await mkdir(folder)
    await restoreInto(config, await openDatabase({ dataDir: folder }), name)
    const left = await putInPlace(config.dataDir, path.join(folder, 'vitrina.sqlite'), clock.now())
    if (left) print(`What was left of the database is kept in: ${left}`)
  }).finally(lock.release)
}

async function refuseUnlessEmpty(config: Config) {
  const where = { url: config.databaseUrl, dataDir: config.dataDir, asGuest: true }
  const database = await openDatabase(where).catch((error: unknown) => {
    if (error instanceof DatabaseUnusable && ['missing', 'damaged'].includes(error.reason)) return undefined
    throw error
  })
  if (!database) return
  const isEmpty = await isEmptySite(database.db).finally(database.close)
  if (!isEmpty) throw new WrongUse('There is a database already, and it holds something. Leave out --new-database.')
}

async function restoreInto(config: Config, database: Database, name: string) {
  const site = await openSite(config, { database, storage: await openStorage(config) })
  try {
    await restore(site, name)
    // Last: an empty database with an id would be taken for a new site.
    const id = await readStorageId(site.storage)
    if (id) await setSiteId(database.db, id)
  } finally {
    await site.close()
  }
}

export function refuseWithoutFolder({ dataDir }: Config) {
  if (!existsSync(dataDir)) throw new WrongUse(`There is no folder ${dataDir}. Set DATA_DIR as it is set for the site.`)
}

/** The main file first: without it the others are not opened as a database. */
const files = ['vitrina.sqlite', 'vitrina.sqlite-wal', 'vitrina.sqlite-shm']

/** Moves the present database into a folder of its own; undefined when there is none. */
async function moveDatabaseAway(dataDir: string, now: Date) {
  const present = files.filter((name) => existsSync(path.join(dataDir, name)))
  if (present.length === 0) return undefined
  const folder = path.join(dataDir, 'set-aside', now.toISOString().replaceAll(':', '-'))
  await mkdir(folder, { recursive: true })
  for (const name of present) await rename(path.join(dataDir, name), path.join(folder, name))
  return folder
}

/** Replaces the present database with a whole one; returns the folder of the former. */
async function putInPlace(dataDir: string, database: string, now: Date) {
  const folder = await moveDatabaseAway(dataDir, now)
  // Stopped between these two, there is no database: the site does not start, and names the command that restores one.
  await rename(database, path.join(dataDir, 'vitrina.sqlite'))
  return folder
}

/**
 * Goes back to a database backup, which `copyTo` writes into an empty folder as `vitrina.sqlite`, with its `-wal` if it has
 * one. Refused while the site runs.
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

/** Backups of older releases and replaced databases hold sessions. The checkpoint leaves everything in the main file. */
function signEverybodyOut(file: string) {
  const database = new DatabaseSync(file)
  clearTransientTables(database)
  database.exec('pragma wal_checkpoint(truncate)')
  database.close()
}
