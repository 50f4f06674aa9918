import { type FieldName, type ProjectValues, valuesOf } from './project-form.rules.ts'

export type Side = 'yours' | 'theirs'
type Sides = Readonly<Partial<Record<FieldName, Side>>>

/** A field in which what was typed and what was saved meanwhile differ. */
export type Difference = {
  name: FieldName
  /** Whose it is, until somebody chooses: what you have changed is yours, what only they have changed is theirs. */
  side: Side
  /** Both have changed it. */
  contested: boolean
}

/** `began` is the version the typing began with; nothing is known of it in forms kept by an earlier release. */
export function differencesOf(began: ProjectValues | undefined, yours: ProjectValues, theirs: ProjectValues): Difference[] {
  const names = Object.keys(valuesOf()) as FieldName[]
  return names
    .filter((name) => !same(yours[name], theirs[name]))
    .map((name) => {
      const yoursChanged = !began || !same(began[name], yours[name])
      const theirsChanged = !began || !same(began[name], theirs[name])
      return { name, side: yoursChanged ? 'yours' : 'theirs', contested: yoursChanged && theirsChanged }
    })
}

/** What was typed, with theirs where that was chosen. */
export function chosenOf(yours: ProjectValues, theirs: ProjectValues, sides: Sides): ProjectValues {
  const taken = Object.entries(theirs).filter(([name]) => sides[name as FieldName] === 'theirs')
  return { ...yours, ...Object.fromEntries(taken) }
}

/** Blanks around a text are not stored, so they are no difference. */
function same(one: ProjectValues[FieldName], other: ProjectValues[FieldName]) {
  const plain = (value: ProjectValues[FieldName]) =>
    JSON.stringify(value, (_, part: unknown) => (typeof part === 'string' ? part.trim() : part))
  return plain(one) === plain(other)
}
