import { differing } from '#content/server-texts.ts'
import { fieldFaultOf } from '#contract/field-fault.ts'
import type { ValueFault } from '#contract/problems.ts'
import { type OwnFields, type SiteField, tidiedFields } from '#contract/site-fields.ts'
import type { MergeMode } from './merge.rules.ts'

const entriesOf = (fields: OwnFields) => Object.entries(fields) as [SiteField, string][]

/** The fields whose values an import would take. */
export function readableSite(fields: OwnFields): OwnFields {
  return Object.fromEntries(entriesOf(fields).filter(([field, value]) => !faultIn(tidiedFields({ [field]: value }))))
}

/** The first value that the panel would not take. */
export function faultIn(fields: OwnFields): ValueFault | undefined {
  const [first] = entriesOf(fields).flatMap(([field, value]) => fieldFaultOf(field, value) ?? [])
  return first
}

/**
 * What becomes of the fields of the site. Import adds those that have no value of their own here; restore makes all of them
 * as the file has them.
 */
export function mergeSite(mode: MergeMode, before: OwnFields, incoming: OwnFields) {
  const fields = differing(mode === 'restore' ? incoming : { ...missingFrom(before, incoming), ...before })
  const all = Object.keys({ ...before, ...fields }) as SiteField[]
  const changed = all.filter((field) => fields[field] !== before[field])
  const added = changed.filter((field) => before[field] === undefined).length
  return { fields, added, broughtBack: changed.length - added }
}

function missingFrom(before: OwnFields, incoming: OwnFields): OwnFields {
  const here = new Set(Object.keys(before).map(unitOf))
  return Object.fromEntries(Object.entries(incoming).filter(([field]) => !here.has(unitOf(field))))
}

/** A photo and the point of it that stays visible belong together: that of another photo would be the wrong one. */
function unitOf(field: string) {
  return field.startsWith('photos.') ? field.replace(/\.\w+$/, '') : field
}
