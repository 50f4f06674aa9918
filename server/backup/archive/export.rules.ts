import { createHash } from 'node:crypto'
import { z } from 'zod/mini'
import {
  exportFormat,
  type IncomingContact,
  type IncomingProject,
  incomingContact,
  incomingProject,
  incomingSite,
} from '#contract/backups.ts'
import { ofPresentVersion } from '#contract/project-fields.ts'
import { fieldFaultOf, type OwnFields, type SiteField, tidiedFields } from '#contract/site-fields.ts'
import { keyOf, type Sum, sum } from '#contract/statistics.ts'
import { type Issue, shownName, valueFaultOf } from '#contract/value-fault.ts'
import { Problem } from '#server/http/problem.ts'
import { fileFault, statisticsName } from './zip-archive.ts'

type Incoming = { projects: IncomingProject; contacts: IncomingContact }

/** Of each kind; the ids of all of them are in memory while a file is read. */
export const mostRecords = { projects: 100_000, contacts: 500_000 } as const

export type RecordList = keyof typeof mostRecords
export const recordLists = Object.keys(mostRecords) as RecordList[]

const exported = z.strictObject({
  format: z.optional(z.literal(exportFormat)),
  version: z.optional(z.int()),
  createdAt: z.optional(z.string().check(z.maxLength(40))),
  counts: z.optional(z.strictObject({ projects: z.int(), contacts: z.int() })),
  site: z.optional(z.unknown()),
  sha256: z.optional(z.string().check(z.maxLength(64))),
  projects: z.optional(z.array(z.unknown())),
  contacts: z.optional(z.array(z.unknown())),
})

/** The parts of an export; what is in them is not looked at. */
export function readExport(data: unknown) {
  const read = exported.safeParse(data)
  if (read.success) return read.data
  throw fileFault('not_a_backup', JSON.stringify(valueFaultOf(read.error.issues[0] as Issue)))
}

/** The fields of the site as they may be stored; undefined when there are none. */
export function readSite(site: unknown): OwnFields | undefined {
  const { fields, fault } = checkSite(site)
  if (fault) throw new Problem('record_refused', { details: { reason: 'site', ...fault } })
  return fields
}

function checkSite(site: unknown) {
  const read = z.nullish(incomingSite).safeParse(site)
  const issue = read.error?.issues[0] as Issue | undefined
  const path = issue?.path[0] === 'fields' ? issue.path.slice(1) : (issue?.path ?? [])
  const fields = read.data ? tidiedFields(read.data.fields) : undefined
  const entries = Object.entries(fields ?? {}) as [SiteField, string][]
  // What the panel would not take.
  const [refused] = entries.flatMap(([field, value]) => fieldFaultOf(field, value) ?? [])
  return { fields, fault: issue ? valueFaultOf({ ...issue, path }) : refused }
}

/** The fields that an import would take. */
export function readableFields(fields: OwnFields): OwnFields {
  const isReadable = ([field, value]: [string, string]) => !checkSite({ fields: { [field]: value } }).fault
  return Object.fromEntries(Object.entries(fields).filter(isReadable))
}

/** The sums of visits as they may be stored: each once. */
export function readSums(data: unknown): Sum[] {
  const read = z.array(sum).safeParse(data)
  if (!read.success) throw fileFault('not_a_backup', 'It holds sums that the site would not have.', statisticsName)
  const keys = new Set(read.data.map(keyOf))
  if (keys.size < read.data.length) throw fileFault('file_damaged', 'It holds a sum twice.', statisticsName)
  return read.data
}

const schemas = { projects: incomingProject, contacts: incomingContact }

/** A record as it may be stored, and the fields the file does not have: on a record that exists they stay as they are. */
export type CheckedRecord<List extends RecordList = RecordList> = { list: List; record: Incoming[List]; absent: string[] }

/** `index` is its place in the list, from 0. */
export function readRecord<List extends RecordList>(list: List, index: number, record: unknown): CheckedRecord<List> {
  // Until version 5 translations were fields of their own.
  const present = list === 'projects' ? ofPresentVersion(record) : record
  const read = schemas[list].safeParse(present)
  if (read.success) {
    const absent = Object.keys(schemas[list].shape).filter((field) => !Object.hasOwn(present as object, field))
    return { list, record: read.data as Incoming[List], absent }
  }
  const { title, name } = (record ?? {}) as { title?: unknown; name?: unknown }
  const label = list === 'projects' ? title : name
  // An object may have a toString of its own.
  const called = typeof label === 'object' ? '' : shownName(String(label ?? ''))
  const fault = valueFaultOf(read.error.issues[0] as Issue)
  const details = { reason: 'record', list, number: index + 1, ...(called && { title: called }), ...fault } as const
  throw new Problem('record_refused', { details })
}

export function isReadable(list: RecordList, record: object) {
  return schemas[list].safeParse(record).success
}

/** A field that came with a later version tells no records apart: one without an id in an older file must be recognized. */
const identifying: ReadonlySet<string> = new Set([
  ...['title', 'description', 'category', 'imageUrl', 'scale', 'materials', 'techniques', 'timeSpent'],
  ...['beforeImageUrl', 'afterImageUrl', 'featured', 'translations'],
  ...['name', 'email', 'projectType', 'message'],
])

/** What a record without an id is recognized by. */
export function contentSum(record: { createdAt?: string | null | undefined }) {
  const content = Object.entries(record).filter(([name]) => identifying.has(name))
  return sumOfRecord({ ...Object.fromEntries(content), createdAt: momentIn(record.createdAt) })
}

/** As the database writes it. */
export function momentIn(text: string | null | undefined) {
  return text ? new Date(text).toISOString() : undefined
}

/** What the sum of an export is made of; the order of keys does not matter. */
export function asSummed(value: unknown) {
  return JSON.stringify(value, sortedKeys)
}

/** Tells whether a record is still the same, in a backup and on the site. */
export function sumOfRecord(record: object) {
  const text = JSON.stringify(record, (key, value) => sortedKeys(key, key === 'translations' ? writtenTexts(value) : value))
  return createHash('sha256').update(text).digest('hex').slice(0, 32)
}

/** Without texts that are null: otherwise every record differs from its backup once the site has another language. */
function writtenTexts(translations: unknown) {
  const languages = Object.entries((translations ?? {}) as Record<string, object>).map(([language, texts]) => {
    return [language, Object.fromEntries(Object.entries(texts).filter(([, text]) => text !== null))] as const
  })
  return Object.fromEntries(languages.filter(([, texts]) => Object.keys(texts).length > 0))
}

function sortedKeys(_key: string, value: unknown) {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  return Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)))
}
