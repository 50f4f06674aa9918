import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { crc32 } from 'node:zlib'
import yauzl, { type Entry, type ZipFile } from 'yauzl'
import type { OwnFields } from '#contract/site-fields.ts'
import { type CheckedImage, judgeImage } from '#server/features/images/image-tasks.ts'
import { Problem } from '#server/http/problem.ts'
import { type OpenFile, piecesOf } from '#server/storage/storage.ts'
import type { Progress } from '../job.ts'
import { contentSum } from '../restore/merge.rules.ts'
import {
  type ArchivedPhoto,
  archiveLimits,
  asFileFault,
  checkEntry,
  fileFault,
  manifestName,
  olderDataName,
  parseJson,
  photoEntry,
  photoIn,
  readManifest,
  recordEntry,
  refuseNewer,
  siteName,
  utf8,
} from './archive.rules.ts'
import { eachPhoto, findOwners } from './backup-photos.ts'
import {
  asSummed,
  type CheckedRecord,
  mostRecords,
  type RecordList,
  readExport,
  readRecord,
  readSite,
  recordLists,
  sentWith,
} from './export.rules.ts'

export type PlacedPhoto = ArchivedPhoto & { bytes: number }

/** A file whose records are checked to the end: names, sizes, sums, schemas. Photos are checked by `checkPhotos`. */
export type IncomingBackup = {
  createdAt: string | undefined
  counts: Record<RecordList, number>
  /** The maker's own words and pictures; undefined when there are none in it. */
  site: OwnFields | undefined
  /** The contents of records without an id, by which they are recognized. */
  withoutIds: Record<RecordList, Set<string>>
  /** The checked records in the order of the file, some at a time, from the beginning each time: the file itself is the plan. */
  records(): AsyncGenerator<CheckedRecord[]>
  photos: readonly PlacedPhoto[]
  /** The bytes, once their SHA-256 is the one in the name. */
  readPhoto(photo: ArchivedPhoto): Promise<Buffer>
}

/** A name that ends in `.zip` is a complete backup, any other an export. The file must not be encrypted. */
export async function openBackupFile(file: OpenFile, filename: string): Promise<IncomingBackup> {
  try {
    return await (filename.toLowerCase().endsWith('.zip') ? openArchive(file) : openExport(file))
  } catch (error) {
    throw asFileFault(error)
  }
}

type Source = Pick<IncomingBackup, 'createdAt' | 'site'> & {
  rawRecords(): AsyncIterable<{ list: RecordList; record: unknown }>
}

async function openArchive(file: OpenFile): Promise<IncomingBackup> {
  const { manifest, stream, parse, readPhoto } = await openZip(file)
  const { version, createdAt, counts, entries } = manifest
  const source = version < 7 ? parseExport(await parse(olderDataName)) : { site: readSite(await parse(siteName)), rawRecords }
  async function* rawRecords() {
    for (const list of recordLists) {
      const name = recordEntry[list]
      for await (const line of linesOf(stream(name), name)) yield { list, record: parseJson(line, name) }
    }
  }
  const photos = entries.flatMap(({ name, bytes }): PlacedPhoto[] => {
    const photo = photoIn(name)
    return photo ? [{ ...photo, bytes }] : []
  })
  const unsent = new Set(photos.flatMap(({ kind, hash }) => (kind === 'inquiryPhotos' ? hash : [])))
  const incoming = await checkRecords({ ...source, createdAt }, unsent)
  if (recordLists.some((list) => incoming.counts[list] !== counts[list])) {
    throw fileFault('file_damaged', 'It does not hold as many records as its manifest says.')
  }
  // A photo of no message would never be shown or deleted.
  const [hash] = unsent
  if (hash) throw fileFault('not_a_backup', 'No message brought it.', photoEntry({ kind: 'inquiryPhotos', hash }))
  return { ...incoming, photos, readPhoto }
}

async function openExport(file: OpenFile): Promise<IncomingBackup> {
  if (file.bytes > archiveLimits.wholeBytes) throw fileFault('file_too_large', `It has ${file.bytes} bytes.`)
  const incoming = await checkRecords(parseExport(parseJson(utf8(await buffer(piecesOf(file))))))
  return { ...incoming, photos: [], readPhoto: async () => Buffer.alloc(0) }
}

function parseExport(data: unknown): Source {
  refuseNewer(data)
  const { projects, contacts, sha256, ...head } = readExport(data)
  const { version = 1, createdAt } = head
  const site = readSite(head.site)
  if (!projects && !contacts && !site) throw fileFault('not_a_backup', 'It has no projects, messages or texts of the site.')
  const lists = { projects: projects ?? [], contacts: contacts ?? [] }
  const records = [...lists.projects, ...lists.contacts]
  const sum = createHash('sha256')
  // Until version 6 the head came first.
  const summed = version < 7 ? [head, ...records] : [...records, head]
  for (const [index, value] of summed.entries()) sum.update(`${index > 0 ? '\n' : ''}${asSummed(value)}`)
  if (sha256 !== undefined && sha256 !== sum.digest('hex')) {
    throw fileFault('file_damaged', 'It is not that of its sha256. Remove that line if you changed the file on purpose.')
  }
  async function* rawRecords() {
    for (const list of recordLists) for (const record of lists[list]) yield { list, record }
  }
  return { createdAt, site, rawRecords }
}

/** As many as a database is asked for at once, and few enough to be in memory. */
const mostAtOnce = 100

/** Reads all records to the end, and refuses the file for the first fault. Takes out of `unsent` what messages brought. */
async function checkRecords({ rawRecords, ...source }: Source, unsent = new Set<string>()) {
  async function* records(): AsyncGenerator<CheckedRecord[]> {
    const places = { projects: 0, contacts: 0 }
    let some: CheckedRecord[] = []
    for await (const { list, record } of rawRecords()) {
      some.push(readRecord(list, places[list]++, record))
      if (some.length < mostAtOnce) continue
      yield some
      some = []
    }
    yield some
  }
  const counts = { projects: 0, contacts: 0 }
  const ids = { projects: new Set<string>(), contacts: new Set<string>() }
  const withoutIds = { projects: new Set<string>(), contacts: new Set<string>() }
  for await (const some of records()) {
    for (const { list, record } of some) {
      counts[list] += 1
      if (counts[list] > mostRecords[list]) throw fileFault('file_too_large', `It has more than ${mostRecords[list]} ${list}.`)
      if (record.id === undefined) withoutIds[list].add(contentSum(record))
      else if (ids[list].has(record.id)) throw fileFault('file_damaged', `Two ${list} have the id ${record.id}.`)
      else ids[list].add(record.id)
      for (const hash of sentWith({ record })) unsent.delete(hash)
    }
  }
  return { ...source, counts, withoutIds, records }
}

async function* linesOf(content: AsyncIterable<Buffer>, entry: string): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  let begun = ''
  for await (const chunk of content) {
    const [first = '', ...others] = decoder.decode(chunk, { stream: true }).split('\n')
    begun += first
    for (const line of others) {
      yield begun
      begun = line
    }
    if (begun.length > archiveLimits.lineBytes) throw fileFault('file_too_large', 'It has a line of more than 8 MB.', entry)
  }
  if (begun) yield begun
}

/** Reads every photo, and answers those whose bytes are not those of their names. */
export async function findDamaged({ photos, readPhoto }: IncomingBackup, progress: Progress) {
  const damaged: PlacedPhoto[] = []
  const read = async (photo: PlacedPhoto) => {
    await readPhoto(photo).catch((error: unknown) => {
      if (!(error instanceof Problem)) throw error
      damaged.push(photo)
    })
  }
  await eachPhoto(photos, (...count) => progress('checking', ...count), read)
  return damaged
}

const verdicts = ['not_an_image', 'image_too_many_pixels', 'image_needs_memory'] as const

/** Reads every photo, and refuses the file for the first fault. Those that are needed must also be such as the site stores. */
export async function checkPhotos(
  incoming: IncomingBackup,
  progress: Progress,
  isNeeded: (photo: PlacedPhoto) => Promise<boolean> = async () => true,
) {
  const { photos, readPhoto } = incoming
  const needed: (PlacedPhoto & CheckedImage)[] = []
  const check = async (photo: PlacedPhoto) => {
    const content = await readPhoto(photo)
    if (!(await isNeeded(photo))) return
    const facts = await judgeImage(content).catch(async (error: unknown) => {
      if (!(error instanceof Problem)) throw error
      const because = verdicts.find((code) => code === error.code) ?? 'image_broken'
      const details = { reason: 'photo', photo: photo.hash, because, ...(await findOwners(incoming, [photo])) } as const
      throw new Problem('record_refused', { details, cause: error })
    })
    needed.push({ ...photo, ...facts })
  }
  await eachPhoto(photos, (...count) => progress('checking', ...count), check)
  return needed
}

/** Before the name of an entry. */
const headerBytes = 30

/**
 * Opens a complete backup. Nothing in it is believed: names, sizes and the manifest are compared with each other, and the sums
 * with the bytes whenever these are read.
 */
async function openZip(file: OpenFile) {
  const zip = await readDirectory(file)
  if (zip.entryCount > archiveLimits.photos + 4) throw fileFault('file_too_large', `It holds ${zip.entryCount} files.`)
  const entries = new Map<string, Entry>()
  for await (const entry of zip.eachEntry()) {
    const { fileName, relativeOffsetOfLocalHeader: start, compressedSize } = entry
    if (entries.has(fileName)) throw fileFault('file_damaged', 'Two files in it have this name.', fileName)
    if (start + headerBytes + compressedSize > file.bytes) {
      throw fileFault('file_damaged', 'It goes beyond the end of the file.', fileName)
    }
    entries.set(fileName, entry)
  }
  const list = entries.get(manifestName)
  if (!list) throw fileFault('not_a_backup', 'It has no manifest.')
  checkEntry(list)
  const data = parseJson(utf8(await buffer(contentOf(zip, list))), manifestName)
  // Before entries are refused that only a newer version has.
  refuseNewer(data)
  for (const entry of entries.values()) checkEntry(entry)
  const manifest = readManifest(data, entries)
  const sums = new Map(manifest.entries.map(({ name, sha256 }) => [name, sha256]))
  // All names that are asked for are in the manifest.
  const entryOf = (name: string) => entries.get(name) as Entry
  const stream = (name: string) => contentOf(zip, entryOf(name), sums.get(name))

  return {
    manifest,
    /** The bytes of an entry; throws at the end where the sums differ. */
    stream,
    parse: async (name: string) => parseJson(utf8(await buffer(stream(name))), name),
    /** The sum of a photo in the manifest is its name. */
    readPhoto: (photo: ArchivedPhoto) =>
      buffer(stream(photoEntry(photo))).catch((error: unknown) => {
        throw asFileFault(error)
      }),
  }
}

async function readDirectory(file: OpenFile) {
  // It is at the end. The library reads a few bytes at a time, each of which would be a request to a bucket.
  const start = Math.max(0, file.bytes - archiveLimits.listBytes)
  const end = await file.read(start, file.bytes - start)
  const reader = new (class extends yauzl.RandomAccessReader {
    override read(target: Buffer, offset: number, length: number, position: number, callback: (error: Error | null) => void) {
      const content = position < start ? file.read(position, length) : end.subarray(position - start, position - start + length)
      const copied = Promise.resolve(content).then((bytes) => bytes.copy(target, offset))
      copied.then((bytes) => callback(bytes === length ? null : new Error('It ends too early.')), callback)
    }
    override _readStreamForRange(from: number, to: number) {
      return Readable.from(piecesOf(file, from, to), { objectMode: false })
    }
  })()
  const options = { lazyEntries: true, autoClose: false }
  return yauzl.fromRandomAccessReaderPromise(reader, file.bytes, options).catch(async (error) => {
    const isCut = (await file.read(0, Math.min(4, file.bytes))).equals(Buffer.from('PK\x03\x04'))
    throw isCut ? error : fileFault('not_a_backup', 'It is not a ZIP file.', undefined, error)
  })
}

/** The library compares the sizes. */
async function* contentOf(zip: ZipFile, entry: Entry, sha256?: string): AsyncGenerator<Buffer> {
  const sum = createHash('sha256')
  let crc = 0
  for await (const chunk of await zip.openReadStreamPromise(entry)) {
    crc = crc32(chunk, crc)
    sum.update(chunk)
    yield chunk
  }
  const isSame = crc === entry.crc32 && [undefined, sum.digest('hex')].includes(sha256)
  if (!isSame) throw fileFault('file_damaged', 'Its bytes are not those of its sums.', entry.fileName)
}
