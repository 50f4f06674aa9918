import { createHash } from 'node:crypto'
import { type Clock, daysBefore } from '#server/clock.ts'
import type { Database } from '#server/database/open.ts'
import type { Db } from '#server/database/tables.ts'
import { Problem } from '#server/http/problem.ts'
import { nameKeyOf } from './admins.rules.ts'
import { freeMistakes, secondsLeft } from './attempts.rules.ts'

type Parts = { database: Database; clock: Clock }

/**
 * Counts an attempt against the account name and the address it comes from, or refuses to hear it. Counted before the
 * password is looked at, so that a hundred attempts at once are a hundred attempts.
 */
export function countAttempt(
  { database, clock }: Parts,
  username: string,
  address: string,
): Promise<{ forgive(): Promise<void> }> {
  const subjects = [
    { subject: subjectOf('account', nameKeyOf(username)), free: freeMistakes.account },
    { subject: subjectOf('address', address), free: freeMistakes.address },
  ]
  return database.exclusively('login attempts', async (tx) => {
    const now = clock.now()
    const names = subjects.map(({ subject }) => subject)
    const known = await tx.selectFrom('loginAttempts').selectAll().where('subject', 'in', names).execute()
    const left = Math.max(
      ...subjects.map(({ subject, free }) =>
        secondsLeft(
          known.find((row) => row.subject === subject),
          free,
          now,
        ),
      ),
    )
    if (left > 0) throw new Problem('too_many_attempts', { message: tooMany(left), retryAfterSeconds: left })
    for (const subject of names) {
      const failures = (known.find((row) => row.subject === subject)?.failures ?? 0) + 1
      const counted = { failures, lastFailure: now.toISOString() }
      await tx
        .insertInto('loginAttempts')
        .values({ subject, ...counted })
        .onConflict((conflict) => conflict.column('subject').doUpdateSet(counted))
        .execute()
    }
    return {
      /** The password was right: the mistakes before it do not count any more. */
      async forgive() {
        await database.db.deleteFrom('loginAttempts').where('subject', 'in', names).execute()
      },
    }
  })
}

function tooMany(seconds: number) {
  return `Too many failed attempts. Please try again in ${seconds === 1 ? 'one second' : `${seconds} seconds`}.`
}

/** After a day without a mistake, nobody remembers the earlier ones. */
export async function sweepAttempts(db: Db, clock: Clock) {
  const yesterday = daysBefore(clock.now(), 1)
  await db.deleteFrom('loginAttempts').where('lastFailure', '<', yesterday.toISOString()).execute()
}

/** Hashed, because people type passwords into the name field, and addresses are nobody's business. */
function subjectOf(kind: string, value: string) {
  return createHash('sha256').update(`${kind}:${value}`).digest('hex')
}
