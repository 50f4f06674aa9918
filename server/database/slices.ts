import { setImmediate as nextTurn } from 'node:timers/promises'
import type { ExpressionBuilder, SelectQueryBuilder } from 'kysely'
import type { PlaceInList } from '#contract/places.ts'
import type { Tables } from './tables.ts'

/** Records that are read, written or answered at a time: few enough that other requests hardly wait. */
export const slice = 200

type Listed = 'projects' | 'contactMessages'
type Row = ExpressionBuilder<Tables, Listed>

export type Page = { limit: number; after?: PlaceInList | undefined }

/** A page of a list that goes from the newest to the oldest, and through one moment by the ids. */
export function newestFirst<Table extends Listed, Found>(
  query: SelectQueryBuilder<Tables, Table, Found>,
  { limit, after }: Page,
) {
  // Both tables have these columns.
  const all = (query as unknown as SelectQueryBuilder<Tables, 'projects', Found>)
    .orderBy('createdAt', 'desc')
    .orderBy('id')
    .limit(limit)
  return after ? all.where(isBehind(after)) : all
}

/** Behind that place in such a list. */
function isBehind({ createdAt, id }: PlaceInList) {
  // The first condition follows from the second, and lets an index be used.
  return (row: Row) =>
    row.and([row('createdAt', '<=', createdAt), row.or([row('createdAt', '<', createdAt), row('id', '>', id)])])
}

export function isBefore({ createdAt, id }: PlaceInList) {
  return (row: Row) =>
    row.and([row('createdAt', '>=', createdAt), row.or([row('createdAt', '>', createdAt), row('id', '<', id)])])
}

/** The same of a record that has been read. */
export function comesBehind(place: PlaceInList, { createdAt, id }: PlaceInList) {
  return place.createdAt < createdAt || (place.createdAt === createdAt && place.id > id)
}

/** A list of any length, in slices; other requests are served in between. */
export async function* inSlices<Row extends PlaceInList>(
  read: (limit: number, after: PlaceInList | undefined) => Promise<Row[]>,
): AsyncGenerator<Row[]> {
  let last: Row | undefined
  do {
    const rows = await read(slice, last)
    if (rows.length > 0) yield rows
    last = rows.length === slice ? rows.at(-1) : undefined
    // The built-in database answers without waiting: without this no other request would be served until the end.
    await nextTurn()
  } while (last)
}

/** What is in memory already, in slices: a statement takes a limited number of values. */
export async function* someAtATime<T>(all: readonly T[]): AsyncGenerator<T[]> {
  for (let start = 0; start < all.length; start += slice) {
    yield all.slice(start, start + slice)
    await nextTurn()
  }
}
