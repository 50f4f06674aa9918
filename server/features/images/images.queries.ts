import { someAtATime } from '#server/database/slices.ts'
import type { Db, NewImage, UploadState } from '#server/database/tables.ts'
import { listPhotos } from '#server/features/images/project-photos.ts'
import { listSitePhotos } from '#server/features/images/site-photos.ts'

/** Held while rows of images are added or removed; never during a call to the storage, which may be slow. */
export const imagesLock = 'images'

/** An image that is uploaded again is needed again, though nothing may show it yet. */
export async function insertImages(db: Db, images: readonly NewImage[]) {
  for await (const some of someAtATime(images)) {
    await db
      .insertInto('images')
      .values(some)
      .onConflict((conflict) => conflict.column('hash').doUpdateSet({ unreferencedSince: null }))
      .execute()
  }
}

export function findImage(db: Db, hash: string) {
  return db.selectFrom('images').selectAll().where('hash', '=', hash).executeTakeFirst()
}

export async function listHashes(db: Db) {
  return (await db.selectFrom('images').select('hash').orderBy('hash').execute()).map(({ hash }) => hash)
}

export async function listContentTypes(db: Db) {
  const images = await db.selectFrom('images').select(['hash', 'contentType']).execute()
  return new Map(images.map(({ hash, contentType }) => [hash, contentType]))
}

/** Notes since when nothing shows an image, and clears that of images that are shown again. */
export async function markUnreferenced(db: Db, now: string) {
  const referenced = new Set(await listShown(db))
  const images = await db.selectFrom('images').select(['hash', 'unreferencedSince']).execute()
  for (const { hash, unreferencedSince } of images) {
    const since = referenced.has(hash) ? null : (unreferencedSince ?? now)
    if (since === unreferencedSince) continue
    await db.updateTable('images').set({ unreferencedSince: since }).where('hash', '=', hash).execute()
  }
}

export async function listUnreferencedSince(db: Db, moment: string) {
  const images = await db.selectFrom('images').select('hash').where('unreferencedSince', '<=', moment).execute()
  return images.map(({ hash }) => hash)
}

/** Whether it was removed; one that is shown again is not. */
export async function removeUnreferenced(db: Db, hash: string, moment: string) {
  if ((await listShown(db)).includes(hash)) return false
  const { numDeletedRows } = await db
    .deleteFrom('images')
    .where('hash', '=', hash)
    .where('unreferencedSince', '<=', moment)
    .executeTakeFirst()
  return numDeletedRows > 0n
}

/** The images that are shown: by projects, drafts and the trash among them, and by the page itself. */
export async function listShown(db: Db) {
  return [...new Set([...(await listPhotos(db)), ...(await listSitePhotos(db))])]
}

/** The images that are in the database, that are shown, or that a visitor has sent: never put into quarantine. */
export async function listNeeded(db: Db) {
  const sent = await db.selectFrom('contactPhotos').select('hash').distinct().execute()
  return new Set([...(await listHashes(db)), ...(await listShown(db)), ...sent.map(({ hash }) => hash)])
}

export async function databaseMadeAt(db: Db) {
  const { createdAt } = await db.selectFrom('site').select('createdAt').executeTakeFirstOrThrow()
  return new Date(createdAt)
}

export type Ticket = { id: string; adminId: string }

export async function insertTicket(db: Db, ticket: Ticket & { expiresAt: string }) {
  await db
    .insertInto('uploadTickets')
    .values({ ...ticket, state: 'open' })
    .execute()
}

export function findTicket(db: Db, { id, adminId }: Ticket) {
  return db.selectFrom('uploadTickets').selectAll().where('id', '=', id).where('adminId', '=', adminId).executeTakeFirst()
}

/** Whether it was still in that state: of several attempts at once, one succeeds. */
export async function claimTicket(db: Db, { id, adminId }: Ticket, from: UploadState, to: UploadState) {
  const { numUpdatedRows } = await db
    .updateTable('uploadTickets')
    .set({ state: to })
    .where('id', '=', id)
    .where('adminId', '=', adminId)
    .where('state', '=', from)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

export async function listTicketsExpiredBefore(db: Db, moment: string) {
  const tickets = await db.selectFrom('uploadTickets').select('id').where('expiresAt', '<', moment).execute()
  return tickets.map(({ id }) => id)
}

export async function removeTicket(db: Db, id: string) {
  await db.deleteFrom('uploadTickets').where('id', '=', id).execute()
}
