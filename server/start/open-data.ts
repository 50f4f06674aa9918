import path from 'node:path'
import type { FastifyBaseLogger } from 'fastify'
import { backupName, storedBackup } from '../backup/backup-names.ts'
import { systemClock as clock } from '../clock.ts'
import type { Config } from '../config.ts'
import { DatabaseUnusable } from '../database/database-errors.ts'
import { type Database, openDatabase } from '../database/open.ts'
import { asDiskProblem, Problem } from '../http/problem.ts'
import { openDiskReserve } from '../storage/disk.ts'
import { openStorage } from '../storage/open-storage.ts'
import type { Storage } from '../storage/storage.ts'
import { openUnfinished } from '../storage/unfinished.ts'
import { lockDataFolder, prepareDataFolder } from './data-folder.ts'
import { isEmptySite, refuseFirstStart, withCures } from './lost-database.ts'
import { claimStorage } from './site-id.ts'

/** Opens the data folder, the storage and the database, and updates the tables of an older release. */
export async function openData(config: Config, log: FastifyBaseLogger) {
  // With PostgreSQL and a bucket the data folder stays empty, and any number of processes may run.
  const hasFolder = config.databaseUrl === undefined || config.bucket === undefined
  const { readOnly, unwritable } = hasFolder ? prepareDataFolder(config.dataDir) : { readOnly: false, unwritable: undefined }
  if (unwritable) {
    const effect = readOnly ? 'the site is shown and nothing can be changed' : 'no backup can be made, and the rest works'
    log.warn({ folder: unwritable }, `the disk cannot be written to: ${effect}`)
  }
  const lock = hasFolder && !readOnly ? lockDataFolder(config.dataDir) : undefined
  if (lock) await openDiskReserve(config.dataDir).makeRoomForDeleting()
  const storage = await openStorage(config, { ours: !readOnly })
  const parts = { config, storage, log, readOnly }
  const database = await openSiteDatabase(parts).catch((error: unknown) => withCuresFor(error, parts))
  await claimStorage({
    db: database.db,
    storage,
    log,
    mayClaim: async () => {
      if (await isEmptySite(database.db)) await refuseFirstStart(parts)
    },
  }).catch((error: unknown) => withCuresFor(error, parts))
  if (!config.databaseUrl && !readOnly) (await openUnfinished(path.join(config.dataDir, 'unfinished'))).release()
  return { readOnly, lock, storage, database }
}

type Parts = { config: Config; storage: Storage; log: FastifyBaseLogger; readOnly: boolean }

/** Where the disk is too full to open the built-in database for writing, it is opened for reading: visitors see the site. */
async function openSiteDatabase({ config, storage, log, readOnly }: Parts) {
  const open = (settings: { readOnly: boolean }) =>
    openDatabase({
      url: config.databaseUrl,
      dataDir: config.dataDir,
      maxConnections: config.databaseConnections,
      onLost: (error) => log.warn({ err: error }, 'the database dropped an idle connection'),
      onOlder: (processes) =>
        log.warn(
          { processes },
          'processes of an older release use this database: stop them, what is saved through them may be refused',
        ),
      onNew: () => refuseFirstStart({ config, storage }),
      beforeUpdate: (dump) => keepBeforeUpdate({ storage, log }, dump),
      ...settings,
    })
  return open({ readOnly }).catch(async (error: unknown) => {
    if (readOnly || config.databaseUrl || !(asDiskProblem(error) instanceof Problem)) throw error
    const database = await open({ readOnly: true }).catch(() => {
      throw error
    })
    log.error(
      { err: error },
      'the disk is full: the site is shown, and nothing can be changed until there is room and a restart',
    )
    return database
  })
}

async function withCuresFor(error: unknown, parts: Parts): Promise<never> {
  throw error instanceof DatabaseUnusable ? await withCures(error, parts) : error
}

/** A database backup of PostgreSQL before an update. Where pg_dump is missing, the update goes on without one. */
export async function keepBeforeUpdate({ storage, log }: Pick<Parts, 'storage' | 'log'>, dump: Database['dump']) {
  const filename = backupName('database', { at: clock.now(), dialect: 'postgres' })
  const draft = storage.newDraft()
  try {
    await dump(draft.write)
    await draft.keepAs(storedBackup(filename))
    log.info({ filename }, 'database backup made before an update of the tables')
  } catch (error) {
    log.warn({ err: error }, 'no database backup could be made before an update of the tables')
  } finally {
    await draft.drop()
  }
}
