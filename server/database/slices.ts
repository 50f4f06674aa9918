import { setImmediate as nextTurn } from 'node:timers/promises'
import type { ExpressionBuilder, SelectQueryBuilder } from 'kysely'
import type { Db, Tables } from './tables.ts'

/** Records that are read, written or answered at a time: few enough that other requests hardly wait. */
export const slice = 200

/** Lists are sorted by one of these, from the highest value to the lowest, and by id where values are equal. */
type Column = 'createdAt' | 'rank' | 'deletedAt' | 'at'
/** The place of a record, which may be gone by now, in such a list. */
type Place<By extends Column> = Record<By, By extends 'rank' ? number : string> & { id: string }

type Listed = 'projects' | 'contactMessages' | 'activity'
type Row = ExpressionBuilder<Tables, 'projects'>
// The columns have several types: this one stands for all.
type AnyColumn = 'createdAt'
type AnyValue = string

export type Page<By extends Column> = { limit: number; after?: Place<By> | undefined }

/** A page of such a list. */
export function listedBy<Table extends Listed, Selected, By extends Column>(
  by: By,
  query: SelectQueryBuilder<Tables, Table, Selected>,
  { limit, after }: Page<By>,
) {
  // All tables that are listed by a column have it.
  const all = (query as unknown as SelectQueryBuilder<Tables, 'projects', Selected>)
    .orderBy(by as AnyColumn, 'desc')
    .orderBy('id')
    .limit(limit)
  return after ? all.where(isBehind(by, after)) : all
}

/** The same from the end of the list to its beginning. */
export function listedBackwards<Table extends Listed, Selected, By extends Column>(
  by: By,
  query: SelectQueryBuilder<Tables, Table, Selected>,
  { limit, after }: Page<By>,
) {
  const all = (query as unknown as SelectQueryBuilder<Tables, 'projects', Selected>)
    .orderBy(by as AnyColumn)
    .orderBy('id', 'desc')
    .limit(limit)
  return after ? all.where(isBefore(by, after)) : all
}

/** Behind that place in such a list. */
function isBehind<By extends Column>(by: By, place: Place<By>) {
  const [column, value, id] = [by as AnyColumn, place[by] as AnyValue, place.id]
  // The first condition follows from the second, and lets an index be used.
  return (row: Row) => row.and([row(column, '<=', value), row.or([row(column, '<', value), row('id', '>', id)])])
}

export function isBefore<By extends Column>(by: By, place: Place<By>) {
  const [column, value, id] = [by as AnyColumn, place[by] as AnyValue, place.id]
  return (row: Row) => row.and([row(column, '>=', value), row.or([row(column, '>', value), row('id', '<', id)])])
}

/** The same of a record that has been read. */
export function comesBehind<By extends Column>(by: By, place: Place<By>, other: Place<By>) {
  return place[by] < other[by] || (place[by] === other[by] && place.id > other.id)
}

/** A list of any length, in slices; other requests are served in between. */
export async function* inSlices<Place, Row extends Place>(
  read: (limit: number, after: Place | undefined) => Promise<Row[]>,
  size = slice,
): AsyncGenerator<Row[]> {
  let last: Row | undefined
  do {
    const rows = await read(size, last)
    if (rows.length > 0) yield rows
    last = rows.length === size ? rows.at(-1) : undefined
    // The built-in database answers synchronously: without this no other request would be served until the end.
    await nextTurn()
  } while (last)
}

/** What is in memory already, in slices: a statement takes a limited number of values. */
export async function* someAtATime<T>(all: readonly T[]): AsyncGenerator<T[]> {
  for (let start = 0; start < all.length; start += slice) {
    if (start > 0) await nextTurn()
    yield all.slice(start, start + slice)
  }
}

export async function countRows(db: Db, table: 'projects' | 'contactMessages' | 'adminUsers' | 'mergedRecords') {
  const { count } = await db
    .selectFrom(table)
    .select((row) => row.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** Whether texts together have all the words in them; accents and capitals do not count. */
export function matcherOf(words: string) {
  const searched = withoutAccents(words).split(/\s+/).filter(Boolean)
  return (texts: readonly (string | null)[]) => {
    if (searched.length === 0) return true
    const text = withoutAccents(texts.filter(Boolean).join(' '))
    return searched.every((word) => text.includes(word))
  }
}

export function withoutAccents(text: string) {
  return text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()
}
