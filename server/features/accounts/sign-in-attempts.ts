import { createHash } from 'node:crypto'
import type { Clock } from '#server/clock.ts'
import type { Database } from '#server/database/open.ts'
import type { Db } from '#server/database/tables.ts'
import { Problem } from '#server/http/problem.ts'
import { countedAddress } from '#server/http/visitor-address.rules.ts'
import { ranDaysBefore } from '#server/running-time.ts'
import { nameKeyOf } from './accounts.rules.ts'
import { type Brake, brakes, secondsLeft } from './sign-in-attempts.rules.ts'

type Parts = { database: Database; clock: Clock }

/** What failures are counted by. */
export type Counted = {
  subject: string
  brake: Brake
  /** While there is no failure at the first of the subjects. */
  brakeAtFirst?: Brake
}

/** A guess from anywhere: by the account at that address, by the address, and by the account. */
export function countedAnywhere(username: string, address: string): Counted[] {
  const account = nameKeyOf(username)
  const place = countedAddress(address)
  return [
    { subject: subjectOf('account at address', `${place} ${account}`), brake: brakes.accountAtAddress },
    { subject: subjectOf('address', place), brake: brakes.address },
    { subject: subjectOf('account', account), brake: brakes.account, brakeAtFirst: brakes.accountUnderAttack },
  ]
}

/** By a browser that has signed in to the account before: failures of others do not delay it. */
export function countedByDevice(deviceId: string): Counted[] {
  return [{ subject: subjectOf('device', deviceId), brake: brakes.device }]
}

/** By account in a session, which may be a stolen one. Apart from sign-in, so that guesses there do not delay it. */
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
    const known = new Map(rows.map((row) => [row.subject, row]))
    const isFirst = !known.has(subjects[0] ?? '')
    const left = Math.max(
      ...counted.map(({ subject, brake, brakeAtFirst = brake }) =>
        secondsLeft(known.get(subject), isFirst ? brakeAtFirst : brake, now),
      ),
    )
    if (left > 0) throw new Problem('too_many_attempts', { details: { seconds: left }, retryAfterSeconds: left })
    for (const subject of subjects) {
      const mistaken = { failures: (known.get(subject)?.failures ?? 0) + 1, lastFailure: now.toISOString() }
      await tx
        .insertInto('loginAttempts')
        .values({ subject, ...mistaken })
        .onConflict((conflict) => conflict.column('subject').doUpdateSet(mistaken))
        .execute()
    }
    return {
      /** The password was right: earlier failures do not count any more. */
      async forgive() {
        await database.db.deleteFrom('loginAttempts').where('subject', 'in', subjects).execute()
      },
    }
  })
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
