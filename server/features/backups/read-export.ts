import {
  type ExportHead,
  exportShape,
  type Incoming,
  mostWithoutIds,
  type RecordList,
  readHead,
  readRecord,
  recordLists,
  refusedExport,
  startChecksum,
} from './export.rules.ts'
import { type JsonPart, readParts, UnreadableJson } from './json-parts.ts'

/** The bytes of an export, from the beginning each time it is called. */
export type ExportSource = () => AsyncIterable<Uint8Array>

export type CheckedExport = {
  read: ExportSource
  counts: Record<RecordList, number>
  /** How many come without an id: they are known by their content. */
  withoutIds: Record<RecordList, number>
  bytes: number
}

/**
 * Reads an export, or any part of one, to its end, and refuses it for the first fault. `whole` demands what only a whole one
 * has: its counts, and that they are true.
 */
export async function checkExport(read: ExportSource, { whole = false } = {}): Promise<CheckedExport> {
  const values: Record<string, unknown> = {}
  const ids = { projects: new Set<string>(), contacts: new Set<string>() }
  const checked = { read, counts: { projects: 0, contacts: 0 }, withoutIds: { projects: 0, contacts: 0 }, bytes: 0 }
  const lists: RecordList[] = []
  let head: ExportHead = {}
  let sum: ReturnType<typeof startChecksum> | undefined
  let inOrder = true
  const counted = () =>
    countBytes(read(), (bytes) => {
      checked.bytes += bytes
    })
  for await (const part of eachPart(counted)) {
    if ('key' in part) {
      values[part.key] = part.value
      head = readHead(values)
      // The sum begins with the head, but for the sum itself.
      if (part.key !== 'sha256' && sum) inOrder = false
      continue
    }
    if ('begins' in part) {
      lists.push(part.begins as RecordList)
      continue
    }
    const list = part.list as RecordList
    const { id } = readRecord(list, part.index, part.record)
    if (id && ids[list].has(id)) throw refusedExport({ reason: 'same_id', list, id })
    if (id) ids[list].add(id)
    else checked.withoutIds[list] += 1
    if (checked.withoutIds[list] > mostWithoutIds) {
      throw refusedExport({ reason: 'too_many_without_ids', list, most: mostWithoutIds })
    }
    checked.counts[list] += 1
    sum ??= startChecksum(head)
    sum.add(part.record)
  }
  if (lists.length === 0) throw refusedExport({ reason: 'empty' })
  const { sha256, counts, version } = head
  const isUsual = inOrder && (lists[0] === 'projects' || lists.length === 1)
  const found = () => (isUsual ? (sum ?? startChecksum(head)).digest() : sumInOrder(read, head))
  if (sha256 !== undefined && sha256 !== (await found())) throw refusedExport({ reason: 'changed' })
  const isTrue = counts?.projects === checked.counts.projects && counts.contacts === checked.counts.contacts
  if (whole && (!isTrue || version === undefined)) throw refusedExport({ reason: 'wrong_counts' })
  return checked
}

async function* countBytes(content: AsyncIterable<Uint8Array>, count: (bytes: number) => void) {
  for await (const chunk of content) {
    count(chunk.length)
    yield chunk
  }
}

/** Somebody has sorted the keys: the head and then list after list, each with a reading of its own. */
async function sumInOrder(read: ExportSource, head: ExportHead) {
  const sum = startChecksum(head)
  for (const list of recordLists) {
    for await (const part of eachPart(read)) {
      if ('list' in part && part.list === list) sum.add(part.record)
    }
  }
  return sum.digest()
}

/** The records of a file that has been checked, some at a time. */
export async function* eachIncoming(read: ExportSource): AsyncGenerator<Incoming> {
  for await (const parts of orRefused(readParts(read(), exportShape))) {
    const incoming: Incoming = { projects: [], contacts: [] }
    for (const part of parts) {
      if (!('list' in part)) continue
      if (part.list === 'projects') incoming.projects.push(readRecord('projects', part.index, part.record))
      else incoming.contacts.push(readRecord('contacts', part.index, part.record))
    }
    yield incoming
  }
}

async function* eachPart(read: ExportSource): AsyncGenerator<JsonPart> {
  for await (const parts of orRefused(readParts(read(), exportShape))) yield* parts
}

async function* orRefused<T>(parts: AsyncIterable<T>): AsyncGenerator<T> {
  try {
    yield* parts
  } catch (error) {
    throw error instanceof UnreadableJson ? refusedExport(error.fault) : error
  }
}
