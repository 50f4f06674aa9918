import { createHash } from 'node:crypto'
import type { IncomingContact, IncomingProject } from '#contract/backups.ts'
import { hashesShown } from '#contract/images.ts'
import type { PhotoOwners } from '#contract/problems.ts'
import { type OwnFields, photosIn } from '#contract/site-fields.ts'
import { shownName } from '#contract/value-fault.ts'
import { Problem } from '#server/http/problem.ts'
import { type OpenFile, piecesOf } from '#server/storage/storage.ts'
import type { Progress } from '../job.ts'
import { contentSum, momentOf } from '../restore/merge.rules.ts'
import { type ArchivedPhoto, archiveLimits, photoEntry, photoIn, recordEntry, siteName } from './archive.rules.ts'
import { type CheckedImage, forEachPhoto, type Images } from './backup-photos.ts'
import {
  type CheckedRecord,
  mostRecords,
  mostWithoutIds,
  type RecordList,
  readHead,
  readRecord,
  readSite,
  recordLists,
  sentWith,
  startChecksum,
} from './export.rules.ts'
import { asFileFault, fileFault, parseJson, refuseNewer } from './file-faults.ts'
import { ofOlderVersion, olderRecordEntries, sumOfOlderExport } from './older-versions.ts'
import { openZip } from './open-zip.ts'
import type { RecordOf } from './records.queries.ts'
import { namedProjects } from './write-export.ts'

export type PlacedPhoto = ArchivedPhoto & { start: number; bytes: number }

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
  /** The checked records in the order of the file, some at a time, from the beginning each time it is called: the file itself is the plan. */
  records(): AsyncGenerator<CheckedRecord[]>
  /** The same as they are in the file. */
  rawRecords(): AsyncGenerator<RawRecord[]>
  photos: readonly PlacedPhoto[]
  /** Calls `use` with the bytes once their SHA-256 is the one in the name; the buffer is reused afterwards. */
  withPhoto(photo: PlacedPhoto, use: (content: Buffer) => Promise<void>): Promise<void>
}

type RawRecord = { list: RecordList; record: unknown }

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
  const source = version < 7 ? parseExport(await zip.parse(olderRecordEntries[0] ?? ''), { isWhole: true }) : undefined
  const raw = source?.rawRecords ?? (() => readLists(zip.stream))
  const photos = zip.entries.flatMap(({ name, start, bytes }): PlacedPhoto[] => {
    const photo = photoIn(name)
    return photo ? [{ ...photo, start, bytes }] : []
  })
  const unsent = new Set(photos.flatMap(({ kind, hash }) => (kind === 'inquiryPhotos' ? hash : [])))
  const checked = await checkRecords(raw, { version, onSent: (hash) => unsent.delete(hash) })
  if (recordLists.some((list) => checked.counts[list] !== counts[list])) {
    throw fileFault('file_damaged', 'It does not hold as many records as its manifest says.')
  }
  // A photo of no message would never be shown or deleted.
  for (const hash of unsent) {
    throw fileFault('not_a_backup', 'No message brought this photo.', { entry: photoEntry({ kind: 'inquiryPhotos', hash }) })
  }
  const site = source ? source.site : readSite(await zip.parse(siteName))

  // Reused: a buffer for each photo would pile up until the garbage is collected.
  const buffers: Buffer[] = []
  const withPhoto: IncomingBackup['withPhoto'] = async (photo, use) => {
    const entry = photoEntry(photo)
    const spare = buffers.pop()
    // The header comes with the bytes.
    const memory =
      spare && spare.length >= photo.bytes + 2_048 ? spare : Buffer.allocUnsafeSlow(Math.ceil(photo.bytes * 1.25) + 2_048)
    const content = await zip.read(entry, memory).catch((error: unknown) => {
      throw asFileFault(error)
    })
    if (createHash('sha256').update(content).digest('hex') !== photo.hash) {
      throw fileFault('file_damaged', 'The bytes of the photo are not those of its name.', { entry })
    }
    await use(content)
    buffers.push(memory)
  }
  return { version, createdAt, site, photos, withPhoto, ...checked }
}

async function openExport(file: OpenFile): Promise<IncomingBackup> {
  if (file.bytes > archiveLimits.wholeBytes) throw fileFault('file_too_large', `It has ${file.bytes} bytes.`)
  const chunks: Buffer[] = []
  for await (const chunk of piecesOf(file)) chunks.push(chunk)
  const { rawRecords, ...head } = parseExport(parseJson(Buffer.concat(chunks), 'the export'), { isWhole: false })
  return { ...head, ...(await checkRecords(rawRecords, head)), photos: [], withPhoto: async () => {} }
}

/** `isWhole` demands what only a whole export has: its version, and counts that are true. */
function parseExport(data: unknown, { isWhole }: { isWhole: boolean }) {
  if (typeof data !== 'object' || data === null || Array.isArray(data)) throw fileFault('not_a_backup', 'It is no JSON object.')
  const { projects, contacts, ...values } = data as Record<string, unknown>
  refuseNewer(values.version)
  const head = readHead(values)
  const { version, createdAt, sha256 } = head
  const lists = { projects: listIn({ projects }), contacts: listIn({ contacts }) }
  const site = readSite(head.site)
  if (!projects && !contacts && !site)
    throw fileFault('not_a_backup', 'It has no projects, no messages and no texts of the site.')
  const isTrue = recordLists.every((list) => head.counts?.[list] === lists[list].length)
  if (isWhole && (!isTrue || version === undefined))
    throw fileFault('file_damaged', 'It does not hold as many records as it says.')
  const records = [...lists.projects, ...lists.contacts]
  if (sha256 !== undefined && sha256 !== (isOlder(version) ? sumOfOlderExport(head, records) : sumOfExport(head, records))) {
    throw fileFault(
      'file_damaged',
      'Its records are not those of its sha256. If you changed it on purpose, remove the line with sha256.',
    )
  }
  async function* rawRecords(): AsyncGenerator<RawRecord[]> {
    for (const list of recordLists) {
      const all = lists[list].map((record) => ({ list, record }))
      for (let start = 0; start < all.length; start += mostAtOnce) yield all.slice(start, start + mostAtOnce)
    }
  }
  return { version, createdAt, site, rawRecords }
}

function listIn(named: Record<string, unknown>): unknown[] {
  const [[name = '', list] = []] = Object.entries(named)
  if (list !== undefined && !Array.isArray(list)) throw fileFault('not_a_backup', `Its “${name}” is not a list.`)
  return list ?? []
}

function sumOfExport(head: ReturnType<typeof readHead>, records: readonly unknown[]) {
  const sum = startChecksum()
  for (const record of records) sum.add(record)
  return sum.digest(head)
}

const isOlder = (version: number | undefined) => version === undefined || version < 7

type CheckOptions = { version: number | undefined; onSent?: (hash: string) => void }

/** Reads all records to the end, and refuses the file for the first fault. */
async function checkRecords(rawRecords: () => AsyncGenerator<RawRecord[]>, { version, onSent = () => {} }: CheckOptions) {
  async function* records(): AsyncGenerator<CheckedRecord[]> {
    const places = { projects: 0, contacts: 0 }
    for await (const some of rawRecords()) {
      yield some.map(({ list, record }) =>
        readRecord(list, places[list]++, isOlder(version) ? ofOlderVersion(list, record) : record),
      )
    }
  }

  const counts = { projects: 0, contacts: 0 }
  const ids = { projects: new Set<string>(), contacts: new Set<string>() }
  const withoutIds = { projects: new Set<string>(), contacts: new Set<string>() }
  for await (const some of records()) {
    for (const { list, record } of some) {
      counts[list] += 1
      if (counts[list] > mostRecords[list]) throw fileFault('file_too_large', `It has more than ${mostRecords[list]} ${list}.`)
      if (record.id === undefined) withoutIds[list].add(contentSum(record, momentOf(record)))
      else if (ids[list].has(record.id)) throw fileFault('file_damaged', `Two ${list} have the id ${record.id}.`)
      else ids[list].add(record.id)
      if (counts[list] - ids[list].size > mostWithoutIds) {
        throw fileFault('file_too_large', `It has more than ${mostWithoutIds} ${list} without an id.`)
      }
      for (const hash of sentWith({ record })) onSent(hash)
    }
  }
  return { counts, withoutIds, records, rawRecords }
}

/** A database is asked for so many at a time. */
const mostAtOnce = 200
const mostBytesAtOnce = 1024 * 1024

async function* readLists(stream: (entry: string) => AsyncIterable<Buffer>): AsyncGenerator<RawRecord[]> {
  for (const list of recordLists) {
    const entry = recordEntry[list]
    let some: RawRecord[] = []
    let bytes = 0
    for await (const line of linesOf(stream(entry), entry)) {
      some.push({ list, record: parseJson(line, entry) })
      bytes += line.length
      if (some.length < mostAtOnce && bytes < mostBytesAtOnce) continue
      yield some
      some = []
      bytes = 0
    }
    if (some.length > 0) yield some
  }
}

const lineEnd = 0x0a

async function* linesOf(content: AsyncIterable<Buffer>, entry: string): AsyncGenerator<Buffer> {
  let begun: Buffer[] = []
  let bytes = 0
  for await (const chunk of content) {
    let start = 0
    for (let end = chunk.indexOf(lineEnd); end >= 0; end = chunk.indexOf(lineEnd, start)) {
      yield Buffer.concat([...begun, chunk.subarray(start, end)])
      begun = []
      bytes = 0
      start = end + 1
    }
    begun.push(chunk.subarray(start))
    bytes += chunk.length - start
    if (bytes > archiveLimits.lineBytes) throw fileFault('file_too_large', 'It has a line of more than 8 MB.', { entry })
  }
  if (bytes > 0) yield Buffer.concat(begun)
}

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
  await forEachPhoto(incoming.photos, async (photo) => {
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

type Owner = IncomingProject | Pick<IncomingContact, 'email' | 'name' | 'photos'>
type OwnerSource = {
  records(): AsyncIterable<readonly { record: Owner | RecordOf[RecordList] }[]>
  site: OwnFields | undefined
}

const mostNamed = 20

/** Whose photos they are: a person knows them by that. */
export async function findOwners({ records, site }: OwnerSource, photos: readonly ArchivedPhoto[]): Promise<PhotoOwners> {
  const hashes = { images: new Set<string>(), inquiryPhotos: new Set<string>() }
  for (const { kind, hash } of photos) hashes[kind].add(hash)
  const titles: string[] = []
  const senders = new Set<string>()
  for await (const some of records()) {
    for (const { record } of some) {
      if ('email' in record) {
        if (record.photos.some((hash) => hashes.inquiryPhotos.has(hash))) senders.add(shownName(record.name))
      } else if (hashesShown(record).some((hash) => hashes.images.has(hash))) titles.push(record.title)
    }
  }
  const isOfSite = photosIn(site ?? {}).some((hash) => hashes.images.has(hash))
  return { ...namedProjects(titles, isOfSite, mostNamed), senders: [...senders].slice(0, mostNamed) }
}
