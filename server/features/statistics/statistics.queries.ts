import { type RawBuilder, sql } from 'kysely'
import { countedDays, keyOf, type Sum, type SumKind } from '#contract/statistics.ts'
import { type Clock, dayIn } from '#server/clock.ts'
import type { Database } from '#server/database/open.ts'
import { someAtATime } from '#server/database/slices.ts'
import type { Db } from '#server/database/tables.ts'
import { ranDaysBefore } from '#server/jobs/running-time.ts'
import { addAll, addTo, type Counted } from './statistics.rules.ts'

/** Otherwise what one process counts could be written after another one has turned counting off. */
const lock = 'statistics'

/** Adds to what is there, so that several processes add up. Adds nothing while counting is off: answers whether it is on. */
export function addSums(database: Database, batch: ReadonlyMap<string, Counted>) {
  return database.exclusively(lock, async (tx) => {
    if (!(await isCounting(tx))) return false
    for (const [day, counted] of batch) await addDay(tx, day, counted)
    return true
  })
}

async function addDay(tx: Db, day: string, counted: Counted) {
  const present = await tx.selectFrom('statistics').select(['kind', 'name']).where('day', '=', day).execute()
  // The limits hold for the day, whatever each process and each minute brings.
  const all: Counted = new Map()
  for (const { kind, name } of present) addTo(all, kind, name, 0)
  addAll(all, counted)
  const sums = [...all].flatMap(([kind, names]) => [...names].map(([name, count]): Sum => ({ day, kind, name, count })))
  const added = sql<number>`statistics.count + excluded.count`
  await store(
    tx,
    sums.filter(({ count }) => count > 0),
    added,
  )
}

/** Of a backup: the larger number counts, so that what is restored twice, or was never lost, is not counted twice. */
export async function restoreSums(tx: Db, sums: readonly Sum[]) {
  if (!(await isCounting(tx))) return
  const larger = sql<number>`case when excluded.count > statistics.count then excluded.count else statistics.count end`
  await store(tx, sums, larger)
}

/** Where there is a sum already, it becomes `count`. */
async function store(tx: Db, sums: readonly Sum[], count: RawBuilder<number>) {
  // Two transactions that lock rows in different orders would wait for each other.
  const inOrder = sums.toSorted((one, other) => (keyOf(one) < keyOf(other) ? -1 : 1))
  for await (const some of someAtATime(inOrder)) {
    await tx
      .insertInto('statistics')
      .values(some)
      .onConflict((conflict) => conflict.columns(['day', 'kind', 'name']).doUpdateSet({ count }))
      .execute()
  }
}

/** All of them, in order. */
export function listSums(db: Db): Promise<Sum[]> {
  return db.selectFrom('statistics').selectAll().orderBy('day').orderBy('kind').orderBy('name').execute()
}

export async function isCounting(db: Db) {
  return (await db.selectFrom('site').select('countsVisits').executeTakeFirstOrThrow()).countsVisits
}

/** Turned off, it deletes all sums. `note` is called in the transaction; nothing is done where it is so already. */
export function switchCounting(database: Database, on: boolean, note: (tx: Db) => Promise<void>) {
  return database.exclusively(lock, async (tx) => {
    if ((await isCounting(tx)) === on) return
    await tx.updateTable('site').set({ countsVisits: on }).execute()
    if (!on) await tx.deleteFrom('statistics').execute()
    await note(tx)
  })
}

/** Visits by day, to the last one. */
export async function visitsByDay(db: Db, from: string, until: string) {
  const rows = await db
    .selectFrom('statistics')
    .select(['day', 'count'])
    .where('kind', '=', 'visits')
    .where('day', '>=', from)
    .where('day', '<=', until)
    .execute()
  return new Map(rows.map(({ day, count }) => [day, count]))
}

export async function firstDay(db: Db) {
  const first = await db.selectFrom('statistics').select('day').orderBy('day').limit(1).executeTakeFirst()
  return first?.day ?? null
}

/** What has a name, from a day to the last one: the largest first. */
export async function namedSums(db: Db, from: string, until: string) {
  const rows = await db
    .selectFrom('statistics')
    .select(['kind', 'name', (row) => row.fn.sum<number>('count').as('total')])
    .where('day', '>=', from)
    .where('day', '<=', until)
    .where('name', '!=', '')
    .groupBy(['kind', 'name'])
    .execute()
  const sums = rows.map(({ total, ...row }) => ({ ...row, count: Number(total) }))
  const sorted = sums.toSorted((one, other) => other.count - one.count || one.name.localeCompare(other.name))
  return (kind: SumKind) => sorted.filter((row) => row.kind === kind)
}

export async function sweepStatistics(db: Db, clock: Clock, timeZone: string) {
  const before = await ranDaysBefore(db, clock, countedDays)
  await db.deleteFrom('statistics').where('day', '<', dayIn(timeZone, before)).execute()
}
