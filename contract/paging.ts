import { z } from 'zod/mini'
import type { PlaceByRank } from './first-visit.ts'
import { storableMoment } from './text.ts'

/** From the newest to the oldest, and those of one moment by their ids; the record may be gone by now. */
export type PlaceInList = { createdAt: string; id: string }
/** From the last deleted to the first. */
export type PlaceInTrash = { deletedAt: string; id: string }
/** Among those that wait for an answer, from the oldest to the newest, or among the others, from the newest to the oldest. */
export type PlaceAmongContacts = PlaceInList & { isWaiting: boolean }

/** Where the next page begins: behind the last record of this one. */
export const placeOf = ({ createdAt, id }: { createdAt: string | null; id: string }) => `${createdAt},${id}`
export const placeAmongContactsOf = ({ createdAt, id, isWaiting }: PlaceAmongContacts) =>
  `${isWaiting ? 'new,' : ''}${createdAt},${id}`

/** How many of a list to answer at once. */
export const pageLimit = z.optional(
  z.pipe(
    z.string().check(z.regex(/^([1-9]\d?|100)$/, 'The limit must be a number from 1 to 100.')),
    z.transform((digits) => Number(digits)),
  ),
)

const isMoment = (text: string) => storableMoment.safeParse(text).success

export const placeInList = place<PlaceInList>((createdAt, id) => isMoment(createdAt) && { createdAt, id })

export const placeInTrash = place<PlaceInTrash>((deletedAt, id) => isMoment(deletedAt) && { deletedAt, id })

/** Where a project is or was; its id alone does while it is there. */
export const placeByRank = z.union([
  z.pipe(
    z.uuid(),
    z.transform((id) => ({ id })),
  ),
  place<PlaceByRank>((rank, id) => /^-?\d+(\.\d+)?(e[+-]\d+)?$/.test(rank) && { rank: Number(rank), id }),
])

/** Those that wait for an answer come before the others. */
export const placeAmongContacts = z.pipe(
  z.string().check(z.maxLength(100)),
  z.transform((text, context): PlaceAmongContacts => {
    const isWaiting = text.startsWith('new,')
    const result = placeInList.safeParse(isWaiting ? text.slice('new,'.length) : text)
    if (result.success) return { ...result.data, isWaiting }
    context.issues.push({ code: 'custom', message: 'This is not a place in a list.', input: text })
    return z.NEVER
  }),
)

function place<Place>(read: (value: string, id: string) => Place | false) {
  return z.pipe(
    z.string().check(z.maxLength(100)),
    z.transform((text, context): Place => {
      const [value = '', id = '', ...more] = text.split(',')
      const place = z.uuid().safeParse(id).success && more.length === 0 && read(value, id)
      if (place) return place
      context.issues.push({ code: 'custom', message: 'This is not a place in a list.', input: text })
      return z.NEVER
    }),
  )
}
