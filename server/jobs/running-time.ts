import type { FastifyBaseLogger } from 'fastify'
import { type Clock, day, latestMoment } from '../clock.ts'
import type { Database } from '../database/open.ts'
import type { Db } from '../database/tables.ts'

type Parts = { database: Database; clock: Clock; log: FastifyBaseLogger }

async function readStored(db: Db): Promise<RunningTime> {
  const { clock } = await db.selectFrom('site').select('clock').executeTakeFirstOrThrow()
  return clock ? JSON.parse(clock) : { seenAt: null, gaps: [], jump: null }
}

export async function readRunningTime(db: Db, clock: Clock) {
  const now = clock.now().getTime()
  return describeRunning(runningAt(await readStored(db), now), now)
}

export async function ranDaysBefore(db: Db, clock: Clock, days: number) {
  return (await readRunningTime(db, clock)).daysBefore(days)
}

/** Notes that the site runs, and resets moments that a clock that was ahead has written. */
export async function noteRunningTime({ database: { db }, clock, log }: Parts) {
  const now = clock.now()
  const stored = await readStored(db)
  const running = runningAt(stored, now.getTime())
  if (running.jump && running.jump !== stored.jump) {
    const [from, to] = running.jump.map((moment) => new Date(moment).toISOString())
    log.warn({ from, to }, 'the clock jumped: see that this machine has the right time')
  }
  await db
    .updateTable('site')
    .set({ clock: JSON.stringify(running) })
    .execute()
  await unsetFutureMoments(db, now)
}

/** Only moments for which something would wait: those of messages and models are not the site's to change. */
async function unsetFutureMoments(db: Db, now: Date) {
  const present = now.toISOString()
  const latest = latestMoment(now).toISOString()
  const inADay = new Date(now.getTime() + day).toISOString()
  await db.updateTable('site').set({ createdAt: present }).where('createdAt', '>', latest).execute()
  await db.updateTable('outbox').set({ nextAttemptAt: present }).where('nextAttemptAt', '>', inADay).execute()
  await db.deleteFrom('tokens').where('expiresAt', '>', inADay).execute()
  await db.deleteFrom('loginAttempts').where('lastFailure', '>', latest).execute()
  await db.deleteFrom('requestCounts').where('windowEnds', '>', inADay).execute()
  await db.updateTable('jobs').set({ lastSuccess: null }).where('lastSuccess', '>', latest).execute()
}

/** In milliseconds since 1970. */
type Span = readonly [from: number, to: number]

export type RunningTime = {
  /** When this was last noted. */
  seenAt: number | null
  /** When the site did not run, or its clock was ahead. */
  gaps: readonly Span[]
  /** The last time the clock was set back, or ahead by so much that it may be wrong. */
  jump: Span | null
}

/** Notes are an hour apart, but a machine may be suspended overnight. */
const longestPause = day
/** A site may be switched off for weeks. */
const longestAbsence = 30 * day
/** More than fit into the longest retention. */
const mostGaps = 100
const daysShown = 7

/** The running time as of now. A gap made by a clock that was ahead disappears once the clock is right. */
export function runningAt({ seenAt, gaps, jump }: RunningTime, now: number): RunningTime {
  const passed = seenAt === null ? 0 : now - seenAt
  const all: Span[] = seenAt !== null && passed > longestPause ? [...gaps, [seenAt, now]] : [...gaps]
  const past = all.map(([from, to]): Span => [from, Math.min(to, now)]).filter(([from, to]) => from < to)
  const isJump = seenAt !== null && (passed < -longestPause || passed > longestAbsence)
  return { seenAt: now, gaps: past.slice(-mostGaps), jump: isJump ? [seenAt, now] : jump }
}

export function describeRunning({ gaps, jump }: RunningTime, now: number) {
  return {
    /** Counts only days on which the site ran: a clock that is ahead for a while deletes nothing too early. */
    daysBefore(days: number) {
      const longer = (since: number, [from, to]: Span) => (to > since ? since - (to - from) : since)
      return new Date(gaps.reduceRight(longer, now - days * day))
    },
    /** False for a day after a gap that may come from a wrong clock. */
    isSettled: gaps.every(([from, to]) => to - from <= longestAbsence || now - to > day),
    hasJumped: jump !== null && jump[1] <= now && now - jump[1] < daysShown * day,
  }
}
