import { createHash } from 'node:crypto'
import type { IncomingContact, IncomingProject } from '#contract/backups.ts'
import type { ContactMessageRow, ProjectContent } from '#server/database/tables.ts'

/** Import adds what is missing; restore also brings changed projects back. */
export type MergeMode = 'import' | 'restore'

type Identified = { id?: string | undefined; createdAt?: string | null | undefined }

export type Merge<Row> = {
  add: Row[]
  bringBack: Row[]
  alreadyThere: number
}

/** The sums of contents that are there. */
export type KnownContents = { has(sum: string): boolean; add(sum: string): unknown }

/** Where new ids and moments come from. */
export type Newcomer = { newId(): string; now: string }

/**
 * A record is the same if its id is; one without an id is the same if all its content is. `existing` are the records with
 * the ids that come in; `known` the sums of contents that are there, to which those of new records without an id are added.
 */
export function mergeProjects(
  incoming: readonly IncomingProject[],
  existing: readonly ProjectContent[],
  mode: MergeMode,
  newcomer: Newcomer,
  known?: KnownContents,
): Merge<ProjectContent> {
  const hasChanged = (before: ProjectContent, next: ProjectContent) => mode === 'restore' && !isSame(before, next)
  return merge<ProjectContent>(incoming, existing, newcomer, hasChanged, known)
}

/** Messages are never edited, so there is nothing to bring back. */
export function mergeContacts(
  incoming: readonly IncomingContact[],
  existing: readonly ContactMessageRow[],
  newcomer: Newcomer,
  known?: KnownContents,
): Merge<ContactMessageRow> {
  return merge<ContactMessageRow>(incoming, existing, newcomer, () => false, known)
}

function merge<Row extends { id: string; createdAt: string }>(
  incoming: readonly (Omit<Row, 'id' | 'createdAt'> & Identified)[],
  existing: readonly Row[],
  { newId, now }: Newcomer,
  hasChanged: (before: Row, next: Row) => boolean,
  known: KnownContents | undefined,
): Merge<Row> {
  const byId = new Map(existing.map((row) => [row.id, row]))
  const result: Merge<Row> = { add: [], bringBack: [], alreadyThere: 0 }
  for (const record of incoming) {
    const createdAt = momentOf(record)
    const before = record.id === undefined ? undefined : byId.get(record.id)
    const isKnown = record.id === undefined ? known?.has(contentSum(record, createdAt)) : before !== undefined
    const next = { ...record, id: record.id ?? newId(), createdAt: createdAt ?? before?.createdAt ?? now } as unknown as Row
    if (!isKnown) {
      result.add.push(next)
      // The same content twice in one file is one record.
      if (known) for (const sum of contentSums({ ...record, createdAt })) known.add(sum)
    } else if (before && hasChanged(before, next)) result.bringBack.push(next)
    else result.alreadyThere += 1
  }
  return result
}

/** A record that comes without its moment is compared without it. */
export function contentSums(record: Identified) {
  return [contentSum(record, record.createdAt ?? undefined), contentSum(record, undefined)]
}

/** As the database writes it. */
export function momentOf({ createdAt }: Identified) {
  return createdAt ? new Date(createdAt).toISOString() : undefined
}

/** Short, because many are remembered; a number of its own, because a piece of a text would hold on to all of it. */
export function contentSum(record: Identified, createdAt: string | undefined) {
  return createHash('sha256').update(contentOf(record, createdAt)).digest().toString('latin1', 0, 16)
}

function contentOf({ id: _id, createdAt: _createdAt, ...content }: Identified, createdAt: string | undefined) {
  return JSON.stringify([Object.entries(content).toSorted(([a], [b]) => (a < b ? -1 : 1)), createdAt ?? null])
}

function isSame(before: ProjectContent, next: ProjectContent) {
  return contentOf(before, before.createdAt) === contentOf(next, next.createdAt)
}
