import { defaultOf, differing } from '#content/server-texts.ts'
import { storedHash } from '#contract/first-visit.ts'
import type { ValueFault } from '#contract/problems.ts'
import {
  type FieldChanges,
  fieldFaultOf,
  type OwnFields,
  ruleOfField,
  type SiteField,
  withChanges,
} from '#contract/site-fields.ts'

type Entry = [SiteField, string | null]

const entriesOf = (changes: FieldChanges) => Object.entries(changes) as Entry[]

/** The faults of tidied changes; photos must be stored. */
export function faultsOf(changes: FieldChanges, storedPhotos: ReadonlyMap<string, unknown>): ValueFault[] {
  return entriesOf(changes).flatMap(([field, value]) => {
    if (value === null) return []
    const isLost = ruleOfField(field).kind === 'photo' && !storedPhotos.has(storedHash(value) ?? '')
    return fieldFaultOf(field, value) ?? (isLost ? { field, fault: 'not_uploaded' } : [])
  })
}

/** Without changes that equal what is published; a value that equals the default becomes null. */
export function settledChanges(published: OwnFields, changes: FieldChanges): FieldChanges {
  const all = withChanges(published, changes)
  const settled = entriesOf(changes).map(([field, value]): Entry => [field, value === defaultOf(field, all) ? null : value])
  return Object.fromEntries(settled.filter(([field, value]) => value !== (published[field] ?? null)))
}

/** The fields to store: only those that differ from the defaults. */
export function fieldsToPublish(published: OwnFields, changes: FieldChanges): OwnFields {
  return differing(withChanges(published, changes))
}

/** How many fields differ. */
export function countChanged(fields: OwnFields, before: OwnFields) {
  const names = new Set([...Object.keys(fields), ...Object.keys(before)] as SiteField[])
  return [...names].filter((field) => fields[field] !== before[field]).length
}
