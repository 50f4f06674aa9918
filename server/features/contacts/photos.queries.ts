import { createHash } from 'node:crypto'
import { mostContactPhotos } from '#contract/contact-fields.ts'
import { daysBefore, hour } from '#server/clock.ts'
import { slice, someAtATime } from '#server/database/slices.ts'
import type { ContactPhotoRow, Db } from '#server/database/tables.ts'

/** Where visitors' photos are stored, which are not public. */
export const contactPhotosFolder = 'inquiry-photos'

export function contactPhotoName(hash: string) {
  return `${contactPhotosFolder}/${hash}`
}

/** How long a photo waits for its message. */
export const daysUnbound = 1

/** Only the hash is stored: the browser that sent the photo alone has the ticket. */
export function idOfTicket(ticket: string) {
  return createHash('sha256').update(ticket).digest('hex')
}

export async function insertPhoto(tx: Db, photo: Omit<ContactPhotoRow, 'contactId' | 'position'>) {
  await tx.insertInto('contactPhotos').values(photo).execute()
}

export async function insertContactPhotos(db: Db, photos: readonly ContactPhotoRow[]) {
  for await (const some of someAtATime(photos)) await db.insertInto('contactPhotos').values(some).execute()
}

/** Binds photos to the message they were sent with, each once; returns how many are missing. */
export async function bindPhotos(tx: Db, contactId: string, tickets: readonly string[], now: Date) {
  const ids = [...new Set(tickets)].map(idOfTicket)
  if (ids.length === 0) return 0
  const photos = tx.selectFrom('contactPhotos').select(['id', 'hash'])
  const bound = await photos.where('contactId', '=', contactId).execute()
  const sent = await photos.where('id', 'in', ids).execute()
  const hashes = new Set(bound.map(({ hash }) => hash))
  // The same message may be sent again: with the same tickets, or with new ones for the same photos.
  const there = new Set([...bound, ...sent.filter(({ hash }) => hashes.has(hash))].map(({ id }) => id))
  const since = daysBefore(now, daysUnbound).toISOString()
  let position = bound.length
  for (const id of ids) {
    if (there.has(id) || position >= mostContactPhotos) continue
    const { numUpdatedRows } = await tx
      .updateTable('contactPhotos')
      .set({ contactId, position })
      .where('id', '=', id)
      .where('contactId', 'is', null)
      .where('createdAt', '>', since)
      .executeTakeFirst()
    if (numUpdatedRows === 0n) continue
    position += 1
    there.add(id)
  }
  return ids.filter((id) => !there.has(id)).length
}

/** Photos of deleted messages: no ticket binds them any more, and the next sweep removes them. */
export async function leaveToSweep(tx: Db, photos: readonly { id: string }[]) {
  for await (const some of someAtATime(photos.map(({ id }) => id))) {
    await tx
      .updateTable('contactPhotos')
      .set({ createdAt: new Date(0).toISOString() })
      .where('id', 'in', some)
      .where('contactId', 'is', null)
      .execute()
  }
}

/** Some of those without a message; an hour after they can still be bound, because clocks differ. */
export function listUnbound(db: Db, since: Date) {
  return db
    .selectFrom('contactPhotos')
    .select(['id', 'hash'])
    .where('contactId', 'is', null)
    .where('createdAt', '<', new Date(since.getTime() - hour).toISOString())
    .limit(slice)
    .execute()
}

export async function removePhoto(db: Db, id: string) {
  await db.deleteFrom('contactPhotos').where('id', '=', id).execute()
}

/** Whether another photo has the same bytes, and so the same file. */
export async function hasOtherOf(db: Db, { id, hash }: Pick<ContactPhotoRow, 'id' | 'hash'>) {
  const other = await db
    .selectFrom('contactPhotos')
    .select('id')
    .where('hash', '=', hash)
    .where('id', '!=', id)
    .executeTakeFirst()
  return other !== undefined
}

/** One of a message, by the hash of its bytes. */
export function findPhoto(db: Db, hash: string) {
  return db
    .selectFrom('contactPhotos')
    .selectAll()
    .where('hash', '=', hash)
    .where('contactId', 'is not', null)
    .executeTakeFirst()
}

export async function sumBytes(db: Db) {
  const { bytes } = await db
    .selectFrom('contactPhotos')
    .select((photo) => photo.fn.sum<number | string | null>('bytes').as('bytes'))
    .executeTakeFirstOrThrow()
  return Number(bytes ?? 0)
}

/** The photos sent with each, in their order. */
export async function photosSentWith(db: Db, contactIds: readonly string[]) {
  const photos = new Map<string, ContactPhotoRow[]>(contactIds.map((id) => [id, []]))
  for await (const some of someAtATime(contactIds)) {
    const rows = await db
      .selectFrom('contactPhotos')
      .selectAll()
      .where('contactId', 'in', some)
      .orderBy('contactId')
      .orderBy('position')
      .orderBy('id')
      .execute()
    for (const row of rows) if (row.contactId) photos.get(row.contactId)?.push(row)
  }
  return photos
}
