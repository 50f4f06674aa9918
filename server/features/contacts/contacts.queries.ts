import type { ContactDraft, ContactMessage } from '#contract/contacts.ts'
import type { ContactMessageRow, Db } from '#server/database/tables.ts'

export function listContacts(db: Db): Promise<ContactMessage[]> {
  return db.selectFrom('contactMessages').selectAll().orderBy('createdAt', 'desc').orderBy('id').execute()
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
