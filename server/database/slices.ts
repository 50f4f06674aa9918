import { setImmediate as nextTurn } from 'node:timers/promises'
import type { ExpressionBuilder, SelectQueryBuilder } from 'kysely'
import type { PlaceInList } from '#contract/places.ts'
import type { Tables } from './tables.ts'

/** So many records are read, written or answered at a time: few enough that whoever asks meanwhile hardly waits. */
export const slice = 200

type Listed = 'projects' | 'contactMessages'
type Row = ExpressionBuilder<Tables, Listed>

export type Page = { limit: number; after?: PlaceInList | undefined }

/** A page of a list that goes from the newest to the oldest, and through one moment by the ids. */
export function newestFirst<Table extends Listed, Found>(
  query: SelectQueryBuilder<Tables, Table, Found>,
  { limit, after }: Page,
) {
  // What holds for one of the tables holds for the others: they are ordered by the same columns.
  const all = (query as unknown as SelectQueryBuilder<Tables, 'projects', Found>)
    .orderBy('createdAt', 'desc')
    .orderBy('id')
    .limit(limit)
  return after ? all.where(isBehind(after)) : all
}

/** Behind that place in such a list. */
function isBehind({ createdAt, id }: PlaceInList) {
  // The first condition says nothing new, and lets an index lead to the place.
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

/** A list as long as it may be, in slices; others have their turn in between. */
export async function* inSlices<Row extends PlaceInList>(
  read: (limit: number, after: PlaceInList | undefined) => Promise<Row[]>,
): AsyncGenerator<Row[]> {
  let last: Row | undefined
  do {
    const rows = await read(slice, last)
    if (rows.length > 0) yield rows
    last = rows.length === slice ? rows.at(-1) : undefined
    // The built-in database answers at once, and nobody else would be heard until the end.
    await nextTurn()
  } while (last)
}

/** What is at hand already, in slices: a statement takes only so many values, and others want their turn. */
export async function* someAtATime<T>(all: readonly T[]): AsyncGenerator<T[]> {
  for (let start = 0; start < all.length; start += slice) {
    yield all.slice(start, start + slice)
    await nextTurn()
  }
}
