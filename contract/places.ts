/** A place in a list that goes from the highest to the lowest value, and through one value by the ids; the record may be gone by now. */
type Place<Column extends string, Value> = Record<Column, Value> & { id: string }

/** From the newest to the oldest. */
export type PlaceInList = Place<'createdAt', string>
/** In the maker's order. */
export type PlaceByRank = Place<'rank', number>
/** From the last deleted to the first. */
export type PlaceInTrash = Place<'deletedAt', string>
/** Among those that wait for an answer, from the oldest to the newest, or among the others, from the newest to the oldest. */
export type PlaceAmongContacts = PlaceInList & { isWaiting: boolean }

/** Where the next page begins: behind the last record of this one. */
export const placeOf = ({ createdAt, id }: { createdAt: string | null; id: string }) => `${createdAt},${id}`
export const placeByRankOf = ({ rank, id }: PlaceByRank) => `${rank},${id}`
export const placeAmongContactsOf = ({ createdAt, id, isWaiting }: PlaceAmongContacts) =>
  `${isWaiting ? 'new,' : ''}${createdAt},${id}`
