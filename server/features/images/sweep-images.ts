import { type Clock, daysBefore } from '#server/clock.ts'
import type { Database } from '#server/database/open.ts'
import type { Storage } from '#server/storage/storage.ts'
import { allVariants, hashIn, objectName, uploadName, variantName } from './image.rules.ts'
import * as images from './images.queries.ts'
import { imagesLock } from './store-image.ts'
import * as uploads from './uploads.queries.ts'

type Parts = { database: Database; storage: Storage; clock: Clock }

const daysUntilForgotten = 30

/** What was uploaded and never finalized. */
export async function sweepUploads({ database: { db }, storage, clock }: Parts) {
  const yesterday = daysBefore(clock.now(), 1)
  for (const id of await uploads.listTicketsExpiredBefore(db, yesterday.toISOString())) {
    await storage.remove(uploadName(id))
    await uploads.removeTicket(db, id)
  }
  // The tickets of a deleted account are gone, and what they brought is not.
  for (const { name, modifiedAt } of await storage.list('uploads')) if (modifiedAt < yesterday) await storage.remove(name)
}

/**
 * Photos that no project has shown for 30 days, with their copies. The days begin when a sweep first finds nothing that
 * refers to a photo, and begin anew when it is uploaded again: a form that is still open loses nothing.
 */
export async function sweepUnreferencedImages({ database, storage, clock }: Parts) {
  const now = clock.now()
  await images.markUnreferenced(database.db, now.toISOString())
  const before = daysBefore(now, daysUntilForgotten).toISOString()
  for (const hash of await images.listUnreferencedSince(database.db, before)) {
    await database.exclusively(imagesLock, async (tx) => {
      if (!(await images.removeUnreferenced(tx, hash, before))) return
      await storage.remove(objectName(hash))
      for (const variant of allVariants) await storage.remove(variantName(hash, variant))
    })
  }
}

/**
 * Files of no photo we know, as a process leaves them that is stopped between writing a file and writing it down. Looked at
 * again under the lock: the same photo may just have come once more.
 */
export async function sweepStrayFiles({ database, storage, clock }: Parts) {
  const yesterday = daysBefore(clock.now(), 1)
  for (const folder of ['objects', 'variants']) {
    const old = (await storage.list(folder)).filter(({ modifiedAt }) => modifiedAt < yesterday)
    const known = new Set(await images.listHashes(database.db))
    for (const { name } of old.filter((file) => !known.has(hashIn(file.name)))) {
      await database.exclusively(imagesLock, async (tx) => {
        if (!(await images.findImage(tx, hashIn(name)))) await storage.remove(name)
      })
    }
  }
}
