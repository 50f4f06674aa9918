import { createHash } from 'node:crypto'
import { availableParallelism } from 'node:os'
import { buffer } from 'node:stream/consumers'
import type { OwnFields } from '#contract/site-fields.ts'
import { Problem } from '#server/http/problem.ts'
import { forEachConcurrently, type OpenFile, piecesOf } from '#server/storage/storage.ts'
import type { Progress } from '../job.ts'
import { contentSum } from '../restore/merge.rules.ts'
import { type ArchivedPhoto, archiveLimits, photoEntry, photoIn, recordEntry, siteName } from './archive.rules.ts'
import { type CheckedImage, findOwners, type Images } from './backup-photos.ts'
import {
  type CheckedRecord,
  mostRecords,
  mostWithoutIds,
  type RecordList,
  readExport,
  readRecord,
  readSite,
  recordLists,
  sentWith,
  startChecksum,
} from './export.rules.ts'
import { asFileFault, fileFault, parseJson, refuseNewer } from './file-faults.ts'
import { isOlder, ofOlderVersion, olderDataName, summedInOrder } from './older-versions.ts'
import { openZip } from './open-zip.ts'

export type PlacedPhoto = ArchivedPhoto & { start: number; bytes: number }
type RawRecord = { list: RecordList; record: unknown }

/** A file whose records are checked to the end: names, sizes, sums, schemas. Photos are checked by `checkPhotos`. */
export type IncomingBackup = {
  /** Undefined where an export does not say it. */
  version: number | undefined
  createdAt: string | undefined
  counts: Record<RecordList, number>
  /** The maker's own words and pictures; undefined when there are none in it. */
  site: OwnFields | undefined
  /** The contents of records without an id, by which they are recognized. */
  withoutIds: Record<RecordList, Set<string>>
  /** The checked records in the order of the file, some at a time, from the beginning each time: the file itself is the plan. */
  records(): AsyncGenerator<CheckedRecord[]>
  /** The same as they are in the file. */
  rawRecords(): AsyncGenerator<RawRecord[]>
  photos: readonly PlacedPhoto[]
  /** Calls `use` with the bytes once their SHA-256 is the one in the name; the buffer is reused afterwards. */
  withPhoto(photo: PlacedPhoto, use: (content: Buffer) => Promise<void>): Promise<void>
}

/** A name that ends in `.zip` is a complete backup, any other an export. The file must not be encrypted. */
export async function openBackupFile(file: OpenFile, filename: string): Promise<IncomingBackup> {
  try {
    return await (filename.toLowerCase().endsWith('.zip') ? openArchive(file) : openExport(file))
  } catch (error) {
    throw asFileFault(error)
  }
}

async function openArchive(file: OpenFile): Promise<IncomingBackup> {
  const zip = await openZip(file)
  const { version, createdAt, counts } = zip.manifest
  const source = isOlder(version)
    ? parseExport(await zip.parse(olderDataName), { isWhole: true })
    : { rawRecords: () => readLists(zip.stream), site: readSite(await zip.parse(siteName)) }
  const photos = zip.entries.flatMap(({ name, start, bytes }): PlacedPhoto[] => {
    const photo = photoIn(name)
    return photo ? [{ ...photo, start, bytes }] : []
  })
  const unsent = new Set(photos.flatMap(({ kind, hash }) => (kind === 'inquiryPhotos' ? hash : [])))
  const checked = await checkRecords(source.rawRecords, version, unsent)
  if (recordLists.some((list) => checked.counts[list] !== counts[list])) {
    throw fileFault('file_damaged', 'It does not hold as many records as its manifest says.')
  }
  // A photo of no message would never be shown or deleted.
  const [hash] = unsent
  if (hash) throw fileFault('not_a_backup', 'No message brought it.', photoEntry({ kind: 'inquiryPhotos', hash }))

  // Reused: a buffer for each photo would pile up until the garbage is collected.
  const buffers: Buffer[] = []
  const withPhoto: IncomingBackup['withPhoto'] = async (photo, use) => {
    // The header comes with the bytes.
    const bytes = photo.bytes + 2_048
    const spare = buffers.pop()
    const memory = spare && spare.length >= bytes ? spare : Buffer.allocUnsafeSlow(Math.ceil(bytes * 1.25))
    const content = await zip.read(photoEntry(photo), memory).catch((error: unknown) => {
      throw asFileFault(error)
    })
    if (createHash('sha256').update(content).digest('hex') !== photo.hash) {
      throw fileFault('file_damaged', 'Its bytes are not those of its name.', photoEntry(photo))
    }
    await use(content)
    buffers.push(memory)
  }
  return { ...source, ...checked, version, createdAt, photos, withPhoto }
}

async function openExport(file: OpenFile): Promise<IncomingBackup> {
  if (file.bytes > archiveLimits.wholeBytes) throw fileFault('file_too_large', `It has ${file.bytes} bytes.`)
  const source = parseExport(parseJson(await buffer(piecesOf(file))), { isWhole: false })
  return { ...source, ...(await checkRecords(source.rawRecords, source.version)), photos: [], withPhoto: async () => {} }
}

/** `isWhole` demands what only a whole export has: its version, and counts that are true. */
function parseExport(data: unknown, { isWhole }: { isWhole: boolean }) {
  refuseNewer((data as { version?: unknown } | null)?.version)
  const { projects, contacts, sha256, ...head } = readExport(data)
  const { version, createdAt, counts } = head
  const site = readSite(head.site)
  if (!projects && !contacts && !site) throw fileFault('not_a_backup', 'It has no projects, messages or texts of the site.')
  const lists = { projects: projects ?? [], contacts: contacts ?? [] }
  const isTrue = version !== undefined && recordLists.every((list) => counts?.[list] === lists[list].length)
  if (isWhole && !isTrue) throw fileFault('file_damaged', 'It does not hold as many records as it says.')
  const sum = startChecksum()
  for (const value of summedInOrder(version, head, [...lists.projects, ...lists.contacts])) sum.add(value)
  if (sha256 !== undefined && sha256 !== sum.digest()) {
    throw fileFault('file_damaged', 'It is not that of its sha256. Remove that line if you changed the file on purpose.')
  }
  async function* rawRecords(): AsyncGenerator<RawRecord[]> {
    for (const list of recordLists) {
      for (let start = 0; start < lists[list].length; start += mostAtOnce) {
        yield lists[list].slice(start, start + mostAtOnce).map((record) => ({ list, record }))
      }
    }
  }
  return { version, createdAt, site, rawRecords }
}

/** Reads all records to the end, and refuses the file for the first fault. Takes out of `unsent` what messages brought. */
async function checkRecords(rawRecords: IncomingBackup['rawRecords'], version: number | undefined, unsent = new Set<string>()) {
  async function* records(): AsyncGenerator<CheckedRecord[]> {
    const places = { projects: 0, contacts: 0 }
    const presentOf = ({ list, record }: RawRecord) => (isOlder(version) ? ofOlderVersion(list, record) : record)
    for await (const some of rawRecords()) yield some.map((raw) => readRecord(raw.list, places[raw.list]++, presentOf(raw)))
  }
  const counts = { projects: 0, contacts: 0 }
  const ids = { projects: new Set<string>(), contacts: new Set<string>() }
  const withoutIds = { projects: new Set<string>(), contacts: new Set<string>() }
  for await (const some of records()) {
    for (const { list, record } of some) {
      counts[list] += 1
      if (record.id === undefined) withoutIds[list].add(contentSum(record))
      else if (ids[list].has(record.id)) throw fileFault('file_damaged', `Two ${list} have the id ${record.id}.`)
      else ids[list].add(record.id)
      if (counts[list] > mostRecords[list] || counts[list] - ids[list].size > mostWithoutIds) {
        throw fileFault('file_too_large', `It has more than ${counts[list] - 1} ${list}, ${ids[list].size} of them with an id.`)
      }
      for (const hash of sentWith({ record })) unsent.delete(hash)
    }
  }
  return { counts, withoutIds, records, rawRecords }
}

/** As many as a database is asked for at once, and few enough to be in memory. */
const mostAtOnce = 200
const mostBytesAtOnce = 1024 * 1024

async function* readLists(stream: (entry: string) => AsyncIterable<Buffer>): AsyncGenerator<RawRecord[]> {
  for (const list of recordLists) {
    let some: RawRecord[] = []
    let bytes = 0
    for await (const line of linesOf(stream(recordEntry[list]), recordEntry[list])) {
      some.push({ list, record: parseJson(line, recordEntry[list]) })
      bytes += line.length
      if (some.length < mostAtOnce && bytes < mostBytesAtOnce) continue
      yield some
      some = []
      bytes = 0
    }
    yield some
  }
}

async function* linesOf(content: AsyncIterable<Buffer>, entry: string): AsyncGenerator<Buffer> {
  let begun: Buffer[] = []
  let bytes = 0
  for await (const chunk of content) {
    let start = 0
    for (let end = chunk.indexOf('\n'); end >= 0; end = chunk.indexOf('\n', start)) {
      yield Buffer.concat([...begun, chunk.subarray(start, end)])
      begun = []
      bytes = 0
      start = end + 1
    }
    begun.push(chunk.subarray(start))
    bytes += chunk.length - start
    if (bytes > archiveLimits.lineBytes) throw fileFault('file_too_large', 'It has a line of more than 8 MB.', entry)
  }
  if (bytes > 0) yield Buffer.concat(begun)
}

/** One more than are decoded at once: the next is there when one is done. Each holds at most one photo in memory. */
export const photosAtOnce = Math.min(availableParallelism(), 4) + 1

const verdicts = ['not_an_image', 'image_too_many_pixels', 'image_needs_memory'] as const

type PhotoChecks = {
  judge: Images['judge']
  /** Of the others only the hash is compared. */
  isNeeded(photo: PlacedPhoto): Promise<boolean>
  progress: Progress
}

/** Reads every photo, and refuses the file for the first fault. Those that are needed must also be such as the site stores. */
export async function checkPhotos(incoming: IncomingBackup, { judge, isNeeded, progress }: PhotoChecks) {
  const needed: (PlacedPhoto & CheckedImage)[] = []
  let done = 0
  await forEachConcurrently(incoming.photos, photosAtOnce, async (photo) => {
    const isToBeJudged = await isNeeded(photo)
    await incoming.withPhoto(photo, async (content) => {
      if (isToBeJudged) needed.push({ ...photo, ...(await judge(content).catch((error: unknown) => refuse(photo, error))) })
    })
    done += 1
    progress('checking', done, incoming.photos.length)
  })
  return needed

  async function refuse(photo: PlacedPhoto, error: unknown): Promise<never> {
    if (!(error instanceof Problem)) throw error
    const verdict = verdicts.find((code) => code === error.code) ?? 'image_broken'
    const because = error.code === 'heic_not_supported' ? 'not_an_image' : verdict
    const owners = await findOwners(incoming, [photo])
    throw new Problem('record_refused', { details: { reason: 'photo', photo: photo.hash, because, ...owners }, cause: error })
  }
}
