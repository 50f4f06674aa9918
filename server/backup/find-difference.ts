import { isDeepStrictEqual } from 'node:util'
import type { Db } from '#server/database/tables.ts'
import type { ArchivedPhoto, PhotoKind } from './archive/archive.rules.ts'
import { type CheckedRecord, type RecordList, recordLists, writtenTexts } from './archive/export.rules.ts'
import type { IncomingBackup } from './archive/read-backup.ts'
import { countRecords, findRecords, findSite } from './archive/records.queries.ts'
import type { Progress } from './job.ts'

/** Names what differs so that a maker can find it, and never holds the text itself: it is logged and shown. */
export type Difference =
  | { list: RecordList; id: string | null; field: string | null }
  | { list: RecordList; expected: number; found: number }
  | { site: string }
  | { photo: ArchivedPhoto }

type Site = { db: Db; photos: Record<PhotoKind, { isIntact(hash: string): Promise<boolean> }> }
type Fields = Record<string, unknown>

/**
 * Compares a site with the complete backup that was restored into it when it was empty: every field of every record that the
 * file has, and every photo by its row and its hash. Answers the first difference.
 */
export async function findDifference(
  incoming: IncomingBackup,
  { db, photos }: Site,
  progress: Progress,
): Promise<Difference | null> {
  const total = incoming.counts.projects + incoming.counts.contacts + incoming.photos.length
  let done = 0
  for await (const records of incoming.records()) {
    for (const list of recordLists) {
      const difference = await findDiffering(
        db,
        list,
        records.filter((record) => record.list === list),
      )
      if (difference) return difference
    }
    done += records.length
    progress('checking', done, total)
  }
  const site = await findDifferingField(db, incoming.site)
  if (site !== undefined) return { site }
  const counts = await countRecords(db)
  for (const list of recordLists) {
    const { [list]: expected } = incoming.counts
    if (counts[list] !== expected) return { list, expected, found: counts[list] }
  }
  for (const { kind, hash } of incoming.photos) {
    if (!(await photos[kind].isIntact(hash))) return { photo: { kind, hash } }
    done += 1
    progress('checking', done, total)
  }
  return null
}

async function findDiffering(db: Db, list: RecordList, records: readonly CheckedRecord[]): Promise<Difference | undefined> {
  const restored = await findRecords(
    db,
    list,
    records.flatMap(({ record }) => record.id ?? []),
  )
  const byId = new Map(restored.map((record) => [record.id, record as Fields]))
  for (const { record, absent } of records) {
    const expected: Fields = record
    const actual = byId.get(record.id ?? '')
    const names = Object.keys(expected).filter((name) => !absent.includes(name))
    const field = actual ? names.find((name) => !isSame(name, expected[name], actual[name])) : null
    if (field !== undefined) return { list, id: record.id ?? null, field }
  }
  return undefined
}

function isSame(field: string, expected: unknown, actual: unknown) {
  // The days in the trash begin with the restore.
  if (field === 'deletedAt') return (expected === null) === (actual === null)
  return isDeepStrictEqual(asWritten({ [field]: expected }), asWritten({ [field]: actual }))
}

async function findDifferingField(db: Db, fields: Fields = {}) {
  const restored: Fields = (await findSite(db))?.fields ?? {}
  return Object.keys({ ...fields, ...restored }).find((name) => !isDeepStrictEqual(fields[name], restored[name]))
}

/** As a backup holds it. */
function asWritten(value: object): unknown {
  return JSON.parse(JSON.stringify(value), (key, part) => (key === 'translations' ? writtenTexts(part) : part))
}
