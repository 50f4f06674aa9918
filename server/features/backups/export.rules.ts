import { createHash } from 'node:crypto'
import { z } from 'zod/mini'
import {
  backupVersion,
  type ExportedData,
  exportFormat,
  type IncomingContact,
  type IncomingProject,
  incomingContact,
  incomingProject,
} from '#contract/backups.ts'
import { Problem } from '#server/http/problem.ts'

export type Incoming = { projects: IncomingProject[]; contacts: IncomingContact[] }

type Records = Pick<ExportedData, 'projects' | 'contacts'>

export function exportOf({ projects, contacts }: Records, createdAt: string): ExportedData {
  const head = {
    format: exportFormat as typeof exportFormat,
    version: backupVersion,
    createdAt,
    counts: { projects: projects.length, contacts: contacts.length },
  }
  return { ...head, sha256: checksumOf({ ...head, projects, contacts }), projects, contacts }
}

/**
 * Of everything an export holds but the sum itself, in whatever order its keys come; record by record, because as one text it
 * could be too large.
 */
function checksumOf({ sha256: _sum, projects, contacts, ...head }: Record<string, unknown>) {
  const sum = createHash('sha256').update(JSON.stringify(head, sortedKeys))
  for (const list of [projects, contacts]) {
    for (const record of Array.isArray(list) ? list : []) sum.update(`\n${JSON.stringify(record, sortedKeys)}`)
  }
  return sum.digest('hex')
}

function sortedKeys(_key: string, value: unknown) {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  return Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)))
}

/** Of each kind. */
export const mostRecords = 200_000
const anExport = z.strictObject({
  format: z.optional(z.literal(exportFormat, 'This is not an export of this site.')),
  version: z.optional(z.int()),
  createdAt: z.optional(z.string().check(z.maxLength(40))),
  counts: z.optional(z.strictObject({ projects: z.int(), contacts: z.int() })),
  sha256: z.optional(z.string().check(z.maxLength(64))),
  projects: z.optional(z.array(incomingProject, 'This must be a list of projects.').check(z.maxLength(mostRecords))),
  contacts: z.optional(z.array(incomingContact, 'This must be a list of messages.').check(z.maxLength(mostRecords))),
})

/** Reads an export, or any part of one. `whole` demands what only a whole one has: its counts, and that they are true. */
export function readExport(data: unknown, { whole = false } = {}): Incoming {
  const version = versionOf(data)
  if (version !== undefined && version > backupVersion) throw new Problem('backup_too_new')
  const read = anExport.safeParse(data)
  if (!read.success) throw refusal(read.error.issues)
  if (read.data.sha256 !== undefined && read.data.sha256 !== checksumOf(data as Record<string, unknown>)) {
    throw refused('It was damaged or changed since it was made. If you changed it yourself, remove the line with sha256.')
  }
  const { projects = [], contacts = [], counts } = read.data
  if (!read.data.projects && !read.data.contacts) {
    throw refused('There are no projects and no messages in it.')
  }
  const isTrue = counts?.projects === projects.length && counts.contacts === contacts.length
  if (whole && (!isTrue || version === undefined)) throw refused('It does not hold as many records as it says.')
  refuseRepeatedIds(projects, 'projects')
  refuseRepeatedIds(contacts, 'contacts')
  return { projects, contacts }
}

/** Text into data; a key that programs take for something else is never data of ours. */
export function parseExport(text: string): unknown {
  try {
    return JSON.parse(text, (key, value: unknown) => {
      if (key === '__proto__' || key === 'constructor' || key === 'prototype') throw new TypeError(key)
      return value
    })
  } catch {
    throw refused('It cannot be read as JSON.')
  }
}

function refused(reason: string, fields?: Record<string, string>) {
  const message = `That is not an export this site can take. ${reason} Nothing was changed.`
  return new Problem('export_refused', { message, ...(fields && { fields }) })
}

function versionOf(data: unknown) {
  const { version } = (data ?? {}) as { version?: unknown }
  return typeof version === 'number' ? version : undefined
}

/** Older exports numbered their records by nothing at all; ours must not name two records the same. */
function refuseRepeatedIds(records: readonly { id?: string | undefined }[], list: string) {
  const seen = new Set<string>()
  for (const { id } of records) {
    if (id && seen.has(id)) throw refused(`Two ${list} have the same id ${id}.`)
    if (id) seen.add(id)
  }
}

type Issue = { path: PropertyKey[]; message: string; keys?: string[] }

const mostFaults = 10

function refusal(issues: readonly Issue[]) {
  const faults = issues.slice(0, mostFaults).map((issue) => [issue.path.join('.'), sentenceOf(issue)] as const)
  const [where = '', sentence = ''] = faults[0] ?? []
  return refused(where ? `${where}: ${sentence}` : sentence, Object.fromEntries(faults))
}

function sentenceOf({ message, keys }: Issue) {
  return keys ? `Not a field of an export: ${keys.slice(0, 5).join(', ').slice(0, 200)}.` : message
}
