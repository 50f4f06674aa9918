import { someAtATime } from './slices.ts'
import type { ContactPhotoRow, ContactReplyRow, Db, NewContactMessage } from './tables.ts'

/** A message is a row, its replies and its photos. */
export async function insertContacts(db: Db, contacts: readonly NewContactMessage[]) {
  for await (const some of someAtATime(contacts)) await db.insertInto('contactMessages').values(some).execute()
}

/** Those whose ids nobody has yet. */
export async function insertReplies(db: Db, replies: readonly ContactReplyRow[]) {
  for await (const some of someAtATime(replies)) {
    await db
      .insertInto('contactReplies')
      .values(some)
      .onConflict((conflict) => conflict.column('id').doNothing())
      .execute()
  }
}

export async function insertContactPhotos(db: Db, photos: readonly ContactPhotoRow[]) {
  for await (const some of someAtATime(photos)) await db.insertInto('contactPhotos').values(some).execute()
}

/** Where visitors' photos are. Never among what anybody may fetch. */
export const contactPhotosFolder = 'inquiry-photos'

export function contactPhotoName(hash: string) {
  return `${contactPhotosFolder}/${hash}`
}

/** The replies to each, the first one first. */
export async function repliesTo(db: Db, contactIds: readonly string[]) {
  const replies = new Map<string, ContactReplyRow[]>(contactIds.map((id) => [id, []]))
  for await (const some of someAtATime(contactIds)) {
    const rows = await db
      .selectFrom('contactReplies')
      .selectAll()
      .where('contactId', 'in', some)
      .orderBy('contactId')
      .orderBy('createdAt')
      .orderBy('id')
      .execute()
    for (const row of rows) replies.get(row.contactId)?.push(row)
  }
  return replies
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
