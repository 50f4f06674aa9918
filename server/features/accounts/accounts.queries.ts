import type { Updateable } from 'kysely'
import type { AdminUser, Role } from '#contract/accounts.ts'
import { countRows } from '#server/database/slices.ts'
import type { Db, NewAdminUser, Tables } from '#server/database/tables.ts'

type ListedAdmin = Omit<AdminUser, 'unconfirmedEmail'>
const listed = ['id', 'username', 'lastLogin', 'createdAt', 'role', 'email'] as const

export function listAdmins(db: Db): Promise<ListedAdmin[]> {
  return db.selectFrom('adminUsers').select(listed).orderBy('createdAt').orderBy('id').execute()
}

export function findAdminByName(db: Db, username: string) {
  return db.selectFrom('adminUsers').selectAll().where('nameKey', '=', nameKeyOf(username)).executeTakeFirst()
}

/** By their name or their confirmed address, which several may share. */
export function findAdminsByNameOrAddress(db: Db, typed: string) {
  return db
    .selectFrom('adminUsers')
    .select(['id', 'username', 'email'])
    .where((row) => row.or([row('nameKey', '=', nameKeyOf(typed)), row('email', '=', typed.toLowerCase())]))
    .execute()
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

/** An account as it was when its password was verified. */
type Verified = { id: string; passwordHash: string }

/**
 * False when the account has another password by now, or was deleted. Otherwise its row is locked until the transaction ends,
 * so that a later change waits, and ends the session that this one starts.
 */
export function setLastLogin(tx: Db, verified: Verified, lastLogin: string) {
  return updateVerified(tx, verified, { lastLogin })
}

/** The same. With a password of its own an account is no longer the demo's. */
export function setPasswordHash(tx: Db, verified: Verified, passwordHash: string) {
  return updateVerified(tx, verified, { passwordHash, demo: false })
}

async function updateVerified(tx: Db, { id, passwordHash }: Verified, changes: Updateable<Tables['adminUsers']>) {
  const { numUpdatedRows } = await tx
    .updateTable('adminUsers')
    .set(changes)
    .where('id', '=', id)
    .where('passwordHash', '=', passwordHash)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

export async function setConfirmedAddress(tx: Db, id: string, email: string | null) {
  await tx.updateTable('adminUsers').set({ email }).where('id', '=', id).execute()
}

/** False when the name is taken. */
export async function renameAdmin(db: Db, id: string, username: string) {
  const holder = await findAdminByName(db, username)
  if (holder && holder.id !== id) return false
  await db
    .updateTable('adminUsers')
    .set({ username, nameKey: nameKeyOf(username) })
    .where('id', '=', id)
    .execute()
  return true
}

/** The account as it was; undefined when there is none. */
export function removeAdmin(db: Db, id: string) {
  return db.deleteFrom('adminUsers').where('id', '=', id).returning('username').executeTakeFirst()
}

/** The account as it is then; undefined when there is none. */
export function setRole(db: Db, id: string, role: Role): Promise<ListedAdmin | undefined> {
  return db.updateTable('adminUsers').set({ role }).where('id', '=', id).returning(listed).executeTakeFirst()
}

export function countAdmins(db: Db) {
  return countRows(db, 'adminUsers')
}

export async function hasOwner(db: Db) {
  return (await db.selectFrom('adminUsers').select('id').where('role', '=', 'owner').limit(1).executeTakeFirst()) !== undefined
}

/**
 * Equal for names that count as the same: "Álvaro" and "ÁLVARO", with composed or combining accents. Not left to the database:
 * SQLite and some PostgreSQL locales lower only English capitals.
 */
export function nameKeyOf(username: string) {
  return username.normalize('NFC').toLowerCase()
}
