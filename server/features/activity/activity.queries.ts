import { randomUUID } from 'node:crypto'
import { type ActivityDetails, type ActivityGroup, type ActivityKind, activityKinds, keptDays } from '#contract/activity.ts'
import { type Clock, hour } from '#server/clock.ts'
import { comesBehind, listedBy, type Page } from '#server/database/slices.ts'
import type { Db } from '#server/database/tables.ts'
import { asDiskProblem, Problem } from '#server/http/problem.ts'
import { ranDaysBefore } from '#server/jobs/running-time.ts'

export type Doer = { adminId: string; username: string }
export const doerOf = ({ id, username }: { id: string; username: string }): Doer => ({ adminId: id, username })

type Noted = { kind: ActivityKind; id?: string | undefined } & ActivityDetails

/** Call it in the transaction of what was done. The same id again replaces the details of that entry. */
export async function noteActivity(tx: Db, doer: Doer | undefined, { kind, id = randomUUID(), ...noted }: Noted, now: Date) {
  const who = { adminId: doer?.adminId ?? null, account: doer?.username ?? null }
  const details = JSON.stringify(noted)
  await tx
    .insertInto('activity')
    .values({ id, at: now.toISOString(), ...who, kind, details })
    .onConflict((conflict) => conflict.column('id').doUpdateSet({ details }))
    .execute()
}

/** Before something is handed out. On a full disk it is handed out all the same: a backup may be the way to make room. */
export async function noteDownload(db: Db, doer: Doer, noted: Noted, now: Date) {
  await noteActivity(db, doer, noted, now).catch((error: unknown) => {
    if (!(asDiskProblem(error) instanceof Problem)) throw error
  })
}

type Filter = { person?: string | undefined; group?: ActivityGroup | undefined }

/** Newest first. Of a group a list for each kind, which an index has in order. */
export async function listActivity(db: Db, { person, group }: Filter, page: Page<'at'>) {
  let all = db.selectFrom('activity').selectAll()
  if (person === 'none') all = all.where('adminId', 'is', null)
  else if (person === 'deleted') all = all.where('adminId', 'not in', db.selectFrom('adminUsers').select('id'))
  else if (person) all = all.where('adminId', '=', person)
  if (!group) return listedBy('at', all, page).execute()
  const lists = activityKinds[group].map((kind) => listedBy('at', all.where('kind', '=', kind), page).execute())
  const rows = (await Promise.all(lists)).flat()
  return rows.toSorted((one, other) => (comesBehind('at', one, other) ? 1 : -1)).slice(0, page.limit)
}

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
  await noteActivity(tx, doer, { kind, id: latest?.id, count: (latest?.details.count ?? 0) + 1 }, now)
}
