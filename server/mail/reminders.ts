import { type Clock, day, daysBefore, hour, isFuture } from '#server/clock.ts'
import type { Config } from '#server/config.ts'
import type { Database } from '#server/database/open.ts'
import type { Db } from '#server/database/tables.ts'
import { isTimeFor, type ScheduledJob, writeJob } from '#server/jobs/jobs.ts'
import { composeReminder } from './compose.rules.ts'
import type { Mailer } from './mailer.ts'
import { putIntoOutboxFor, readMailSettings } from './outbox.queries.ts'

type Parts = {
  database: Pick<Database, 'db'>
  clock: Clock
  mailer: Pick<Mailer, 'wake'>
  config: Pick<Config, 'mail' | 'publicUrl'>
}

const remindAfter = 36 * hour
/** Older ones are left out: an import of a file without states may bring years of messages that count as new. */
const remindFor = 30 * day
const mostListed = 20

/** A digest to the maker when a message has waited for 36 hours, one a day at most. */
export function remindersJob({ database: { db }, clock, mailer, config }: Parts): ScheduledJob {
  const sinceOf = (now: Date) => new Date(now.getTime() - remindFor).toISOString()
  return {
    name: 'reminders',
    async isDue({ reminders }, now) {
      if (!config.mail || !isTimeFor(reminders, day, now)) return false
      const [oldest] = await listWaiting(db, sinceOf(now), 1)
      if (!oldest) return false
      return Date.parse(oldest.createdAt) <= now.getTime() - remindAfter || isFuture(oldest.createdAt, now)
    },
    async run({ lastSuccess }) {
      const { mail, publicUrl } = config
      if (!mail) return undefined
      const now = clock.now()
      const since = sinceOf(now)
      const digest = {
        waiting: await listWaiting(db, since, mostListed),
        count: await countSince(db, 'new', since),
        spam: await countSince(db, 'spam', lastSuccess ?? daysBefore(now, 1).toISOString()),
        now,
      }
      const message = composeReminder(digest, { ...(await readMailSettings(db)), publicUrl })
      await db.transaction().execute(async (tx) => {
        await putIntoOutboxFor(tx, mail.to, { kind: 'reminder', message }, now)
        await writeJob(tx, 'reminders', { lastSuccess: now.toISOString() })
      })
      mailer.wake()
      return {}
    },
  }
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
