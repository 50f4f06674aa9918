export type Side = 'yours' | 'saved'

/**
 * How a value of the form differs from the saved one, by what it was when editing began; undefined where they are the same.
 * The side is the one to preselect: yours where you changed it. `contested` is what both have changed.
 */
export function compare<Value>(began: Value, yours: Value, saved: Value, isSame: (one: Value, other: Value) => boolean) {
  if (isSame(yours, saved)) return undefined
  const isYours = !isSame(began, yours)
  const side: Side = isYours ? 'yours' : 'saved'
  return { side, contested: isYours && !isSame(began, saved) }
}
