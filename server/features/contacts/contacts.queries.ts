import { setImmediate as nextTurn } from 'node:timers/promises'
import type { ContactDraft } from '#contract/contacts.ts'
import type { PlaceInList } from '#contract/places.ts'
import { inSlices, isBehind, slice } from '#server/database/slices.ts'
import type { ContactMessageRow, Db } from '#server/database/tables.ts'

type Page = { limit: number; after?: PlaceInList | undefined }

/** Newest first. */
export function listContacts(db: Db, { limit, after }: Page): Promise<ContactMessageRow[]> {
  const all = db.selectFrom('contactMessages').selectAll().orderBy('createdAt', 'desc').orderBy('id').limit(limit)
  return (after ? all.where(isBehind(after)) : all).execute()
}

/** All of them, slice by slice. */
export function eachContact(db: Db, after?: PlaceInList) {
  return inSlices((limit, last = after) => listContacts(db, { limit, after: last }))
}

export async function countContacts(db: Db) {
  const { count } = await db
    .selectFrom('contactMessages')
    .select((row) => row.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return Number(count)
}

export async function insertContact(db: Db, message: ContactMessageRow) {
  await db.insertInto('contactMessages').values(message).execute()
}

/** What a visitor has written. */
export type Inquiry = Omit<ContactDraft, 'website'>

/** Whether the very same was stored in that time. */
export async function hasContactBetween(db: Db, { name, email, projectType, message }: Inquiry, from: string, until: string) {
  const found = await db
    .selectFrom('contactMessages')
    .select('id')
    .where('createdAt', '>', from)
    .where('createdAt', '<', until)
    .where('name', '=', name)
    .where('email', '=', email)
    .where('projectType', projectType === null ? 'is' : '=', projectType)
    .where('message', '=', message)
    .executeTakeFirst()
  return found !== undefined
}

export async function removeContact(db: Db, id: string) {
  const { numDeletedRows } = await db.deleteFrom('contactMessages').where('id', '=', id).executeTakeFirst()
  return numDeletedRows > 0n
}

/** How many of them there were. */
export async function removeContacts(db: Db, ids: readonly string[]) {
  let removed = 0
  for (let start = 0; start < ids.length; start += slice) {
    const some = ids.slice(start, start + slice)
    const { numDeletedRows } = await db.deleteFrom('contactMessages').where('id', 'in', some).executeTakeFirst()
    removed += Number(numDeletedRows)
    await nextTurn()
  }
  return removed
}

/** That one and all older ones, but for some. */
export async function removeContactsUpTo(db: Db, newest: PlaceInList, except: readonly string[]) {
  const kept = new Set(except)
  let removed = await removeContacts(db, kept.has(newest.id) ? [] : [newest.id])
  const older = inSlices((limit, last = newest) =>
    db
      .selectFrom('contactMessages')
      .select(['id', 'createdAt'])
      .where(isBehind(last))
      .orderBy('createdAt', 'desc')
      .orderBy('id')
      .limit(limit)
      .execute(),
  )
  for await (const rows of older) {
    const ids = rows.map(({ id }) => id).filter((id) => !kept.has(id))
    removed += await removeContacts(db, ids)
  }
  return removed
}
