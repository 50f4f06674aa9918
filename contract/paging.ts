import { z } from 'zod/mini'
import { moment } from './text.ts'

/** How many of a list to answer at once. */
export const pageLimit = z.optional(
  z.pipe(
    z.string().check(z.regex(/^([1-9]\d?|100)$/, 'The limit must be a number from 1 to 100.')),
    z.transform((digits) => Number(digits)),
  ),
)

/** A place in a list that goes from the newest to the oldest: that of a record which may be gone by now. */
export type PlaceInList = { createdAt: string; id: string }

export const placeInList = z.pipe(
  z.string().check(z.maxLength(100)),
  z.transform((text, context): PlaceInList => {
    const [createdAt = '', id = '', ...more] = text.split(',')
    const isPlace = moment.safeParse(createdAt).success && z.uuid().safeParse(id).success && more.length === 0
    if (!isPlace) context.issues.push({ code: 'custom', message: 'This is not a place in a list.', input: text })
    return { createdAt, id }
  }),
)

/** Where the next page begins: behind the last record of this one. */
export function placeOf({ createdAt, id }: { createdAt: string | null; id: string }) {
  return `${createdAt},${id}`
}
