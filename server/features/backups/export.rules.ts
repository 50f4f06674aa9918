import { createHash } from 'node:crypto'
import { z } from 'zod/mini'
import {
  backupVersion,
  exportFormat,
  type IncomingContact,
  type IncomingProject,
  incomingContact,
  incomingProject,
} from '#contract/backups.ts'
import { Problem } from '#server/http/problem.ts'

export type Incoming = { projects: IncomingProject[]; contacts: IncomingContact[] }

/** Of each kind; the ids of all of them are remembered while a file is read. */
export const mostRecords = { projects: 100_000, contacts: 500_000 } as const

/** Their contents are remembered, twice. */
export const mostWithoutIds = 100_000

export type RecordList = keyof typeof mostRecords
export const recordLists = Object.keys(mostRecords) as RecordList[]

const head = z.strictObject({
  format: z.optional(z.literal(exportFormat, 'This is not an export of this site.')),
  version: z.optional(z.int()),
  createdAt: z.optional(z.string().check(z.maxLength(40))),
  counts: z.optional(z.strictObject({ projects: z.int(), contacts: z.int() })),
  sha256: z.optional(z.string().check(z.maxLength(64))),
})
export type ExportHead = z.infer<typeof head>

export const exportShape = { lists: mostRecords, values: Object.keys(head.shape) }

/** What an export tells of itself. */
export function readHead(values: Record<string, unknown>): ExportHead {
  if (typeof values.version === 'number' && values.version > backupVersion) throw new Problem('backup_too_new')
  const read = head.safeParse(values)
  if (!read.success) throw refusal(read.error.issues, '')
  return read.data
}

const schemas = { projects: incomingProject, contacts: incomingContact }

/** A record as it may be stored. */
export function readRecord<List extends RecordList>(list: List, index: number, record: unknown): Incoming[List][number] {
  const read = schemas[list].safeParse(record)
  if (!read.success) throw refusal(read.error.issues, `${list}.${index}.`)
  return read.data
}

/** Of everything an export holds but the sum itself, in whatever order its keys come: first the head, then each record. */
export function startChecksum({ sha256: _sum, ...rest }: ExportHead) {
  const sum = createHash('sha256').update(JSON.stringify(rest, sortedKeys))
  return {
    add: (record: unknown) => sum.update(`\n${JSON.stringify(record, sortedKeys)}`),
    digest: () => sum.digest('hex'),
  }
}

function sortedKeys(_key: string, value: unknown) {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  return Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)))
}

export function refusedExport(reason: string, fields?: Record<string, string>) {
  const message = `That is not an export this site can take. ${reason} Nothing was changed.`
  return new Problem('export_refused', { message, ...(fields && { fields }) })
}

type Issue = { path: PropertyKey[]; message: string; keys?: string[] }

const mostFaults = 10

function refusal(issues: readonly Issue[], place: string) {
  const faults = issues
    .slice(0, mostFaults)
    .map((issue) => [`${place}${issue.path.join('.')}`.replace(/\.$/, ''), sentenceOf(issue)] as const)
  const [where = '', sentence = ''] = faults[0] ?? []
  return refusedExport(where ? `${where}: ${sentence}` : sentence, Object.fromEntries(faults))
}

function sentenceOf({ message, keys }: Issue) {
  return keys ? `Not a field of an export: ${keys.slice(0, 5).join(', ').slice(0, 200)}.` : message
}
