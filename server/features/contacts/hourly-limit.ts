import { hour } from '#server/clock.ts'
import type { Db } from '#server/database/tables.ts'
import { readMaker } from '#server/features/site-content/site-content.queries.ts'
import { Problem } from '#server/http/problem.ts'
import { countTowards } from '#server/http/request-counts.ts'
import type { NewContact } from './contacts.queries.ts'

/** More than any maker gets in an hour from all visitors together: a flood that comes from many addresses. */
export const hourlyLimit = { contacts: 100, bytes: 500_000 } as const

/** Of spam, and of what comes after those: so much that a flood is costly, and so little that it does not fill the disk. */
export const spamLimit = { contacts: 2_000, bytes: 4_000_000, kept: 20_000 } as const

/**
 * Whether it comes after too many and is to be kept apart, as possible spam. To be called in the transaction that stores it:
 * what is refused is not counted. Spam is counted apart, so that a flood of it does not keep people out.
 */
export async function countTowardsHourlyLimit(tx: Db, contact: NewContact, isSpam: boolean, now: Date) {
  if (!isSpam && !(await findFullWindow(tx, 'all inquiries', hourlyLimit, contact, now))) return false
  const full = (await isSpamFull(tx)) ? afterAnHour(now) : await findFullWindow(tx, 'all spam', spamLimit, contact, now)
  if (!full) return true
  throw new Problem('too_many_inquiries', {
    details: { email: (await readMaker(tx)).email },
    retryAfterSeconds: Math.ceil((Date.parse(full) - now.getTime()) / 1000),
  })
}

type Limit = { contacts: number; bytes: number }

/** Counts it, unless the hour is full: then nothing is counted, and its end is answered. */
async function findFullWindow(tx: Db, all: string, limit: Limit, { name, email, message }: NewContact, now: Date) {
  const counts = [
    { subject: all, amount: 1, max: limit.contacts },
    { subject: `bytes of ${all}`, amount: Buffer.byteLength(name + email + message), max: limit.bytes },
  ]
  for (const [index, { subject, amount, max }] of counts.entries()) {
    const { count, windowEnds } = await countTowards(tx, subject, { amount, now, timeWindow: hour })
    if (count <= max) continue
    for (const counted of counts.slice(0, index + 1))
      await countTowards(tx, counted.subject, { amount: -counted.amount, now, timeWindow: hour })
    return windowEnds
  }
  return undefined
}

async function isSpamFull(tx: Db) {
  const last = tx
    .selectFrom('contactMessages')
    .select('id')
    .where('state', '=', 'spam')
    .offset(spamLimit.kept - 1)
  return (await last.limit(1).executeTakeFirst()) !== undefined
}

const afterAnHour = (now: Date) => new Date(now.getTime() + hour).toISOString()
