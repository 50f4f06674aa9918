export type Side = 'yours' | 'saved'

/** A value when editing began, and what it is now in the form and on the site. */
export type ThreeWay<Value> = { began: Value; yours: Value; saved: Value }

/**
 * How the two differ; undefined where they are the same. The side is the one to preselect: yours where you changed it.
 * `contested` is what both have changed.
 */
export function compare<Value>({ began, yours, saved }: ThreeWay<Value>, isSame: (one: Value, other: Value) => boolean) {
  if (isSame(yours, saved)) return undefined
  const isYours = !isSame(began, yours)
  const side: Side = isYours ? 'yours' : 'saved'
  return { side, contested: isYours && !isSame(began, saved) }
}
