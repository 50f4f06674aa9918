import { type Clock, day, daysBefore, hour, isFuture } from '#server/clock.ts'
import type { Database } from '#server/database/open.ts'
import type { Db } from '#server/database/tables.ts'
import { composeReminder } from './compose.rules.ts'
import type { Mailer } from './mailer.ts'
import { putIntoOutboxFor, readMailSettings } from './outbox.queries.ts'

type Parts = {
  database: Pick<Database, 'db'>
  clock: Clock
  mailer: Pick<Mailer, 'to' | 'wake'>
  publicUrl: string | undefined
}

const remindAfter = 36 * hour
/** Older ones are left out: an import of a file without states may bring years of messages that count as new. */
const remindFor = 30 * day
const mostListed = 20

/** A digest to the maker when a message has waited for 36 hours, one a day at most. */
export async function remindOfWaiting({ database: { db }, clock, mailer, publicUrl }: Parts) {
  const now = clock.now()
  const since = new Date(now.getTime() - remindFor).toISOString()
  const [oldest] = await listWaiting(db, since, 1)
  if (!oldest) return
  const isYoung = Date.parse(oldest.createdAt) > now.getTime() - remindAfter && !isFuture(oldest.createdAt, now)
  if (isYoung) return
  const isReminded = await db.transaction().execute(async (tx) => {
    const { remindedAt } = await tx.selectFrom('site').select('remindedAt').executeTakeFirstOrThrow()
    // Of several processes one sets it, and puts the mails into the outbox in the same transaction.
    const { numUpdatedRows } = await tx
      .updateTable('site')
      .set({ remindedAt: now.toISOString() })
      .where((site) => site.or([site('remindedAt', 'is', null), site('remindedAt', '<=', daysBefore(now, 1).toISOString())]))
      .executeTakeFirst()
    if (numUpdatedRows === 0n) return false
    const digest = {
      waiting: await listWaiting(tx, since, mostListed),
      count: await countSince(tx, 'new', since),
      spam: await countSince(tx, 'spam', remindedAt ?? daysBefore(now, 1).toISOString()),
      now,
    }
    const message = composeReminder(digest, { ...(await readMailSettings(tx)), publicUrl })
    await putIntoOutboxFor(tx, mailer.to, { kind: 'reminder', message }, now)
    return true
  })
  if (isReminded) mailer.wake()
}

function listWaiting(db: Db, since: string, limit: number) {
  return db
    .selectFrom('contactMessages')
    .select(['id', 'name', 'aboutTitle', 'createdAt'])
    .where('state', '=', 'new')
    .where('createdAt', '>', since)
    .orderBy('createdAt')
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
}

async function countSince(db: Db, state: 'new' | 'spam', since: string) {
  const { count } = await db
    .selectFrom('contactMessages')
    .select((row) => row.fn.countAll<number>().as('count'))
    .where('state', '=', state)
    .where('createdAt', '>', since)
    .executeTakeFirstOrThrow()
  return Number(count)
}
