import { isDeepStrictEqual } from 'node:util'
import { backupVersion } from '#contract/backups.ts'
import type { Db } from '#server/database/tables.ts'
import type { OpenFile } from '#server/storage/storage.ts'
import type { ArchivedPhoto } from './archive/archive.rules.ts'
import type { Photos } from './archive/backup-photos.ts'
import { exportShape, type RecordList, readRecord, recordLists, writtenTexts } from './archive/export.rules.ts'
import { readParts } from './archive/json-parts.ts'
import { openArchive } from './archive/open-archive.ts'
import { countRecords, findRecords, findSite } from './archive/records.queries.ts'

/** Names what differs so that a maker can find it, and never holds the text itself: it is logged and shown. */
export type Difference =
  | { list: RecordList; id: string | null; field: string | null }
  | { list: RecordList; expected: number; found: number }
  | { site: string }
  | { photo: ArchivedPhoto }

type Site = { db: Db; photos: Photos }
type Fields = Record<string, unknown>

/**
 * Compares a site with the complete backup that was restored into it when it was empty: every field of every record as the
 * file has it, and every photo by its row and its hash. Answers the first difference.
 */
export async function findDifference(file: OpenFile, { db, photos }: Site): Promise<Difference | undefined> {
  const archive = await openArchive(file)
  // A file of this release is compared as it is, without the code that a restore reads it with. Older ones have other fields.
  const isOfThisRelease = archive.manifest.version === backupVersion
  for await (const parts of readParts(archive.readRecords(), exportShape)) {
    for (const list of recordLists) {
      const records = parts.flatMap((part) => {
        if (!('list' in part) || part.list !== list) return []
        return [(isOfThisRelease ? part.record : asRead(list, part.index, part.record)) as Fields]
      })
      const differing = await findDiffering(db, list, records)
      if (differing) return differing
    }
    for (const part of parts) {
      const site = 'key' in part && part.key === 'site' ? await findDifferingField(db, part.value) : undefined
      if (site !== undefined) return { site }
    }
  }
  const counts = await countRecords(db)
  for (const list of recordLists) {
    const { [list]: expected } = archive.records.counts
    if (counts[list] !== expected) return { list, expected, found: counts[list] }
  }
  for (const { kind, hash } of archive.photos) {
    if (!(await photos[kind].isIntact(hash))) return { photo: { kind, hash } }
  }
  return undefined
}

function asRead(list: RecordList, index: number, record: unknown): Fields {
  const read = readRecord(list, index, record)
  return Object.fromEntries(Object.entries(read.record).filter(([field]) => !read.absent.includes(field)))
}

async function findDiffering(db: Db, list: RecordList, records: readonly Fields[]): Promise<Difference | undefined> {
  const restored = await findRecords(
    db,
    list,
    records.flatMap(({ id }) => (typeof id === 'string' ? id : [])),
  )
  const byId = new Map(restored.map((record) => [record.id, record as Fields]))
  for (const record of records) {
    const id = typeof record.id === 'string' ? record.id : null
    const copy = byId.get(id ?? '')
    const field = copy ? Object.keys(record).find((name) => !isSame(name, record[name], copy[name])) : null
    if (field !== undefined) return { list, id, field }
  }
  return undefined
}

function isSame(field: string, expected: unknown, actual: unknown) {
  // The days in the trash begin with the restore.
  if (field === 'deletedAt') return (expected === null) === (actual === null)
  return isDeepStrictEqual(asWritten({ [field]: expected }), asWritten({ [field]: actual }))
}

async function findDifferingField(db: Db, site: unknown) {
  const { fields = {} } = (site ?? {}) as { fields?: Fields }
  const restored: Fields = (await findSite(db))?.fields ?? {}
  return [...new Set([...Object.keys(fields), ...Object.keys(restored)])].find(
    (name) => !isDeepStrictEqual(asWritten(fields[name]), asWritten(restored[name])),
  )
}

/** As a backup holds it, without the blanks around texts, which a restore removes as every form does. */
function asWritten(value: unknown): unknown {
  if (value === undefined) return undefined
  return JSON.parse(JSON.stringify(value), (key, part) => {
    if (key === 'translations') return writtenTexts(part)
    return typeof part === 'string' ? part.trim() : part
  })
}
