import { set } from 'react-hook-form'
import { type FieldName, fieldNames } from './form-fields.ts'
import { type ProjectValues, valueAt, valuesOf } from './project-form.rules.ts'

export type Side = 'yours' | 'theirs'
type Sides = Readonly<Partial<Record<FieldName, Side>>>

/** A field in which what was typed and what was saved meanwhile differ. */
export type Difference = {
  name: FieldName
  /** The one preselected: yours where you changed it. */
  side: Side
  /** Both have changed it. */
  contested: boolean
}

/** `began` is the version the typing began with; nothing is known of it in forms kept by an earlier release. */
export function differencesOf(began: ProjectValues | undefined, yours: ProjectValues, theirs: ProjectValues): Difference[] {
  const isSame = (name: FieldName, one: ProjectValues, other: ProjectValues) => same(valueAt(one, name), valueAt(other, name))
  return fieldNames
    .filter((name) => !isSame(name, yours, theirs))
    .map((name) => {
      const yoursChanged = !began || !isSame(name, began, yours)
      const theirsChanged = !began || !isSame(name, began, theirs)
      return { name, side: yoursChanged ? 'yours' : 'theirs', contested: yoursChanged && theirsChanged }
    })
}

/** What was typed, with theirs where that was chosen. */
export function chosenOf(yours: ProjectValues, theirs: ProjectValues, sides: Sides): ProjectValues {
  const chosen = valuesOf(yours)
  for (const name of fieldNames) if (sides[name] === 'theirs') set(chosen, name, valueAt(theirs, name))
  return chosen
}

/** Blanks around a text are not stored, so they are no difference. */
function same(one: unknown, other: unknown) {
  const plain = (value: unknown) => JSON.stringify(value, (_, part: unknown) => (typeof part === 'string' ? part.trim() : part))
  return plain(one) === plain(other)
}
