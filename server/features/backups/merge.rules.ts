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

/** Where new ids and moments come from. */
export type Newcomer = { newId(): string; now: string }

/**
 * A record is the same if its id is; one without an id is the same if all its content is. `existing` are the records with
 * the ids that come in, and all records when something comes without one.
 */
export function mergeProjects(
  incoming: readonly IncomingProject[],
  existing: readonly ProjectContent[],
  mode: MergeMode,
  newcomer: Newcomer,
): Merge<ProjectContent> {
  return merge<ProjectContent>(incoming, existing, newcomer, (known, next) => mode === 'restore' && !isSame(known, next))
}

/** Messages are never edited, so there is nothing to bring back. */
export function mergeContacts(
  incoming: readonly IncomingContact[],
  existing: readonly ContactMessageRow[],
  newcomer: Newcomer,
): Merge<ContactMessageRow> {
  return merge<ContactMessageRow>(incoming, existing, newcomer, () => false)
}

function merge<Row extends { id: string; createdAt: string }>(
  incoming: readonly (Omit<Row, 'id' | 'createdAt'> & Identified)[],
  existing: readonly Row[],
  { newId, now }: Newcomer,
  hasChanged: (known: Row, next: Row) => boolean,
): Merge<Row> {
  const byId = new Map(existing.map((row) => [row.id, row]))
  const withoutId = incoming.filter(({ id }) => id === undefined)
  const contents = new Set(withoutId.length > 0 ? existing.flatMap(contentsOf) : [])
  const result: Merge<Row> = { add: [], bringBack: [], alreadyThere: 0 }
  for (const record of incoming) {
    const createdAt = record.createdAt ? new Date(record.createdAt).toISOString() : undefined
    const known = record.id === undefined ? undefined : byId.get(record.id)
    const isKnown = record.id === undefined ? contents.has(contentOf(record, createdAt)) : known !== undefined
    const next = { ...record, id: record.id ?? newId(), createdAt: createdAt ?? known?.createdAt ?? now } as unknown as Row
    if (!isKnown) {
      result.add.push(next)
      // The same content twice in one file is one record.
      if (withoutId.length > 0) for (const content of contentsOf(next)) contents.add(content)
    } else if (known && hasChanged(known, next)) result.bringBack.push(next)
    else result.alreadyThere += 1
  }
  return result
}

/** A record that comes without its moment is compared without it. */
function contentsOf(row: Identified) {
  return [contentOf(row, row.createdAt ?? undefined), contentOf(row, undefined)]
}

function contentOf({ id: _id, createdAt: _createdAt, ...content }: Identified, createdAt: string | undefined) {
  return JSON.stringify([Object.entries(content).toSorted(([a], [b]) => a.localeCompare(b)), createdAt ?? null])
}

function isSame(known: ProjectContent, next: ProjectContent) {
  return contentOf(known, known.createdAt) === contentOf(next, next.createdAt)
}
