import { defaultOf, differing } from '#content/server-texts.ts'
import { fieldFaultOf } from '#contract/field-fault.ts'
import { storedHash } from '#contract/image-addresses.ts'
import type { ValueFault } from '#contract/problems.ts'
import { type FieldChanges, type OwnFields, ruleOfField, type SiteField, withChanges } from '#contract/site-fields.ts'

type Entry = [SiteField, string | null]

const entriesOf = (changes: FieldChanges) => Object.entries(changes) as Entry[]

/** What is wrong with tidied changes; a photo must be one of those that are stored. */
export function faultsOf(changes: FieldChanges, storedPhotos: ReadonlyMap<string, unknown>): ValueFault[] {
  return entriesOf(changes).flatMap(([field, value]) => {
    if (value === null) return []
    const isLost = ruleOfField(field).kind === 'photo' && !storedPhotos.has(storedHash(value) ?? '')
    return fieldFaultOf(field, value) ?? (isLost ? { field, fault: 'not_uploaded' } : [])
  })
}

/** Those that change something of what is published. What says the same as the site came with goes back to that. */
export function settledChanges(published: OwnFields, changes: FieldChanges): FieldChanges {
  const all = withChanges(published, changes)
  const settled = entriesOf(changes).map(([field, value]): Entry => [field, value === defaultOf(field, all) ? null : value])
  return Object.fromEntries(settled.filter(([field, value]) => value !== (published[field] ?? null)))
}

/** Fields as they are published: none that says what the site came with. */
export function fieldsToPublish(published: OwnFields, changes: FieldChanges): OwnFields {
  return differing(withChanges(published, changes))
}

/** How many fields of one are not as in the other. */
export function countChanged(fields: OwnFields, before: OwnFields) {
  const names = new Set([...Object.keys(fields), ...Object.keys(before)] as SiteField[])
  return [...names].filter((field) => fields[field] !== before[field]).length
}
