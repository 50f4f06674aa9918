import { createHash } from 'node:crypto'
import type { Clock } from '#server/clock.ts'
import type { Database } from '#server/database/open.ts'
import type { Db } from '#server/database/tables.ts'
import { Problem } from '#server/http/problem.ts'
import { countedAddress } from '#server/http/visitor.ts'
import { ranDaysBefore } from '#server/jobs/running-time.ts'
import { nameKeyOf } from './accounts.queries.ts'

type Attempts = { failures: number; lastFailure: string }

/** Failures without a delay, and the longest delay after later ones, in seconds. */
type Brake = { free: number; maxDelay: number }

const minutes = 60

/**
 * Failures are counted by account and address, so that others cannot lock the owner out, and by address, with a higher limit
 * because a household shares one. Attempts at one account from everywhere are delayed too, by little; the first attempt of an
 * address only when the account is attacked from thousands. A browser that has signed in before is counted by itself.
 */
export const brakes = {
  accountAtAddress: { free: 5, maxDelay: 5 * minutes },
  address: { free: 20, maxDelay: 5 * minutes },
  account: { free: 300, maxDelay: 30 },
  accountUnderAttack: { free: 3_000, maxDelay: 30 },
  device: { free: 5, maxDelay: 5 * minutes },
} as const satisfies Record<string, Brake>

/** How many seconds must pass after the latest failure: none at first, then doubling up to the longest wait. */
export function secondsToWait(failures: number, { free, maxDelay }: Brake) {
  return failures < free ? 0 : Math.min(2 ** (failures - free), maxDelay)
}

/** Seconds until another attempt is accepted; 0 when it is accepted now. */
export function secondsLeft(attempts: Attempts | undefined, brake: Brake, now: Date) {
  if (!attempts) return 0
  const wait = secondsToWait(attempts.failures, brake)
  const acceptedFrom = Date.parse(attempts.lastFailure) + wait * 1000
  // Never longer than the wait: the clock may have been ahead.
  return Math.min(wait, Math.max(0, Math.ceil((acceptedFrom - now.getTime()) / 1000)))
}

type Parts = { database: Database; clock: Clock }

/** What failures are counted by. */
export type Counted = {
  subject: string
  brake: Brake
  /** While there is no failure at the first of the subjects. */
  brakeAtFirst?: Brake
}

/** By the account at that address, by the address, and by the account. */
export function countedAnywhere(username: string, address: string): Counted[] {
  const account = nameKeyOf(username)
  const place = countedAddress(address)
  return [
    { subject: subjectOf('account at address', `${place} ${account}`), brake: brakes.accountAtAddress },
    ...countedAtAddress(address),
    { subject: subjectOf('account', account), brake: brakes.account, brakeAtFirst: brakes.accountUnderAttack },
  ]
}

/** By the address alone: for a passkey of no account. */
export function countedAtAddress(address: string): Counted[] {
  return [{ subject: subjectOf('address', countedAddress(address)), brake: brakes.address }]
}

/** By a browser that has signed in to the account before: failures of others do not delay it. */
export function countedByDevice(deviceId: string): Counted[] {
  return [{ subject: subjectOf('device', deviceId), brake: brakes.device }]
}

/** By account in a session, which may be a stolen one. Separate from sign-in, whose failures do not delay it. */
export function countedInSession(adminId: string, address: string): Counted[] {
  return [
    { subject: subjectOf('session at address', `${countedAddress(address)} ${adminId}`), brake: brakes.accountAtAddress },
    { subject: subjectOf('session', adminId), brake: brakes.account },
  ]
}

/** Counts an attempt or refuses it, before the password is compared: concurrent attempts are all counted. */
export function countAttempt({ database, clock }: Parts, counted: readonly Counted[]): Promise<{ forgive(): Promise<void> }> {
  const subjects = counted.map(({ subject }) => subject)
  return database.exclusively('login attempts', async (tx) => {
    const now = clock.now()
    const rows = await tx.selectFrom('loginAttempts').selectAll().where('subject', 'in', subjects).execute()
    const attempts = new Map(rows.map((row) => [row.subject, row]))
    const isFirst = !attempts.has(subjects[0] ?? '')
    const left = Math.max(
      ...counted.map(({ subject, brake, brakeAtFirst = brake }) =>
        secondsLeft(attempts.get(subject), isFirst ? brakeAtFirst : brake, now),
      ),
    )
    if (left > 0) throw new Problem('too_many_attempts', { details: { seconds: left }, retryAfterSeconds: left })
    for (const subject of subjects) {
      const failure = { failures: (attempts.get(subject)?.failures ?? 0) + 1, lastFailure: now.toISOString() }
      await tx
        .insertInto('loginAttempts')
        .values({ subject, ...failure })
        .onConflict((conflict) => conflict.column('subject').doUpdateSet(failure))
        .execute()
    }
    return {
      /** The password was right: earlier failures do not count any more. */
      forgive: () => forgiveAttempts(database.db, counted),
    }
  })
}

export async function forgiveAttempts(db: Db, counted: readonly Counted[]) {
  const subjects = counted.map(({ subject }) => subject)
  await db.deleteFrom('loginAttempts').where('subject', 'in', subjects).execute()
}

/** Failures are forgotten after a day without another. */
export async function sweepAttempts(db: Db, clock: Clock) {
  const yesterday = await ranDaysBefore(db, clock, 1)
  await db.deleteFrom('loginAttempts').where('lastFailure', '<', yesterday.toISOString()).execute()
}

/** Hashed: people type passwords into the name field, and addresses are personal data. */
function subjectOf(kind: string, value: string) {
  return createHash('sha256').update(`${kind}:${value}`).digest('hex')
}
