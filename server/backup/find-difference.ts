import { isDeepStrictEqual } from 'node:util'
import { backupVersion } from '#contract/backups.ts'
import type { Db } from '#server/database/tables.ts'
import type { OpenFile } from '#server/storage/storage.ts'
import type { ArchivedPhoto } from './archive/archive.rules.ts'
import type { Photos } from './archive/backup-photos.ts'
import { exportShape, type RecordList, readRecord, recordLists } from './archive/export.rules.ts'
import { readParts } from './archive/json-parts.ts'
import { openArchive } from './archive/open-archive.ts'
import { countRecords, findRecords, findSite } from './archive/records.queries.ts'

/** Where a site is not as a backup says: by what a maker can look for, and never by what is written there. */
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
  // A file of this release is taken at its word, past everything that a restore reads it with. Older ones mean the same by other fields.
  const isOfThisRelease = archive.manifest.version === backupVersion
  for await (const parts of readParts(archive.readRecords(), exportShape)) {
    for (const list of recordLists) {
      const told = parts.flatMap((part) => {
        if (!('list' in part) || part.list !== list) return []
        return [(isOfThisRelease ? part.record : asRead(list, part.index, part.record)) as Fields]
      })
      const differing = await findDiffering(db, list, told)
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

async function findDiffering(db: Db, list: RecordList, told: readonly Fields[]): Promise<Difference | undefined> {
  const found = await findRecords(
    db,
    list,
    told.flatMap(({ id }) => (typeof id === 'string' ? id : [])),
  )
  const byId = new Map(found.map((record) => [record.id, record as Fields]))
  for (const record of told) {
    const id = typeof record.id === 'string' ? record.id : null
    const here = byId.get(id ?? '')
    const field = here ? Object.keys(record).find((name) => !isSame(name, record[name], here[name])) : null
    if (field !== undefined) return { list, id, field }
  }
  return undefined
}

function isSame(field: string, told: unknown, here: unknown) {
  // When it went into the trash counts from the restore on.
  if (field === 'deletedAt') return (told === null) === (here === null)
  return isDeepStrictEqual(asTold(told), asTold(here))
}

async function findDifferingField(db: Db, told: unknown) {
  const { fields = {} } = (told ?? {}) as { fields?: Fields }
  const here: Fields = (await findSite(db))?.fields ?? {}
  return [...new Set([...Object.keys(fields), ...Object.keys(here)])].find(
    (name) => !isDeepStrictEqual(asTold(fields[name]), asTold(here[name])),
  )
}

/** As it would be written into a backup, without the blanks around a text, which a restore takes away as every form does. */
function asTold(value: unknown): unknown {
  if (value === undefined) return undefined
  return JSON.parse(JSON.stringify(value), (_, part) => (typeof part === 'string' ? part.trim() : part))
}
