import { maker } from '#content/maker.ts'
import { hour } from '#server/clock.ts'
import type { Db } from '#server/database/tables.ts'
import { Problem } from '#server/http/problem.ts'
import { countTowards } from '#server/http/request-counts.ts'
import type { Inquiry } from './contacts.queries.ts'

/** More than any maker gets in an hour from all visitors together: a flood that comes from many addresses. */
export const ceiling = { inquiries: 100, bytes: 500_000 } as const

/** To be called in the transaction that stores it: what is refused is not counted. */
export async function countTowardsCeiling(tx: Db, { name, email, message }: Inquiry, now: Date) {
  const counts = [
    { subject: 'all inquiries', amount: 1, most: ceiling.inquiries },
    { subject: 'bytes of all inquiries', amount: Buffer.byteLength(name + email + message), most: ceiling.bytes },
  ]
  for (const { subject, amount, most } of counts) {
    const { count, windowEnds } = await countTowards(tx, subject, { amount, now, timeWindow: hour })
    if (count <= most) continue
    throw new Problem('too_many_inquiries', {
      details: { email: maker.email },
      retryAfterSeconds: Math.ceil((Date.parse(windowEnds) - now.getTime()) / 1000),
    })
  }
}
