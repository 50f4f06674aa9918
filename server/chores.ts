import type { FastifyBaseLogger } from 'fastify'
import type { Clock } from './clock.ts'
import type { Database } from './database/open.ts'
import { sweepAttempts } from './features/admins/attempts.ts'
import { sweepExpiredSessions } from './http/sessions.ts'

type Parts = { database: Database; clock: Clock; log: FastifyBaseLogger }

const hour = 60 * 60 * 1000

/** What has to be done from time to time, now and every hour. A chore that fails is tried again the next time. */
export function startChores({ database: { db }, clock, log }: Parts): { stop(): void } {
  const chores = { 'expired sessions': sweepExpiredSessions, 'old sign-in attempts': sweepAttempts }
  const doAll = async () => {
    for (const [name, sweep] of Object.entries(chores)) {
      await sweep(db, clock).catch((error: unknown) => log.error({ err: error, chore: name }, 'a chore failed'))
    }
  }
  void doAll()
  const timer = setInterval(doAll, hour)
  timer.unref()
  return { stop: () => clearInterval(timer) }
}
