import { set } from 'react-hook-form'
import { type FieldName, fieldNames } from './form-fields.ts'
import { type ProjectValues, valueAt, valuesOf } from './project-form.rules.ts'

export type Side = 'yours' | 'saved'
type Sides = Readonly<Partial<Record<FieldName, Side>>>

/** A field that differs between the form and the saved version. */
export type Difference = {
  name: FieldName
  /** The one preselected: yours where you changed it. */
  side: Side
  /** Both have changed it. */
  contested: boolean
}

/** `began` is the version editing began with. */
export function differencesOf(began: ProjectValues, yours: ProjectValues, saved: ProjectValues): Difference[] {
  const isSame = (name: FieldName, one: ProjectValues, other: ProjectValues) => same(valueAt(one, name), valueAt(other, name))
  return fieldNames
    .filter((name) => !isSame(name, yours, saved))
    .map((name) => {
      const yoursChanged = !isSame(name, began, yours)
      const savedChanged = !isSame(name, began, saved)
      return { name, side: yoursChanged ? 'yours' : 'saved', contested: yoursChanged && savedChanged }
    })
}

/** The values of the form, with the saved ones where they were chosen. */
export function chosenOf(yours: ProjectValues, saved: ProjectValues, sides: Sides): ProjectValues {
  const chosen = valuesOf(yours)
  for (const name of fieldNames) if (sides[name] === 'saved') set(chosen, name, valueAt(saved, name))
  return chosen
}

/** Blanks around a text are not stored: they are no difference. */
function same(one: unknown, other: unknown) {
  const plain = (value: unknown) => JSON.stringify(value, (_, part: unknown) => (typeof part === 'string' ? part.trim() : part))
  return plain(one) === plain(other)
}
