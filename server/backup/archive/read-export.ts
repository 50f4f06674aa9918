import { hashesShown } from '#contract/images.ts'
import type { PhotoOwners } from '#contract/problems.ts'
import { type OwnFields, photosIn } from '#contract/site-fields.ts'
import { shownName } from '#contract/value-fault.ts'
import type { LocalFile } from '../disk-space.ts'
import { contentSum, momentOf } from '../restore/merge.rules.ts'
import type { ArchivedPhoto } from './archive.rules.ts'
import {
  type CheckedRecord,
  type ExportHead,
  exportShape,
  isReadable,
  mostWithoutIds,
  type RecordList,
  readHead,
  readRecord,
  readSite,
  recordLists,
  refusedExport,
  sentWith,
  startChecksum,
  toLine,
} from './export.rules.ts'
import { type JsonPart, readParts, UnreadableJson } from './json-parts.ts'
import { namedProjects } from './write-export.ts'

/** The bytes of an export, from the beginning each time it is called. */
export type ExportSource = () => AsyncIterable<Uint8Array>

export type CheckedExport = {
  counts: Record<RecordList, number>
  /** The contents of records without an id, by which they are recognized. */
  withoutIds: Record<RecordList, Set<string>>
  /** The maker's own words and pictures; undefined when there are none in it. */
  site: OwnFields | undefined
  /** When it was made, if it says so. */
  createdAt: string | undefined
}

type Options = {
  /** Demands what only a whole export has: its version, and counts that are true. */
  whole?: boolean
  /** Gets the records as they are to be merged. */
  plan?: LocalFile | undefined
  /** As they are in the file instead, to the last blank. */
  asStored?: boolean
  /** Hears of each photo that came with a message. */
  onSent?: (hash: string) => void
}

/** Reads an export, or any part of one, to its end, and refuses it for the first fault. */
export async function checkExport(
  read: ExportSource,
  { whole = false, plan, asStored = false, onSent = () => {} }: Options = {},
): Promise<CheckedExport> {
  const values: Record<string, unknown> = {}
  const ids = { projects: new Set<string>(), contacts: new Set<string>() }
  const nameless = { projects: 0, contacts: 0 }
  const checked = {
    counts: { projects: 0, contacts: 0 },
    withoutIds: { projects: new Set<string>(), contacts: new Set<string>() },
  }
  const lists: string[] = []
  let head: ExportHead = {}
  let sum: ReturnType<typeof startChecksum> | undefined
  let isHeadFirst = true

  function takeRecord(list: RecordList, index: number, raw: unknown) {
    checked.counts[list] += 1
    sum ??= startChecksum(head)
    sum.add(raw)
    // One that an older release has put into a restore point does not keep the others from being undone.
    if (asStored && !isReadable(list, raw)) return []
    const planned = readRecord(list, index, raw)
    const { id } = planned.record
    if (id && ids[list].has(id)) throw refusedExport({ reason: 'same_id', list, id })
    if (id) ids[list].add(id)
    else {
      nameless[list] += 1
      checked.withoutIds[list].add(contentSum(planned.record, momentOf(planned.record)))
    }
    if (nameless[list] > mostWithoutIds) throw refusedExport({ reason: 'too_many_without_ids', list, most: mostWithoutIds })
    for (const hash of sentWith(planned)) onSent(hash)
    return [asStored ? { ...planned, record: raw as typeof planned.record } : planned]
  }

  for await (const parts of partsOf(read)) {
    const records: CheckedRecord[] = []
    for (const part of parts) {
      if ('begins' in part) lists.push(part.begins)
      else if ('list' in part) records.push(...takeRecord(part.list as RecordList, part.index, part.record))
      else {
        values[part.key] = part.value
        head = readHead(values)
        // The sum begins with the head, but for the sum itself.
        if (part.key !== 'sha256' && sum) isHeadFirst = false
      }
    }
    await plan?.appendLines(records.map(toLine))
  }
  const site = readSite(head)
  if (lists.length === 0 && !site) throw refusedExport({ reason: 'empty' })
  const { sha256, counts, version } = head
  const isUsualOrder = isHeadFirst && (lists[0] === 'projects' || lists.length === 1)
  const actualSum = () => (isUsualOrder ? (sum ?? startChecksum(head)).digest() : sumInOrder(read, head))
  if (sha256 !== undefined && sha256 !== (await actualSum())) throw refusedExport({ reason: 'changed' })
  const isTrue = counts?.projects === checked.counts.projects && counts.contacts === checked.counts.contacts
  if (whole && (!isTrue || version === undefined)) throw refusedExport({ reason: 'wrong_counts' })
  return { ...checked, site, createdAt: head.createdAt }
}

/** For a file whose keys another program has sorted: it is read again for each list. */
async function sumInOrder(read: ExportSource, head: ExportHead) {
  const sum = startChecksum(head)
  for (const list of recordLists) {
    for await (const parts of partsOf(read)) {
      for (const part of parts) if ('list' in part && part.list === list) sum.add(part.record)
    }
  }
  return sum.digest()
}

/** Whose a photo of a checked export is: a person knows it by that. */
export async function ownersOf({ kind, hash }: ArchivedPhoto, read: ExportSource): Promise<PhotoOwners> {
  const titles: string[] = []
  let isOfSite = false
  for await (const parts of partsOf(read)) {
    for (const part of parts) {
      if ('key' in part && part.key === 'site')
        isOfSite = photosIn(readSite(readHead({ site: part.value })) ?? {}).includes(hash)
      if (!('list' in part)) continue
      const checked = readRecord(part.list as RecordList, part.index, part.record)
      const { record } = checked
      if (kind === 'inquiryPhotos') {
        if ('email' in record && sentWith(checked).includes(hash)) return { sentBy: shownName(record.name) }
      } else if ('imageUrl' in record && hashesShown(record).includes(hash)) titles.push(record.title)
    }
  }
  return namedProjects(titles, isOfSite)
}

async function* partsOf(read: ExportSource): AsyncGenerator<JsonPart[]> {
  try {
    yield* readParts(read(), exportShape)
  } catch (error) {
    throw error instanceof UnreadableJson ? refusedExport(error.fault) : error
  }
}
