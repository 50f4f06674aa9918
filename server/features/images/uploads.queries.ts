import type { Db, UploadState } from '#server/database/tables.ts'

export type Ticket = { id: string; adminId: string }

export async function insertTicket(db: Db, ticket: Ticket & { expiresAt: string }) {
  await db
    .insertInto('uploadTickets')
    .values({ ...ticket, state: 'open' })
    .execute()
}

export function findTicket(db: Db, { id, adminId }: Ticket) {
  return db.selectFrom('uploadTickets').selectAll().where('id', '=', id).where('adminId', '=', adminId).executeTakeFirst()
}

/** Whether it was still in that state: of several attempts at once, one succeeds. */
export async function claimTicket(db: Db, { id, adminId }: Ticket, from: UploadState, to: UploadState) {
  const { numUpdatedRows } = await db
    .updateTable('uploadTickets')
    .set({ state: to })
    .where('id', '=', id)
    .where('adminId', '=', adminId)
    .where('state', '=', from)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

export async function listTicketsExpiredBefore(db: Db, moment: string) {
  const tickets = await db.selectFrom('uploadTickets').select('id').where('expiresAt', '<', moment).execute()
  return tickets.map(({ id }) => id)
}

export async function removeTicket(db: Db, id: string) {
  await db.deleteFrom('uploadTickets').where('id', '=', id).execute()
}
