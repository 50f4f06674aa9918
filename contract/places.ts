/** A place in a list that goes from the newest to the oldest: that of a record which may be gone by now. */
export type PlaceInList = { createdAt: string; id: string }

/** Where the next page begins: behind the last record of this one. */
export function placeOf({ createdAt, id }: { createdAt: string | null; id: string }) {
  return `${createdAt},${id}`
}
