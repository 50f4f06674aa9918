import { hour } from '#server/clock.ts'
import { readMaker } from '#server/database/site-content.ts'
import type { Db } from '#server/database/tables.ts'
import { Problem } from '#server/http/problem.ts'
import { countTowards } from '#server/http/request-counts.ts'
import type { NewContact } from './contacts.queries.ts'

/** More than any maker gets in an hour from all visitors together: a flood that comes from many addresses. */
export const hourlyLimit = { contacts: 100, bytes: 500_000 } as const

/**
 * To be called in the transaction that stores it: what is refused is not counted. Spam is counted apart, so that a flood of
 * it does not keep people out.
 */
export async function countTowardsHourlyLimit(tx: Db, { name, email, message }: NewContact, isSpam: boolean, now: Date) {
  const all = isSpam ? 'all spam' : 'all inquiries'
  const counts = [
    { subject: all, amount: 1, max: hourlyLimit.contacts },
    { subject: `bytes of ${all}`, amount: Buffer.byteLength(name + email + message), max: hourlyLimit.bytes },
  ]
  for (const { subject, amount, max } of counts) {
    const { count, windowEnds } = await countTowards(tx, subject, { amount, now, timeWindow: hour })
    if (count <= max) continue
    throw new Problem('too_many_inquiries', {
      details: { email: (await readMaker(tx)).email },
      retryAfterSeconds: Math.ceil((Date.parse(windowEnds) - now.getTime()) / 1000),
    })
  }
}
