import type { Contact, ContactState } from '#contract/contacts.admin.ts'
import { type PlaceAmongContacts, type PlaceInList, placeAmongContactsOf, placeOf } from '#contract/paging.ts'
import { inSlices, listedBackwards, listedBy, slice, someAtATime } from '#server/database/slices.ts'
import type { ContactMessageRow, ContactReplyRow, Db } from '#server/database/tables.ts'
import { among, repliesTo, searched, searchFor, type Wanted } from './contacts.queries.ts'
import { photosSentWith } from './photos.queries.ts'

type Asked = Wanted & { limit: number; after?: PlaceAmongContacts | undefined }

/** First those that wait for an answer, the oldest first, then the others, the newest first. */
export async function searchContacts(db: Db, { limit, after, ...wanted }: Asked) {
  const found: Place[] = []
  for await (const rows of eachInOrder(db, wanted, after, wanted.search ? slice : limit + 1)) {
    found.push(...rows)
    if (found.length > limit) break
  }
  const page = found.slice(0, limit)
  const last = found.length > limit ? page.at(-1) : undefined
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
  { state, search }: Wanted,
  after: PlaceAmongContacts | undefined,
  size: number,
): AsyncGenerator<Place[]> {
  const isFound = searchFor(search)
  if ((!state || state === 'new') && after?.isWaiting !== false) {
    const all = among(db, 'new').select(searched)
    const waiting = inSlices(
      (limit, last: PlaceInList | undefined = after) => listedBackwards('createdAt', all, { limit, after: last }).execute(),
      size,
    )
    for await (const rows of waiting) yield rows.filter(isFound)
  }
  if (state === 'new') return
  const begin = after?.isWaiting ? undefined : after
  const all = state ? among(db, state) : among(db).where('state', '!=', 'new')
  const others = inSlices(
    (limit, last: PlaceInList | undefined = begin) =>
      listedBy('createdAt', all.select(searched), { limit, after: last }).execute(),
    size,
  )
  for await (const rows of others) yield rows.filter(isFound)
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
  const found = new Map((await wholeContacts(db, rows)).map((contact) => [contact.id, contact]))
  return ids.flatMap((id) => found.get(id) ?? [])
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

/** Those that replies go out with, while they are known. */
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

/** Whether it is there. */
export async function changeState(db: Db, id: string, state: ContactState, now: Date) {
  const changed = db
    .updateTable('contactMessages')
    .set({ state, spamReason: state === 'spam' ? 'marked' : null, changedAt: now.toISOString() })
    .where('id', '=', id)
    // What it was taken for stays known.
    .where('state', '!=', state)
  return (await changed.executeTakeFirst()).numUpdatedRows > 0n || contactExists(db, id)
}

/** Why it was refused, if it was. One statement compares and changes it, so that of two at once one is refused. */
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
  const found = await db.selectFrom('contactMessages').select('id').where('id', '=', id).executeTakeFirst()
  return found !== undefined
}

/**
 * Keeps a reply of the maker, to be called in a transaction that no other enters for the same reply; what waited is answered
 * then. Undefined when it was kept before, and when there is no such message.
 */
export async function insertReply(
  tx: Db,
  { id, contactId, text }: Pick<ContactReplyRow, 'id' | 'contactId' | 'text'>,
  now: Date,
) {
  const before = await tx.selectFrom('contactReplies').select('id').where('id', '=', id).executeTakeFirst()
  if (before) return undefined
  const changedAt = now.toISOString()
  // Before the reply, so that nobody deletes it meanwhile.
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
