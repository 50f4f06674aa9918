import type { AdminUser } from '#contract/admins.ts'
import { countRows } from '#server/database/count-rows.ts'
import type { Db, NewAdminUser } from '#server/database/tables.ts'
import { nameKeyOf } from './admins.rules.ts'

export function listAdmins(db: Db): Promise<AdminUser[]> {
  return db
    .selectFrom('adminUsers')
    .select(['id', 'username', 'lastLogin', 'createdAt'])
    .orderBy('createdAt')
    .orderBy('id')
    .execute()
}

export function findAdminByName(db: Db, username: string) {
  return db.selectFrom('adminUsers').selectAll().where('nameKey', '=', nameKeyOf(username)).executeTakeFirst()
}

export function findAdmin(db: Db, id: string) {
  return db.selectFrom('adminUsers').selectAll().where('id', '=', id).executeTakeFirst()
}

/** False when the name is taken. */
export async function insertAdmin(db: Db, admin: Omit<NewAdminUser, 'nameKey'>) {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('adminUsers')
    .values({ ...admin, nameKey: nameKeyOf(admin.username) })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst()
  return numInsertedOrUpdatedRows === 1n
}

/** With a password of its own an account is no longer the demo's. */
export async function setPasswordHash(db: Db, id: string, passwordHash: string) {
  await db.updateTable('adminUsers').set({ passwordHash, demo: false }).where('id', '=', id).execute()
}

export async function setLastLogin(db: Db, id: string, lastLogin: string) {
  await db.updateTable('adminUsers').set({ lastLogin }).where('id', '=', id).execute()
}

export async function removeAdmin(db: Db, id: string) {
  await db.deleteFrom('adminUsers').where('id', '=', id).execute()
}

export function countAdmins(db: Db) {
  return countRows(db, 'adminUsers')
}
