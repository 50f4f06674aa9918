import { existsSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import path from 'node:path'
import { systemClock as clock } from '../clock.ts'
import type { Config } from '../config.ts'
import { DatabaseUnusable } from '../database/database-errors.ts'
import { type Database, openDatabase } from '../database/open.ts'
import { lockDataFolder } from '../start/data-folder.ts'
import { isEmptySite } from '../start/lost-database.ts'
import { readStorageId, setSiteId } from '../start/site-id.ts'
import { openStorage } from '../storage/open-storage.ts'
import { withUnfinished } from '../storage/unfinished.ts'
import { openSite } from './backup-site.ts'
import { becomeOwnerOf } from './existing-site.ts'
import { putInPlace } from './put-back-database.ts'
import { restore } from './restore-backup.ts'
import { print } from './say.ts'
import { WrongUse } from './wrong-use.ts'

/** A new database for the files of a site that has lost its own. One that holds something is never replaced. */
export async function restoreIntoNewDatabase(config: Config, name: string) {
  if (config.databaseUrl) {
    await refuseUnlessEmpty(config)
    return restoreInto(config, await openDatabase({ url: config.databaseUrl, dataDir: config.dataDir }), name)
  }
  refuseWithoutFolder(config)
  becomeOwnerOf(config.dataDir)
  const lock = lockDataFolder(config.dataDir)
  // Made whole elsewhere and then put in its place: refused or stopped before that, nothing has changed.
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
  const found = await openDatabase(where).catch((error: unknown) => {
    if (error instanceof DatabaseUnusable && ['missing', 'damaged'].includes(error.reason)) return undefined
    throw error
  })
  if (!found) return
  const isEmpty = await isEmptySite(found.db).finally(found.close)
  if (!isEmpty) throw new WrongUse('There is a database already, and it holds something. Leave out --new-database.')
}

async function restoreInto(config: Config, database: Database, name: string) {
  const site = await openSite(config, { database, storage: await openStorage(config) })
  try {
    await restore(site, name)
    // Only now: with an id and nothing in it, it would be taken for a site that has just begun.
    const id = await readStorageId(site.storage)
    if (id) await setSiteId(database.db, id)
  } finally {
    await site.close()
  }
}

export function refuseWithoutFolder({ dataDir }: Config) {
  if (!existsSync(dataDir)) throw new WrongUse(`There is no folder ${dataDir}. Set DATA_DIR as it is set for the site.`)
}
