import { randomUUID } from 'node:crypto'
import type { FastifyBaseLogger } from 'fastify'
import type { Db } from '../database/tables.ts'
import type { Storage } from '../storage/storage.ts'

/** The file in the storage with the id of the database that its files belong to. */
const name = 'site-id'

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

export async function readSiteId(db: Db) {
  const { id } = await db.selectFrom('site').select('id').executeTakeFirstOrThrow()
  return id
}

/** Undefined where it is missing or damaged. */
export async function readStorageId(storage: Storage) {
  const text = (await storage.read(name))?.toString('utf8').trim() ?? ''
  return uuid.test(text) ? text : undefined
}

export async function writeStorageId(storage: Storage, id: string) {
  await storage.put(name, Buffer.from(`${id}\n`))
}

/** The photos and backups belong to another database than the one that was opened. */
export class StorageOfAnotherSite extends Error {
  constructor() {
    super(
      'Cannot start: the photos and backups in this place belong to another database than the one that was opened. Nothing was changed.\n' +
        'Check DATABASE_URL, DATA_DIR and the settings that begin with S3_: one of them names a part of another site.\n' +
        'A site is taken to another database or another bucket by npm run move; a new site needs an empty place.\n' +
        'If you are sure that they belong together, remove the file site-id beside the photos.',
    )
    this.name = 'StorageOfAnotherSite'
  }
}

/** Returns the id in the storage. */
export async function refuseForeignStorage(db: Db, storage: Storage) {
  const [own, stored] = [await readSiteId(db), await readStorageId(storage)]
  if (own && stored && own !== stored) throw new StorageOfAnotherSite()
  return stored
}

type Parts = {
  db: Db
  storage: Storage
  log: FastifyBaseLogger
  /** Called before a database without an id takes that of the storage; throws to refuse. */
  mayClaim(): Promise<void>
}

/**
 * Marks the storage as this database's own. Otherwise a new database, or one of another site, would quarantine the photos as
 * unknown files.
 */
export async function claimStorage({ db, storage, log, mayClaim }: Parts) {
  const stored = await refuseForeignStorage(db, storage)
  if (!(await readSiteId(db))) {
    await mayClaim().catch(async (error: unknown) => {
      // Another process has set the id meanwhile, and the files are its own.
      if (!(await readSiteId(db))) throw error
    })
    await setSiteId(db, stored ?? randomUUID())
  }
  const id = await readSiteId(db)
  if (!id || id === stored) return
  await writeStorageId(storage, id).catch((error: unknown) =>
    log.warn({ err: error }, 'the storage could not be marked as belonging to this site; the next start tries again'),
  )
}

/** Keeps an id that is set already: several processes may start at once. */
export async function setSiteId(db: Db, id: string) {
  await db.updateTable('site').set({ id }).where('id', 'is', null).execute()
}
