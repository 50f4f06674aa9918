import { createHash } from 'node:crypto'
import { z } from 'zod/mini'
import {
  backupVersion,
  exportFormat,
  type IncomingContact,
  type IncomingProject,
  incomingContact,
  incomingProject,
  incomingSite,
} from '#contract/backups.ts'
import type { ExportRefusal } from '#contract/problems.ts'
import { ofPresentVersion } from '#contract/project-fields.ts'
import { type OwnFields, tidiedFields } from '#contract/site-fields.ts'
import { type Issue, pathOf, ruleOf, shownName, valueFaultOf } from '#contract/value-fault.ts'
import { Problem } from '#server/http/problem.ts'
import { faultIn } from './site.rules.ts'

type Incoming = { projects: IncomingProject; contacts: IncomingContact }

/** Of each kind; the ids of all of them are in memory while a file is read. */
export const mostRecords = { projects: 100_000, contacts: 500_000 } as const

/** Hashes of their contents are in memory. */
export const mostWithoutIds = 100_000

export type RecordList = keyof typeof mostRecords
export const recordLists = Object.keys(mostRecords) as RecordList[]

const head = z.strictObject({
  format: z.optional(z.literal(exportFormat, 'This is not an export of this site.')),
  version: z.optional(z.int()),
  createdAt: z.optional(z.string().check(z.maxLength(40))),
  counts: z.optional(z.strictObject({ projects: z.int(), contacts: z.int() })),
  site: z.optional(z.nullable(incomingSite)),
  sha256: z.optional(z.string().check(z.maxLength(64))),
})
export type ExportHead = z.infer<typeof head>

export const exportShape = { lists: mostRecords, values: Object.keys(head.shape) }

/** What an export tells of itself. */
export function readHead(values: Record<string, unknown>): ExportHead {
  refuseNewer(values.version)
  const read = head.safeParse(values)
  if (!read.success) throw refusedHead(read.error.issues)
  return read.data
}

/** The fields of the site as they may be stored; undefined when the file has none. */
export function readSite({ site }: ExportHead): OwnFields | undefined {
  const fields = site && tidiedFields(site.fields)
  const fault = fields && faultIn(fields)
  if (fault) throw refusedExport({ reason: 'site', ...fault })
  return fields ?? undefined
}

const schemas = { projects: incomingProject, contacts: incomingContact }

/** A record as it may be stored, and the fields the file does not have: on a record that exists they stay as they are. */
export type CheckedRecord<List extends RecordList = RecordList> = { list: List; record: Incoming[List]; absent: string[] }

/** In few characters more than the record itself: room is reserved for the file that came. */
export function toLine({ list, record, absent }: CheckedRecord) {
  return absent.length > 0 ? [list, record, absent] : [list, record]
}

export function fromLine(line: unknown) {
  const [list, record, absent = []] = line as [RecordList, CheckedRecord['record'], string[]?]
  return { list, record, absent } as CheckedRecord
}

export function readRecord<List extends RecordList>(list: List, index: number, raw: unknown): CheckedRecord<List> {
  const record = ofPresentVersion(raw)
  const read = schemas[list].safeParse(record)
  if (!read.success) throw refusedRecord(read.error.issues, { list, index, record })
  const absent = Object.keys(schemas[list].shape).filter((field) => !Object.hasOwn(record as object, field))
  return { list, record: read.data as Incoming[List], absent }
}

/** Whether an import would take it. */
export function isReadable(list: RecordList, record: unknown) {
  return schemas[list].safeParse(ofPresentVersion(record)).success
}

/** The photos that came with a message, by their hashes. */
export function sentWith({ record }: CheckedRecord): readonly string[] {
  return 'email' in record ? record.photos : []
}

/** Of the head without the sum itself, then of each record; the order of keys does not matter. */
export function startChecksum({ sha256: _sum, ...rest }: ExportHead) {
  const sum = createHash('sha256').update(JSON.stringify(rest, sortedKeys))
  return {
    add: (record: unknown) => sum.update(`\n${JSON.stringify(record, sortedKeys)}`),
    digest: () => sum.digest('hex'),
  }
}

/** Tells whether a record is still the same, in a backup and on the site. */
export function sumOfRecord(record: object) {
  const text = JSON.stringify(record, (key, value) => sortedKeys(key, key === 'translations' ? writtenTexts(value) : value))
  return createHash('sha256').update(text).digest('hex').slice(0, 32)
}

/** Without texts that are null: otherwise every record differs from its backup once the site has another language. */
export function writtenTexts(translations: unknown) {
  const languages = Object.entries((translations ?? {}) as Record<string, object>).map(([language, texts]) => {
    return [language, Object.fromEntries(Object.entries(texts).filter(([, text]) => text !== null))] as const
  })
  return Object.fromEntries(languages.filter(([, texts]) => Object.keys(texts).length > 0))
}

function sortedKeys(_key: string, value: unknown) {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  return Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)))
}

/** Before anything else is judged: a newer version may have keys that are not known here. */
export function refuseNewer(version: unknown) {
  if (!Number.isSafeInteger(version) || Number(version) <= backupVersion) return
  throw new Problem('backup_too_new', { details: { version: Number(version), newest: backupVersion } })
}

export function refusedExport(details: ExportRefusal, fields?: Record<string, string>) {
  return new Problem('export_refused', { details, ...(fields && { fields }) })
}

function refusedHead(issues: readonly Issue[]) {
  const [first] = issues
  return refusedExport(headRefusal(first), rulesBroken(issues))
}

function headRefusal(issue: Issue | undefined): ExportRefusal {
  const [key, ...path] = issue?.path ?? []
  if (!issue || key === 'format') return { reason: 'foreign' }
  if (key !== 'site') return { reason: 'head', ...valueFaultOf(issue) }
  return { reason: 'site', ...valueFaultOf({ ...issue, path: path[0] === 'fields' ? path.slice(1) : path }) }
}

type Place = { list: RecordList; index: number; record: unknown }

function refusedRecord(issues: readonly Issue[], { list, index, record }: Place) {
  const [first = { code: 'custom', path: [], message: '' }] = issues
  const { title, name } = (record ?? {}) as { title?: unknown; name?: unknown }
  const label = list === 'projects' ? title : name
  // An object may have a toString of its own.
  const called = typeof label === 'object' ? '' : shownName(String(label ?? ''))
  const details = { list, number: index + 1, ...(called && { title: called }), ...valueFaultOf(first) }
  return refusedExport({ reason: 'record', ...details }, rulesBroken(issues, `${list}.${index}.`))
}

const mostFaults = 10

/** For programs: each fault by its path. */
function rulesBroken(issues: readonly Issue[], place = '') {
  const faults = issues.slice(0, mostFaults)
  return Object.fromEntries(
    faults.map((issue) => [`${place}${pathOf(issue)}`.replace(/\.$/, ''), ruleOf(issue, 'an export')] as const),
  )
}
