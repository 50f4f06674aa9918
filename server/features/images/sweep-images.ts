import type { FastifyBaseLogger } from 'fastify'
import type { Clock } from '#server/clock.ts'
import type { Database } from '#server/database/open.ts'
import { ranDaysBefore } from '#server/jobs/running-time.ts'
import type { Storage } from '#server/storage/storage.ts'
import { allVariants, hashIn, imageName, siteVariants, uploadName, variantName } from './image.rules.ts'
import { setAside, strayFiles } from './image-quarantine.ts'
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
  // The tickets of a deleted account are gone, and what they brought is not.
  for (const { name, modifiedAt } of await storage.list('uploads')) if (modifiedAt < yesterday) await storage.remove(name)
}

/**
 * Images that nothing has shown for 30 days are set aside, with their variants. The days begin when a sweep first finds that
 * nothing shows an image, and begin anew when it is uploaded again: a form that is still open loses nothing.
 */
export async function sweepUnreferencedImages(parts: Parts) {
  const { database, clock } = parts
  await images.markUnreferenced(database.db, clock.now().toISOString())
  const before = (await ranDaysBefore(database.db, clock, daysUnreferenced)).toISOString()
  for (const hash of await images.listUnreferencedSince(database.db, before)) {
    const isRemoved = await database.exclusively(images.imagesLock, (tx) => images.removeUnreferenced(tx, hash, before))
    const copies = [...allVariants, ...siteVariants].map((variant) => variantName(hash, variant))
    // Uploaded again in this moment, it is stored again, or brought back within the hour.
    if (isRemoved) await setAside(parts, [imageName(hash), ...copies])
  }
}

/**
 * Files of no known image, left by a process that was killed between writing a file and its row. A database that is wrong,
 * new or damaged does not know them either, so nothing is ever deleted here.
 */
export async function sweepStrayFiles(parts: Parts & { log: FastifyBaseLogger }) {
  const { database, storage, clock, log } = parts
  const files = [
    ...(await storage.list('objects')),
    ...(await storage.list('variants')),
    ...(await storage.list('inquiry-photos')),
  ]
  const known = await images.listWanted(database.db)
  const madeAt = await images.databaseMadeAt(database.db)
  const before = await ranDaysBefore(database.db, clock, 1)
  const { stray, untouched } = strayFiles({ files, known, madeAt, before })
  if (untouched > 0)
    log.warn({ photos: untouched }, 'the storage holds photos the database does not know; they stay where they are')
  for (const name of stray) {
    // It may have been uploaded meanwhile.
    if (!(await images.findImage(database.db, hashIn(name)))) await setAside(parts, [name])
  }
}
