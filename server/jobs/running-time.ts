import type { FastifyBaseLogger } from 'fastify'
import { changeCare, readCare } from '../backup/backup-jobs.ts'
import { type Clock, day, hour, isFuture, latestMoment } from '../clock.ts'
import type { Database } from '../database/open.ts'
import type { Db } from '../database/tables.ts'
import { readBackupJobs, updateBackupJobs } from './backup/backup-jobs.ts'
import { type Clock, day, hour, isFuture, latestMoment } from './clock.ts'
import type { Database } from './database/open.ts'
import type { Db } from './database/tables.ts'
import { isJumpShown, isSettled, type RunningTime, ranSince, runningAt } from './running-time.rules.ts'

type Parts = { database: Database; clock: Clock; log: FastifyBaseLogger }

async function readNoted(db: Db, now: Date) {
  const { clock } = await db.selectFrom('site').select('clock').executeTakeFirstOrThrow()
  const noted: RunningTime = clock ? JSON.parse(clock) : { seenAt: null, gaps: [], jump: null }
  return { noted, running: runningAt(noted, now.getTime()) }
}

export async function readRunningTime(db: Db, clock: Clock) {
  const now = clock.now()
  const { running } = await readNoted(db, now)
  return {
    /** Since when the site has run for so many days: a clock that is wrong for a while makes nothing older. */
    daysBefore: (days: number) => new Date(ranSince(running, now.getTime(), days)),
    /** Whether nothing suggests that the clock is wrong. */
    isSettled: isSettled(running, now.getTime()),
    /** Whether the owner should see to the clock. */
    hasJumped: isJumpShown(running, now.getTime()),
  }
}

export async function ranDaysBefore(db: Db, clock: Clock, days: number) {
  return (await readRunningTime(db, clock)).daysBefore(days)
}

/** Notes that the site runs, and unsets what a clock that was ahead has left. */
export async function noteRunningTime({ database: { db }, clock, log }: Parts) {
  const now = clock.now()
  const { noted, running } = await readNoted(db, now)
  if (running.jump && running.jump !== noted.jump) {
    const [from, to] = running.jump.map((moment) => new Date(moment).toISOString())
    log.warn({ from, to }, 'the clock jumped: see that this machine has the right time')
  }
  await db
    .updateTable('site')
    .set({ clock: JSON.stringify(running) })
    .execute()
  await unsetFutureMoments(db, now)
}

/** Later than any attempt is put off. */
const latestAttempt = 9 * hour

/** Of what the site itself has noted, never of what people wrote: a clock that is behind would change all of it. */
async function unsetFutureMoments(db: Db, now: Date) {
  const present = now.toISOString()
  const latest = latestMoment(now).toISOString()
  const inADay = new Date(now.getTime() + day).toISOString()
  const attempts = new Date(now.getTime() + latestAttempt).toISOString()
  await db.updateTable('outbox').set({ nextAttemptAt: present }).where('nextAttemptAt', '>', attempts).execute()
  await db.updateTable('site').set({ remindedAt: null }).where('remindedAt', '>', latest).execute()
  await db.updateTable('images').set({ unreferencedSince: null }).where('unreferencedSince', '>', latest).execute()
  await db.updateTable('knownBackups').set({ copiedAt: present }).where('copiedAt', '>', latest).execute()
  await db
    .updateTable('contactPhotos')
    .set({ createdAt: present })
    .where('contactId', 'is', null)
    .where('createdAt', '>', latest)
    .execute()
  await db.updateTable('uploadTickets').set({ expiresAt: present }).where('expiresAt', '>', inADay).execute()
  await db.deleteFrom('loginAttempts').where('lastFailure', '>', latest).execute()
  await db.deleteFrom('requestCounts').where('windowEnds', '>', inADay).execute()
  const { nightDoneAt, nightFault, copyFault, trial, mailedAt } = await readBackupJobs(db)
  const moments = { nightDoneAt, mailedAt, nightFault: nightFault?.at, copyFault: copyFault?.at, trial: trial?.at }
  const future = Object.entries(moments).filter(([, moment]) => moment && isFuture(moment, now))
  if (future.length > 0) await updateBackupJobs(db, Object.fromEntries(future.map(([column]) => [column, null])))
}

/** In milliseconds since 1970. */
type Span = readonly [from: number, to: number]

/** What is noted of when the site ran. */
export type RunningTime = {
  /** By the clock, when it was noted last. */
  seenAt: number | null
  /** When the site did not run, or its clock was ahead. */
  gaps: readonly Span[]
  /** The last time the clock was set back, or ahead by so much that it may be wrong. */
  jump: Span | null
}

/** Notes are an hour apart; a machine may sleep for a night. */
const longestPause = day
/** A site may be switched off for weeks. */
const longestAbsence = 30 * day
/** The newest are enough: nothing is kept for longer than the time between so many. */
const mostGaps = 100
const daysShown = 7

/** As it is noted now. A clock that is ahead for a while leaves no gap once it is right again. */
export function runningAt({ seenAt, gaps, jump }: RunningTime, now: number): RunningTime {
  const passed = seenAt === null ? 0 : now - seenAt
  const all: Span[] = seenAt !== null && passed > longestPause ? [...gaps, [seenAt, now]] : [...gaps]
  const past = all.map(([from, to]): Span => [from, Math.min(to, now)]).filter(([from, to]) => from < to)
  const isJump = seenAt !== null && (passed < -longestPause || passed > longestAbsence)
  return { seenAt: now, gaps: past.slice(-mostGaps), jump: isJump ? [seenAt, now] : jump }
}

/** Since when the site has run for so many days: what is deleted by its age must be older. */
export function ranSince({ gaps }: RunningTime, now: number, days: number) {
  return gaps.reduceRight((since, [from, to]) => (to > since ? since - (to - from) : since), now - days * day)
}

/** Whether the site has run for a day since a gap so long that its clock may be wrong. */
export function isSettled({ gaps }: RunningTime, now: number) {
  return gaps.every(([from, to]) => to - from <= longestAbsence || now - to > day)
}

export function isJumpShown({ jump }: RunningTime, now: number) {
  return jump !== null && jump[1] <= now && now - jump[1] < daysShown * day
}
