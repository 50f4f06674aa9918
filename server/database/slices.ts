import { setImmediate as nextTurn } from 'node:timers/promises'
import type { ExpressionBuilder } from 'kysely'
import type { PlaceInList } from '#contract/places.ts'
import type { Tables } from './tables.ts'

/** So many records are read, written or answered at a time: few enough that whoever asks meanwhile hardly waits. */
export const slice = 200

type Row = ExpressionBuilder<Tables, 'projects' | 'contactMessages'>

/** Behind that place in a list that goes from the newest to the oldest, and through one moment by the ids. */
export function isBehind({ createdAt, id }: PlaceInList) {
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
