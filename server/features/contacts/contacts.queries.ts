import type { ContactState } from '#contract/contacts.admin.ts'
import type { ContactDraft } from '#contract/contacts.ts'
import type { PlaceInList } from '#contract/paging.ts'
import type { Clock } from '#server/clock.ts'
import { inSlices, listedBy, matcherOf, type Page, slice, someAtATime } from '#server/database/slices.ts'
import type { ContactMessageRow, ContactReplyRow, Db, NewContactMessage } from '#server/database/tables.ts'
import { ranDaysBefore } from '#server/jobs/running-time.ts'
import { leaveToSweep, photosSentWith } from './photos.queries.ts'

/** Those of one state, or all but spam; with all of these words in name, address, text or note. */
export type ContactFilter = { state?: ContactState | undefined; search?: string | undefined }

export function among(db: Db, state?: ContactState) {
  const all = db.selectFrom('contactMessages')
  return state ? all.where('state', '=', state) : all.where('state', '!=', 'spam')
}

/** Newest first. */
export function listContacts(db: Db, page: Page<'createdAt'>, more: readonly 'state'[] = []) {
  const all = among(db).select(['id', 'name', 'email', 'projectType', 'message', 'createdAt', ...more])
  return listedBy('createdAt', all, page).execute()
}

/** All of them, slice by slice. */
export function eachContact(db: Db, after?: PlaceInList, more: readonly 'state'[] = []) {
  return inSlices((limit, last: PlaceInList | undefined = after) => listContacts(db, { limit, after: last }, more))
}

/** Newest first, in slices. */
export async function* eachMatching(db: Db, { state, search }: ContactFilter, after?: PlaceInList) {
  const matches = searchFor(search)
  const all = among(db, state).select([...searched, 'projectType', 'aboutTitle'])
  const slices = inSlices((limit, last: PlaceInList | undefined = after) =>
    listedBy('createdAt', all, { limit, after: last }).execute(),
  )
  for await (const rows of slices) yield rows.filter(matches)
}

/** The columns that are searched and sorted by: reading the others as well takes twice as long. */
export const searched = ['id', 'createdAt', 'state', 'name', 'email', 'message', 'note'] as const

export function searchFor(search = '') {
  const hasAll = matcherOf(search)
  return ({ name, email, message, note }: Pick<ContactMessageRow, 'name' | 'email' | 'message' | 'note'>) =>
    hasAll([name, email, message, note])
}

/** What a visitor has written. */
export type NewContact = Pick<ContactDraft, 'name' | 'email' | 'projectType' | 'message'>

/** Equal ones that were stored in that time. */
export function listContactsBetween(db: Db, { name, email, projectType, message }: NewContact, from: string, until: string) {
  return db
    .selectFrom('contactMessages')
    .selectAll()
    .where('createdAt', '>', from)
    .where('createdAt', '<', until)
    .where('name', '=', name)
    .where('email', '=', email)
    .where('projectType', projectType === null ? 'is' : '=', projectType)
    .where('message', '=', message)
    .execute()
}

type Removing = {
  /** Only those that still have it. */
  state?: ContactState | undefined
  /** Called in each of the transactions. */
  note?(tx: Db, removed: number): Promise<void>
}

/** Returns how many were removed. */
export async function removeContacts(db: Db, ids: readonly string[], { state, note }: Removing = {}) {
  let removed = 0
  for await (const some of someAtATime(ids)) {
    removed += await db.transaction().execute(async (tx) => {
      const photos = await photosSentWith(tx, some)
      const removing = tx.deleteFrom('contactMessages').where('id', 'in', some)
      const { numDeletedRows } = await (state ? removing.where('state', '=', state) : removing).executeTakeFirst()
      await leaveToSweep(tx, [...photos.values()].flat())
      if (numDeletedRows > 0n) await note?.(tx, Number(numDeletedRows))
      return Number(numDeletedRows)
    })
  }
  return removed
}

const daysOfSpam = 60

/** Removes spam that was not marked as a message within that time. */
export async function sweepSpam(db: Db, clock: Clock) {
  const before = (await ranDaysBefore(db, clock, daysOfSpam)).toISOString()
  const old = db
    .selectFrom('contactMessages')
    .select('id')
    .where('state', '=', 'spam')
    .where('createdAt', '<', before)
    // The days of a message that was marked as spam count from then on.
    .where((row) => row.or([row('changedAt', 'is', null), row('changedAt', '<', before)]))
  let removed: number
  do {
    const ids = (await old.limit(slice).execute()).map(({ id }) => id)
    // One that is marked as a message at this moment is kept.
    removed = await removeContacts(db, ids, { state: 'spam' })
  } while (removed > 0)
}

/** That one and all older ones that match the filter, except some. */
export async function removeContactsUpTo(
  db: Db,
  newest: PlaceInList,
  { except, note, ...filter }: ContactFilter & Pick<Removing, 'note'> & { except: readonly string[] },
) {
  const kept = new Set(except)
  const first = await among(db, filter.state).select(searched).where('id', '=', newest.id).execute()
  const remove = (rows: readonly { id: string }[]) => {
    const ids = rows.map(({ id }) => id)
    return removeContacts(
      db,
      ids.filter((id) => !kept.has(id)),
      { state: filter.state, ...(note && { note }) },
    )
  }
  let removed = await remove(first.filter(searchFor(filter.search)))
  for await (const rows of eachMatching(db, filter, newest)) removed += await remove(rows)
  return removed
}

/** How many there are of each state. */
export async function countByState(db: Db): Promise<Record<ContactState, number>> {
  const rows = await db
    .selectFrom('contactMessages')
    .select(['state', (row) => row.fn.countAll<number>().as('count')])
    .groupBy('state')
    .execute()
  const none = { new: 0, answered: 0, quoted: 0, closed: 0, spam: 0 }
  return Object.assign(none, Object.fromEntries(rows.map(({ state, count }) => [state, Number(count)])))
}

/** What the dashboard counts. */
export async function countContacts(db: Db) {
  const { spam: _spam, ...others } = await countByState(db)
  return Object.values(others).reduce((sum, count) => sum + count, 0)
}

/** A message is a row, its replies and its photos. */
export async function insertContacts(db: Db, contacts: readonly NewContactMessage[]) {
  for await (const some of someAtATime(contacts)) await db.insertInto('contactMessages').values(some).execute()
}

/** Except those whose ids exist. */
export async function insertReplies(db: Db, replies: readonly ContactReplyRow[]) {
  for await (const some of someAtATime(replies)) {
    await db
      .insertInto('contactReplies')
      .values(some)
      .onConflict((conflict) => conflict.column('id').doNothing())
      .execute()
  }
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
