import type { ContactDraft } from '#contract/contacts.ts'
import type { PlaceInList } from '#contract/places.ts'
import { inSlices, listedBy, type Page, someAtATime } from '#server/database/slices.ts'
import type { Db } from '#server/database/tables.ts'

/** Newest first. */
export function listContacts(db: Db, page: Page<'createdAt'>) {
  const all = db.selectFrom('contactMessages').select(['id', 'name', 'email', 'projectType', 'message', 'createdAt'])
  return listedBy('createdAt', all.where('state', '!=', 'spam'), page).execute()
}

/** All of them, slice by slice. */
export function eachContact(db: Db, after?: PlaceInList) {
  return inSlices((limit, last: PlaceInList | undefined = after) => listContacts(db, { limit, after: last }))
}

/** What a visitor has written. */
export type NewContact = Pick<ContactDraft, 'name' | 'email' | 'projectType' | 'message'>

/** Whether the very same was stored in that time. */
export async function hasContactBetween(
  db: Db,
  { name, email, projectType, message }: NewContact,
  from: string,
  until: string,
) {
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
  for await (const some of someAtATime(ids)) {
    const { numDeletedRows } = await db.deleteFrom('contactMessages').where('id', 'in', some).executeTakeFirst()
    removed += Number(numDeletedRows)
  }
  return removed
}

/** That one and all older ones, but for some. */
export async function removeContactsUpTo(db: Db, newest: PlaceInList, except: readonly string[]) {
  const kept = new Set(except)
  let removed = await removeContacts(db, kept.has(newest.id) ? [] : [newest.id])
  const all = db.selectFrom('contactMessages').select(['id', 'createdAt'])
  const older = inSlices((limit, last: PlaceInList | undefined = newest) =>
    listedBy('createdAt', all, { limit, after: last }).execute(),
  )
  for await (const rows of older) {
    const ids = rows.map(({ id }) => id).filter((id) => !kept.has(id))
    removed += await removeContacts(db, ids)
  }
  return removed
}
