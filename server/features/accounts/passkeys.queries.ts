import type { Passkey } from '#contract/passkeys.ts'
import type { Db, PasskeyRow } from '#server/database/tables.ts'

export function listPasskeysOf(db: Db, adminId: string): Promise<Passkey[]> {
  return db
    .selectFrom('passkeys')
    .select(['id', 'name', 'transports', 'createdAt', 'usedAt'])
    .where('adminId', '=', adminId)
    .orderBy('createdAt')
    .orderBy('id')
    .execute()
}

export function findPasskey(db: Db, id: string) {
  return db.selectFrom('passkeys').selectAll().where('id', '=', id).executeTakeFirst()
}

/** False when a passkey of this id is there already, of whatever account. */
export async function insertPasskey(db: Db, passkey: PasskeyRow) {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('passkeys')
    .values({ ...passkey, transports: JSON.stringify(passkey.transports) })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst()
  return numInsertedOrUpdatedRows === 1n
}

/**
 * False when it was removed, or its counter has not grown: then there are two of it, and one is a copy. Devices that do not
 * count send 0 each time.
 */
export async function setPasskeyUsed(db: Db, id: string, counter: number, now: Date) {
  const { numUpdatedRows } = await db
    .updateTable('passkeys')
    .set({ counter, usedAt: now.toISOString() })
    .where('id', '=', id)
    .where('counter', counter === 0 ? '=' : '<', counter)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** Its name; undefined when it is not of this account, or was removed already. */
export async function removePasskeyOf(db: Db, adminId: string, id: string) {
  const removed = await db
    .deleteFrom('passkeys')
    .where('adminId', '=', adminId)
    .where('id', '=', id)
    .returning('name')
    .executeTakeFirst()
  return removed?.name
}

/** How many there were. */
export async function removePasskeysOf(db: Db, adminId: string) {
  const { numDeletedRows } = await db.deleteFrom('passkeys').where('adminId', '=', adminId).executeTakeFirst()
  return Number(numDeletedRows)
}
