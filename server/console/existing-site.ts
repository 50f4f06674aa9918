import { existsSync, statSync } from 'node:fs'
import type { Config } from '../config.ts'
import { DatabaseUnusable } from '../database/database-errors.ts'
import { type Database, openDatabase } from '../database/open.ts'
import { followSettings } from '../features/settings/settings.queries.ts'
import { refuseForeignStorage } from '../start/site-id.ts'
import { openStorage } from '../storage/open-storage.ts'

/** Never makes a database: an empty one in a wrong folder would look like a lost site. */
export async function openExistingDatabase(config: Config): Promise<Database> {
  becomeOwnerOf(config.dataDir)
  try {
    return await openDatabase({ url: config.databaseUrl, dataDir: config.dataDir, asGuest: true })
  } catch (error) {
    if (!(error instanceof DatabaseUnusable) || error.reason !== 'missing') throw error
    const place = config.databaseUrl ? 'the database that DATABASE_URL names' : `the folder ${config.dataDir}`
    throw new DatabaseUnusable(
      'missing',
      `There is no site in ${place}, and only starting the site makes one. Nothing was changed.\n` +
        'Set DATA_DIR, DATABASE_URL and the settings that begin with S3_ as they are set for the site.',
    )
  }
}

/** A storage that is not `ours` is only read. */
export async function openExistingSite(config: Config, { ours = true } = {}) {
  const database = await openExistingDatabase(config)
  try {
    const storage = await openStorage(config, { ours })
    await refuseForeignStorage(database.db, storage)
    await followSettings(database.db, config)
    return { database, storage }
  } catch (error) {
    await database.close()
    throw error
  }
}

/** Run by root, a command continues as the owner of the folder: the site must be able to change the files it leaves. */
export function becomeOwnerOf(folder: string) {
  if (process.getuid?.() !== 0 || !existsSync(folder)) return
  const { uid, gid } = statSync(folder)
  if (uid === 0) return
  process.setgroups?.([gid])
  process.setgid?.(gid)
  process.setuid?.(uid)
}
