import type { ContactMessage } from '#contract/contacts.ts'
import type { ContactMessageRow, Db } from '#server/database/tables.ts'

export function listContacts(db: Db): Promise<ContactMessage[]> {
  return db.selectFrom('contactMessages').selectAll().orderBy('createdAt', 'desc').orderBy('id').execute()
}

export async function insertContact(db: Db, message: ContactMessageRow) {
  await db.insertInto('contactMessages').values(message).execute()
}

export async function removeContact(db: Db, id: string) {
  const { numDeletedRows } = await db.deleteFrom('contactMessages').where('id', '=', id).executeTakeFirst()
  return numDeletedRows > 0n
}
