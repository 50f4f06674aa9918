import { differing } from '#content/server-texts.ts'
import type { ValueFault } from '#contract/problems.ts'
import { fieldFaultOf, type OwnFields, type SiteField, tidiedFields } from '#contract/site-fields.ts'
import type { MergeMode } from '../restore/merge.rules.ts'

const entriesOf = (fields: OwnFields) => Object.entries(fields) as [SiteField, string][]

/** The fields whose values an import would take. */
export function readableSite(fields: OwnFields): OwnFields {
  return Object.fromEntries(entriesOf(fields).filter(([field, value]) => !faultIn(tidiedFields({ [field]: value }))))
}

/** The first value that the panel would not take. */
export function faultIn(fields: OwnFields): ValueFault | undefined {
  return entriesOf(fields).flatMap(([field, value]) => fieldFaultOf(field, value) ?? [])[0]
}

/** Import adds fields that have no value on this site; restore sets all of them to the file's. */
export function mergeSite(mode: MergeMode, before: OwnFields, incoming: OwnFields) {
  const fields = differing(mode === 'restore' ? incoming : { ...missingFrom(before, incoming), ...before })
  const all = Object.keys({ ...before, ...fields }) as SiteField[]
  const changed = all.filter((field) => fields[field] !== before[field])
  const added = changed.filter((field) => before[field] === undefined).length
  return { fields, added, broughtBack: changed.length - added }
}

function missingFrom(before: OwnFields, incoming: OwnFields): OwnFields {
  const present = new Set(Object.keys(before).map(unitOf))
  return Object.fromEntries(Object.entries(incoming).filter(([field]) => !present.has(unitOf(field))))
}

/** A photo and the point of it that stays visible belong together: that of another photo would be the wrong one. */
function unitOf(field: string) {
  return field.startsWith('photos.') ? field.replace(/\.\w+$/, '') : field
}
