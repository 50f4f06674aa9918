import { randomUUID } from 'node:crypto'
import type { ActivityDetails, ActivityKind } from '#contract/activity.ts'
import { type Clock, hour } from '#server/clock.ts'
import type { Db } from '#server/database/tables.ts'
import { ranDaysBefore } from '#server/jobs/running-time.ts'

type Doer = { adminId: string; username: string }
type Noted = { kind: ActivityKind } & ActivityDetails

/** Call it in the transaction of what was done. */
export async function noteActivity(tx: Db, doer: Doer | undefined, { kind, ...details }: Noted, now: Date) {
  const who = { adminId: doer?.adminId ?? null, account: doer?.username ?? null }
  await tx
    .insertInto('activity')
    .values({ id: randomUUID(), at: now.toISOString(), ...who, kind, details: JSON.stringify(details) })
    .execute()
}

const keptDays = 400

export async function sweepActivity(db: Db, clock: Clock) {
  const before = await ranDaysBefore(db, clock, keptDays)
  await db.deleteFrom('activity').where('at', '<', before.toISOString()).execute()
}

/** Failures of one account within the hour are one entry with their number: strangers can make any number of them. */
export async function noteFailedSignIn(tx: Db, doer: Doer | undefined, now: Date) {
  const kind: ActivityKind = 'sign_in_failed'
  const anHourAgo = new Date(now.getTime() - hour).toISOString()
  const latest = await tx
    .selectFrom('activity')
    .select(['id', 'details'])
    .where('at', '>', anHourAgo)
    .where('kind', '=', kind)
    .where('adminId', doer ? '=' : 'is', doer?.adminId ?? null)
    .executeTakeFirst()
  if (!latest) return noteActivity(tx, doer, { kind, count: 1 }, now)
  const details = JSON.stringify({ ...latest.details, count: (latest.details.count ?? 1) + 1 })
  await tx.updateTable('activity').set({ details }).where('id', '=', latest.id).execute()
}
