import { createHash } from 'node:crypto'
import type { RecordOf } from './backups.queries.ts'
import type { CheckedRecord, RecordList } from './export.rules.ts'

/** Import adds what is missing; restore also brings changed projects back. */
export type MergeMode = 'import' | 'restore'

/** Hashes of contents that exist already. */
export type KnownContents = { has(sum: string): boolean; add(sum: string): unknown }

type Options = { mode: MergeMode; newId(): string; now: string; known?: KnownContents | undefined }

type Identified = {
  id?: string | undefined
  createdAt?: string | null | undefined
  deletedAt?: string | null | undefined
}

/**
 * A record is the same if its id is; one without an id is the same if all its texts and its cover are. `existing` are the
 * records with the ids that come in. Contacts are never edited, so they are never brought back.
 */
export function merge<List extends RecordList>(
  list: List,
  incoming: readonly CheckedRecord<List>[],
  existing: readonly RecordOf[List][],
  { mode, newId, now, known }: Options,
) {
  const byId = new Map<string, Existing>(existing.map((row) => [row.id, row]))
  const result = { add: [] as RecordOf[List][], bringBack: [] as RecordOf[List][], alreadyThere: 0 }
  for (const { record, absent } of incoming) {
    const createdAt = momentOf(record)
    const before = record.id === undefined ? undefined : byId.get(record.id)
    const isKnown = record.id === undefined ? known?.has(contentSum(record, createdAt)) : before !== undefined
    const next = {
      ...record,
      ...fieldsOf(before, absent),
      ...(list === 'projects' && { deletedAt: whenDeleted(record as Identified, before, now) }),
      id: record.id ?? newId(),
      createdAt: createdAt ?? before?.createdAt ?? now,
    } as unknown as RecordOf[List]
    const isOutOfTrash = before?.deletedAt && !(next as Existing).deletedAt
    const isChanged = mode === 'restore' && before && !isSame(before, next)
    if (!isKnown) {
      result.add.push(next)
      // The same content twice in one file is one record.
      if (known) for (const sum of contentSums({ ...record, createdAt })) known.add(sum)
    } else if (list === 'projects' && isChanged) result.bringBack.push(next)
    // An import changes nothing: what comes out of the trash is as it was put there.
    else if (isOutOfTrash) result.bringBack.push({ ...before, deletedAt: null } as unknown as RecordOf[List])
    else result.alreadyThere += 1
  }
  return result
}

type Existing = { id: string; createdAt: string; deletedAt?: string | null }

/**
 * Nothing is deleted by a backup, and what a file has outside of the trash comes out of it. The days in the trash begin when
 * the file brings a project there, however old it is.
 */
function whenDeleted({ deletedAt }: Identified, before: Existing | undefined, now: string) {
  if (!deletedAt) return null
  return before ? before.deletedAt : now
}

/** An address is made of the title again, which may have changed since. */
function fieldsOf(before: object | undefined, names: readonly string[]) {
  return before && Object.fromEntries(Object.entries(before).filter(([name]) => names.includes(name) && name !== 'addresses'))
}

/** A record that comes without its moment is compared without it. */
export function contentSums(record: Identified) {
  return [contentSum(record, record.createdAt ?? undefined), contentSum(record, undefined)]
}

/** As the database writes it. */
export function momentOf({ createdAt }: Identified) {
  return createdAt ? new Date(createdAt).toISOString() : undefined
}

/** Short, because many are in memory; decoded anew, because a slice of a string would keep all of it in memory. */
export function contentSum(record: Identified, createdAt: string | undefined) {
  return createHash('sha256')
    .update(contentOf(record, createdAt, notInSums))
    .digest()
    .toString('latin1', 0, 16)
}

/** Where a project is, and not what it is. */
const places = ['id', 'createdAt', 'deletedAt', 'addresses']
/** What older files do not know: a record of theirs without an id must be found again all the same. */
const notInSums = [...places, 'rank', 'draft', 'photos']

function contentOf(record: Identified, createdAt: string | undefined, without: readonly string[]) {
  const content = Object.entries(record).filter(([name]) => !without.includes(name))
  return JSON.stringify([content.toSorted(([a], [b]) => (a < b ? -1 : 1)), createdAt ?? null])
}

function isSame(before: Identified, next: Identified) {
  const whole = (record: Identified) => contentOf(record, record.createdAt ?? undefined, places)
  return whole(before) === whole(next)
}
