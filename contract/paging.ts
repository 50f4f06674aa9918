import { z } from 'zod/mini'
import type { PlaceInList } from './places.ts'
import { moment } from './text.ts'

/** How many of a list to answer at once. */
export const pageLimit = z.optional(
  z.pipe(
    z.string().check(z.regex(/^([1-9]\d?|100)$/, 'The limit must be a number from 1 to 100.')),
    z.transform((digits) => Number(digits)),
  ),
)

export const placeInList = z.pipe(
  z.string().check(z.maxLength(100)),
  z.transform((text, context): PlaceInList => {
    const [createdAt = '', id = '', ...more] = text.split(',')
    const isPlace = moment.safeParse(createdAt).success && z.uuid().safeParse(id).success && more.length === 0
    if (!isPlace) context.issues.push({ code: 'custom', message: 'This is not a place in a list.', input: text })
    return { createdAt, id }
  }),
)
