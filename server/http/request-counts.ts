import { createHash } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import { LRUCache } from 'lru-cache'
import type { Db } from '#server/database/tables.ts'
import { type Clock, withTimeout } from '../clock.ts'
import { Problem } from './problem.ts'
import { countedAddress } from './visitor.ts'

export type RateLimit = {
  max: number
  timeWindow: number
  /** Instead of the route, for a limit that several routes share. */
  name?: string
  refusal?: 'too_many_requests' | 'too_many_photos'
}

declare module 'fastify' {
  interface FastifyInstance {
    rateLimitsOn: boolean
    /** Throws above the limit of a visitor, and writes the rate limit headers. */
    limitRequests(request: FastifyRequest, limit: RateLimit, reply?: FastifyReply): Promise<void>
    /** Throws after a pause where this process has rendered too many pages for a visitor. */
    limitRenders(request: FastifyRequest): Promise<void>
  }
}

type Parts = { db: Db; clock: Clock; on: boolean }

/** Per visitor: so many at once, then one every so many milliseconds. Rendering blocks the process. */
export const renders = { atOnce: 30, every: 1_000 } as const

/** In milliseconds: a restore may hold the writer of the built-in database for minutes. */
const timeout = 10_000

/** Refused addresses in memory; others are refused by the database. With `max`, room for all is taken at the start. */
const mostRefused = { maxSize: 10_000, sizeCalculation: () => 1 }

/**
 * Counts requests in the database, so that a visitor has one limit for all processes. Refused visitors are kept in memory:
 * refusing them again needs no query.
 */
export function countRequests(app: FastifyInstance, { db, clock, on }: Parts) {
  const refusedUntil = new LRUCache<string, number>(mostRefused)

  async function count(subject: string, { max, timeWindow }: RateLimit) {
    const now = clock.now()
    const until = refusedUntil.get(subject) ?? 0
    // One further in the future comes from a clock that was ahead.
    if (until > now.getTime() && until <= now.getTime() + timeWindow) return { count: max + 1, ttl: until - now.getTime() }
    const counted = await countTowards(db, subject, { amount: 1, now, timeWindow })
    const ttl = Math.max(0, Date.parse(counted.windowEnds) - now.getTime())
    if (counted.count > max) refusedUntil.set(subject, now.getTime() + ttl)
    return { count: counted.count, ttl }
  }

  app.decorate('rateLimitsOn', on)
  app.decorate('limitRequests', async ({ ip, method, routeOptions }, limit, reply) => {
    if (!on) return
    const { max, name = `${method} ${routeOptions.url}`, refusal = 'too_many_requests' } = limit
    const counted = await withTimeout(timeout, count(subjectOf(name, countedAddress(ip)), limit), undefined)
    if (!counted) throw new Problem('unavailable')
    const seconds = Math.ceil(counted.ttl / 1000)
    reply
      ?.header('x-ratelimit-limit', max)
      .header('x-ratelimit-remaining', Math.max(0, max - counted.count))
      .header('x-ratelimit-reset', seconds)
    if (counted.count > max) throw new Problem(refusal, { retryAfterSeconds: seconds })
  })

  // In memory, because it protects this process, and a query per page would cost more.
  const rendersPaidAt = new LRUCache<string, number>(mostRefused)
  app.decorate('limitRenders', async ({ ip }) => {
    if (!on) return
    const visitor = countedAddress(ip)
    const now = clock.now().getTime()
    const allowance = renders.atOnce * renders.every
    // Bounded, because the clock may have been ahead.
    const paidAt = Math.min(Math.max(now, rendersPaidAt.get(visitor) ?? 0), now + allowance) + renders.every
    const excess = paidAt - now - allowance
    if (excess > 0) {
      // Refused without a pause, a few connections send thousands of requests a second, which slows others as much as rendering.
      await wait(renders.every)
      throw new Problem('too_many_requests', { retryAfterSeconds: Math.ceil(excess / 1000) })
    }
    rendersPaidAt.set(visitor, paidAt)
  })
}

type Counted = { amount: number; now: Date; timeWindow: number }

/** Adds to the current window or begins a new one, in one statement: concurrent requests are all counted. */
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
