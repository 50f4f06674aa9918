import type { Contact, ContactState } from '#contract/contacts.admin.ts'
import { type PlaceAmongContacts, type PlaceInList, placeAmongContactsOf, placeOf } from '#contract/paging.ts'
import { inSlices, listedBackwards, listedBy, slice, someAtATime } from '#server/database/slices.ts'
import type { ContactMessageRow, ContactReplyRow, Db } from '#server/database/tables.ts'
import { among, type ContactFilter, repliesTo, searched, searchFor } from './contacts.queries.ts'
import { photosSentWith } from './photos.queries.ts'

type ContactSearch = ContactFilter & { limit: number; after?: PlaceAmongContacts | undefined }

/** First those that wait for an answer, the oldest first, then the others, the newest first. */
export async function searchContacts(db: Db, { limit, after, ...filter }: ContactSearch) {
  const places: Place[] = []
  for await (const rows of eachInOrder(db, filter, after, filter.search ? slice : limit + 1)) {
    places.push(...rows)
    if (places.length > limit) break
  }
  const page = places.slice(0, limit)
  const last = places.length > limit ? page.at(-1) : undefined
  return {
    contacts: await findContactsPage(
      db,
      page.map(({ id }) => id),
    ),
    next: last ? placeAmongContactsOf({ ...last, isWaiting: last.state === 'new' }) : null,
  }
}

type Place = Pick<ContactMessageRow, 'id' | 'createdAt' | 'state'>

async function* eachInOrder(
  db: Db,
  { state, search }: ContactFilter,
  after: PlaceAmongContacts | undefined,
  size: number,
): AsyncGenerator<Place[]> {
  const matches = searchFor(search)
  if ((!state || state === 'new') && after?.isWaiting !== false) {
    const all = among(db, 'new').select(searched)
    const waiting = inSlices(
      (limit, last: PlaceInList | undefined = after) => listedBackwards('createdAt', all, { limit, after: last }).execute(),
      size,
    )
    for await (const rows of waiting) yield rows.filter(matches)
  }
  if (state === 'new') return
  const begin = after?.isWaiting ? undefined : after
  const all = state ? among(db, state) : among(db).where('state', '!=', 'new')
  const others = inSlices(
    (limit, last: PlaceInList | undefined = begin) =>
      listedBy('createdAt', all.select(searched), { limit, after: last }).execute(),
    size,
  )
  for await (const rows of others) yield rows.filter(matches)
}

/** The place of the newest that there is, whatever its state. */
export async function newestPlace(db: Db) {
  const newest = await listedBy('createdAt', db.selectFrom('contactMessages').select(['id', 'createdAt']), {
    limit: 1,
  }).executeTakeFirst()
  return newest ? placeOf(newest) : null
}

export async function findContact(db: Db, id: string): Promise<Contact | undefined> {
  const [contact] = await findContactsPage(db, [id])
  return contact
}

/** In the order of the ids. */
async function findContactsPage(db: Db, ids: readonly string[]) {
  if (ids.length === 0) return []
  const rows = await db.selectFrom('contactMessages').selectAll().where('id', 'in', ids).execute()
  const contacts = new Map((await wholeContacts(db, rows)).map((contact) => [contact.id, contact]))
  return ids.flatMap((id) => contacts.get(id) ?? [])
}

/** With what belongs to them. */
async function wholeContacts(db: Db, rows: readonly ContactMessageRow[]): Promise<Contact[]> {
  const ids = rows.map(({ id }) => id)
  const [replies, photos] = await Promise.all([repliesTo(db, ids), photosSentWith(db, ids)])
  const mails = await mailsOf(db, [...replies.values()].flat())
  return rows.map(({ aboutId, aboutTitle, ...row }) => ({
    ...row,
    about: aboutId && aboutTitle ? { id: aboutId, title: aboutTitle } : null,
    photos: (photos.get(row.id) ?? []).map(({ hash, width, height }) => ({ hash, width, height })),
    replies: (replies.get(row.id) ?? []).map(({ contactId: _contactId, ...reply }) => ({
      ...reply,
      mail: mails.get(reply.id) ?? null,
    })),
  }))
}

/** The mails of replies, as long as they are in the outbox. */
async function mailsOf(db: Db, replies: readonly ContactReplyRow[]) {
  const mails = new Map<string, Contact['replies'][number]['mail']>()
  for await (const some of someAtATime(replies.map(({ id }) => id))) {
    const rows = await db
      .selectFrom('outbox')
      .select(['id', 'replyId', 'state', 'lastError'])
      .where('replyId', 'in', some)
      .execute()
    for (const { replyId, ...mail } of rows) if (replyId) mails.set(replyId, mail)
  }
  return mails
}

/** When the one that has waited longest arrived, and which is the newest but for spam. */
export async function readEnds(db: Db) {
  const [oldest, newest] = await Promise.all([
    listedBackwards('createdAt', among(db, 'new').select('createdAt'), { limit: 1 }).executeTakeFirst(),
    listedBy('createdAt', among(db).select('id'), { limit: 1 }).executeTakeFirst(),
  ])
  return { oldest: oldest?.createdAt ?? null, newest: newest?.id ?? null }
}

/** Those that have waited longest, for the top of the dashboard. */
export async function listFirstWaiting(db: Db) {
  const all = among(db, 'new').select(['id', 'name', 'createdAt'])
  const rows = await listedBackwards('createdAt', all, { limit: 3 }).execute()
  const photos = await photosSentWith(
    db,
    rows.map(({ id }) => id),
  )
  return rows.map((row) => ({ ...row, photo: photos.get(row.id)?.[0]?.hash ?? null }))
}

/** Whether it is there. */
export async function changeState(db: Db, id: string, state: ContactState, now: Date) {
  const changed = db
    .updateTable('contactMessages')
    .set({ state, spamReason: state === 'spam' ? 'marked' : null, changedAt: now.toISOString() })
    .where('id', '=', id)
    // Otherwise the reason why it was taken for spam would be lost.
    .where('state', '!=', state)
  return (await changed.executeTakeFirst()).numUpdatedRows > 0n || contactExists(db, id)
}

/** The problem, if it was refused. One statement compares and changes, so that of two at once one is refused. */
export async function changeNote(db: Db, id: string, { note, was }: { note: string | null; was: string | null }, now: Date) {
  const { numUpdatedRows } = await db
    .updateTable('contactMessages')
    .set({ note, changedAt: now.toISOString() })
    .where('id', '=', id)
    .where('note', was === null ? 'is' : '=', was)
    .executeTakeFirst()
  if (numUpdatedRows > 0n) return undefined
  return (await contactExists(db, id)) ? 'note_changed' : 'message_not_found'
}

async function contactExists(db: Db, id: string) {
  const row = await db.selectFrom('contactMessages').select('id').where('id', '=', id).executeTakeFirst()
  return row !== undefined
}

/**
 * Stores a reply of the maker and marks the message as answered. To be called in a transaction that is exclusive for the reply.
 * Undefined when the reply exists, and when there is no such message.
 */
export async function insertReply(
  tx: Db,
  { id, contactId, text }: Pick<ContactReplyRow, 'id' | 'contactId' | 'text'>,
  now: Date,
) {
  const before = await tx.selectFrom('contactReplies').select('id').where('id', '=', id).executeTakeFirst()
  if (before) return undefined
  const changedAt = now.toISOString()
  // Before the reply: the row is locked, so that it is not deleted in between.
  const contact = await tx
    .updateTable('contactMessages')
    .set((row) => ({
      changedAt,
      spamReason: null,
      state: row
        .case()
        .when('state', 'in', ['new', 'spam'])
        .then('answered' as const)
        .else(row.ref('state'))
        .end(),
    }))
    .where('id', '=', contactId)
    .returningAll()
    .executeTakeFirst()
  if (!contact) return undefined
  const reply = await tx
    .insertInto('contactReplies')
    .values({ id, contactId, text, createdAt: changedAt, sentAt: null })
    .returningAll()
    .executeTakeFirstOrThrow()
  return { contact, reply }
}

export async function countReplies(db: Db, contactId: string) {
  const { count } = await db
    .selectFrom('contactReplies')
    .select((reply) => reply.fn.countAll<number>().as('count'))
    .where('contactId', '=', contactId)
    .executeTakeFirstOrThrow()
  return Number(count)
}
