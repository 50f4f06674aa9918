import { createHash } from 'node:crypto'
import type { FastifyRateLimitStore, FastifyRateLimitStoreCtor } from '@fastify/rate-limit'
import { LRUCache } from 'lru-cache'
import type { Db } from '#server/database/tables.ts'
import type { Clock } from '../clock.ts'

type Parts = { db: Db; clock: Clock }

/** How many refused addresses are remembered; the others are refused by the database. */
const maxRefused = 10_000

/**
 * Counts requests in the database, so that a visitor has one limit and not one for each process. Refused visitors are
 * remembered here: refusing them again costs the database nothing.
 */
export function countInDatabase({ db, clock }: Parts): FastifyRateLimitStoreCtor {
  const refusedUntil = new LRUCache<string, number>({ max: maxRefused })

  async function count(subject: string, timeWindow: number, max: number) {
    const now = clock.now()
    const until = refusedUntil.get(subject) ?? 0
    if (until > now.getTime()) return { current: max + 1, ttl: until - now.getTime() }
    const counted = await countTowards(db, subject, { amount: 1, now, timeWindow })
    const ttl = Math.max(0, Date.parse(counted.windowEnds) - now.getTime())
    if (counted.count > max) refusedUntil.set(subject, now.getTime() + ttl)
    return { current: counted.count, ttl }
  }

  return class Counts implements FastifyRateLimitStore {
    #route = ''

    incr: FastifyRateLimitStore['incr'] = (key, callback, timeWindow, max) => {
      count(subjectOf(this.#route, key), timeWindow, max).then(
        (result) => callback(null, result),
        (error: Error) => callback(error),
      )
    }

    child: FastifyRateLimitStore['child'] = (options) => {
      // The plugin hands over more than its types say.
      const { routeInfo } = options as unknown as { routeInfo: { method: string; url: string } }
      const child = new Counts()
      child.#route = `${routeInfo.method} ${routeInfo.url}`
      return child
    }
  }
}

type Counted = { amount: number; now: Date; timeWindow: number }

/** Adds to the present window, or begins a new one, in one statement: concurrent requests are all counted. */
export function countTowards(db: Db, subject: string, { amount, now, timeWindow }: Counted) {
  const present = now.toISOString()
  const windowEnds = new Date(now.getTime() + timeWindow).toISOString()
  return db
    .insertInto('requestCounts')
    .values({ subject, count: amount, windowEnds })
    .onConflict((conflict) =>
      conflict.column('subject').doUpdateSet((row) => ({
        count: row
          .case()
          .when('requestCounts.windowEnds', '<=', present)
          .then(row.ref('excluded.count'))
          .else(row('requestCounts.count', '+', row.ref('excluded.count')))
          .end(),
        windowEnds: row
          .case()
          .when('requestCounts.windowEnds', '<=', present)
          .then(row.ref('excluded.windowEnds'))
          .else(row.ref('requestCounts.windowEnds'))
          .end(),
      })),
    )
    .returning(['count', 'windowEnds'])
    .executeTakeFirstOrThrow()
}

export async function sweepRequestCounts(db: Db, clock: Clock) {
  await db.deleteFrom('requestCounts').where('windowEnds', '<=', clock.now().toISOString()).execute()
}

/** Hashed: addresses are personal data. */
function subjectOf(route: string, address: string) {
  return createHash('sha256').update(`${route} ${address}`).digest('hex')
}
