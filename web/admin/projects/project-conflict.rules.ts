import { set } from 'react-hook-form'
import { compare, type Side } from '../conflict/conflict.rules.ts'
import { type FieldName, fieldNames } from './form-fields.ts'
import { type ProjectValues, valueAt, valuesOf } from './project-form.rules.ts'

type Sides = Readonly<Partial<Record<FieldName, Side>>>

/** The fields that differ between the form and the saved version; `began` is the version editing began with. */
export function differencesOf(began: ProjectValues, yours: ProjectValues, saved: ProjectValues) {
  return fieldNames.flatMap((name) => {
    const at = (values: ProjectValues): unknown => valueAt(values, name)
    const difference = compare({ began: at(began), yours: at(yours), saved: at(saved) }, same)
    return difference ? [{ name, ...difference }] : []
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
