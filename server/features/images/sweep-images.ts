import type { FastifyBaseLogger } from 'fastify'
import type { Clock } from '#server/clock.ts'
import type { Database } from '#server/database/open.ts'
import { ranDaysBefore } from '#server/jobs/running-time.ts'
import type { Storage } from '#server/storage/storage.ts'
import { allVariants, hashIn, imageName, siteVariants, uploadName, variantName } from './image.rules.ts'
import { quarantine, strayFiles } from './image-quarantine.ts'
import * as images from './images.queries.ts'
import * as uploads from './images.queries.ts'

type Parts = { database: Database; storage: Storage; clock: Clock }

const daysUnreferenced = 30

/** What was uploaded and never finalized. */
export async function sweepUploads({ database: { db }, storage, clock }: Parts) {
  const yesterday = await ranDaysBefore(db, clock, 1)
  for (const id of await uploads.listTicketsExpiredBefore(db, yesterday.toISOString())) {
    await storage.remove(uploadName(id))
    await uploads.removeTicket(db, id)
  }
  // Uploads of a deleted account have no ticket any more.
  for (const { name, modifiedAt } of await storage.list('uploads')) if (modifiedAt < yesterday) await storage.remove(name)
}

/**
 * Images that nothing has shown for 30 days go into quarantine, with their variants. The days begin when a sweep first finds that
 * nothing shows an image, and begin anew when it is uploaded again: a form that is still open loses nothing.
 */
export async function sweepUnreferencedImages(parts: Parts) {
  const { database, clock } = parts
  await images.markUnreferenced(database.db, clock.now().toISOString())
  const before = (await ranDaysBefore(database.db, clock, daysUnreferenced)).toISOString()
  for (const hash of await images.listUnreferencedSince(database.db, before)) {
    const isRemoved = await database.exclusively(images.imagesLock, (tx) => images.removeUnreferenced(tx, hash, before))
    const copies = [...allVariants, ...siteVariants].map((variant) => variantName(hash, variant))
    // If it is uploaded at this moment, it is stored again, or released within the hour.
    if (isRemoved) await quarantine(parts, [imageName(hash), ...copies])
  }
}

/**
 * Files without an image in the database, left by a process that was killed between writing a file and its row. They are not
 * deleted: a wrong, new or damaged database does not have them either.
 */
export async function sweepStrayFiles(parts: Parts & { log: FastifyBaseLogger }) {
  const { database, storage, clock, log } = parts
  const files = [
    ...(await storage.list('objects')),
    ...(await storage.list('variants')),
    ...(await storage.list('inquiry-photos')),
  ]
  const needed = await images.listNeeded(database.db)
  const madeAt = await images.databaseMadeAt(database.db)
  const before = await ranDaysBefore(database.db, clock, 1)
  const { stray, untouched } = strayFiles({ files, needed, madeAt, before })
  if (untouched > 0)
    log.warn({ photos: untouched }, 'the storage has photos that are not in the database; they were not quarantined')
  for (const name of stray) {
    // It may have been uploaded since.
    if (!(await images.findImage(database.db, hashIn(name)))) await quarantine(parts, [name])
  }
}
