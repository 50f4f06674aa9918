import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { crc32 } from 'node:zlib'
import yauzl, { type Entry, type ZipFile } from 'yauzl'
import { z } from 'zod/mini'
import { archiveFormat, backupVersion } from '#contract/backups.ts'
import type { FileFault } from '#contract/problems.ts'
import { shownName } from '#contract/value-fault.ts'
import { Problem } from '#server/http/problem.ts'
import { type OpenFile, piecesOf, StorageFailed } from '#server/storage/storage.ts'

export const manifestName = 'manifest.json'
/** A record to a line. */
export const recordEntry = { projects: 'projects.ndjson', contacts: 'messages.ndjson' } as const
export const siteName = 'site.json'
export const statisticsName = 'statistics.json'
/** Until version 6 a complete backup held an export. */
export const olderDataName = 'data.json'

/** The maker's photos are public, those of visitors private. */
export const photoKinds = ['images', 'inquiryPhotos'] as const
export type PhotoKind = (typeof photoKinds)[number]
export type ArchivedPhoto = { kind: PhotoKind; hash: string }
export type PlacedPhoto = ArchivedPhoto & { bytes: number }

const folders: Record<PhotoKind, string> = { images: 'images', inquiryPhotos: 'inquiry-photos' }
const photoName = /^(.+)\/([0-9a-f]{64})$/

export function photoEntry({ kind, hash }: ArchivedPhoto) {
  return `${folders[kind]}/${hash}`
}

export function photoIn(entry: string): ArchivedPhoto | undefined {
  const [, folder, hash = ''] = photoName.exec(entry) ?? []
  const kind = photoKinds.find((each) => folders[each] === folder)
  return kind && { kind, hash }
}

const megabyte = 1024 * 1024

export const archiveLimits = {
  /** Of both kinds; few enough to be listed in memory. */
  photos: 100_000,
  /** No record of ours is as large, whatever its texts are made of: a message may have a hundred long replies. */
  lineBytes: 8 * megabyte,
  /** Of what is parsed whole: exports, and the records of older versions. Not much more fits into a string. */
  wholeBytes: 200 * megabyte,
  /** The manifest and the directory list all photos. */
  listBytes: 32 * megabyte,
} as const

/** A photo of 50 megapixels as this site stores it, at its very largest. */
const imageBytes = 64 * megabyte
/** Never in memory as a whole. */
const recordBytes = 4 * 1024 * megabyte
const entryBytes = new Map<string, number>([
  [manifestName, archiveLimits.listBytes],
  [recordEntry.projects, recordBytes],
  [recordEntry.contacts, recordBytes],
  [siteName, archiveLimits.lineBytes],
  [statisticsName, archiveLimits.listBytes],
  [olderDataName, archiveLimits.wholeBytes],
])

function checkEntry({ fileName: name, compressionMethod: method, uncompressedSize: bytes }: Entry) {
  const isPhoto = photoIn(name) !== undefined
  const mostBytes = isPhoto ? imageBytes : entryBytes.get(name)
  if (mostBytes === undefined) throw fileFault('not_a_backup', 'It does not belong into a backup.', name)
  // Stored or, but for photos, deflated.
  if (method !== 0 && (isPhoto || method !== 8)) throw fileFault('not_a_backup', 'It is packed in another way.', name)
  if (bytes > mostBytes) throw fileFault('file_too_large', `It has ${bytes} bytes.`, name)
}

const sha256 = z.string().check(z.regex(/^[0-9a-f]{64}$/))
const count = z.int().check(z.nonnegative())

const manifest = z.strictObject({
  format: z.literal(archiveFormat),
  version: z.int().check(z.positive()),
  createdAt: z.iso.datetime(),
  counts: z.strictObject({ projects: count, contacts: count, images: count, inquiryPhotos: z._default(count, 0) }),
  entries: z.array(z.strictObject({ name: z.string().check(z.maxLength(100)), bytes: count, sha256 })),
})
export type Manifest = z.infer<typeof manifest>

/** The list of contents, once it is what it should be and agrees with what the archive holds. */
function readManifest(data: unknown, held: ReadonlyMap<string, Entry>): Manifest {
  const read = manifest.safeParse(data)
  if (!read.success) throw fileFault('not_a_backup', 'It is not one of this site.', manifestName)
  const { version, entries, counts } = read.data
  for (const { name, bytes, sha256 } of entries) {
    if (held.get(name)?.uncompressedSize !== bytes || (photoIn(name)?.hash ?? sha256) !== sha256) {
      throw fileFault('file_damaged', 'It is not as the manifest says.', name)
    }
  }
  const names = new Set(entries.map(({ name }) => name))
  const statistics = version < 10 ? [] : [statisticsName]
  const others = version < 7 ? [olderDataName] : [...Object.values(recordEntry), siteName, ...statistics]
  const countOf = (kind: PhotoKind) => [...names].filter((name) => photoIn(name)?.kind === kind).length
  const isTrue = photoKinds.every((kind) => counts[kind] === countOf(kind)) && others.every((name) => names.has(name))
  const expected = others.length + counts.images + counts.inquiryPhotos
  // The manifest does not list itself.
  if (!isTrue || [names.size, entries.length, held.size - 1].some((each) => each !== expected)) {
    throw fileFault('file_damaged', 'It lists or counts other files than there are.', manifestName)
  }
  return read.data
}

/**
 * Opens a complete backup. Nothing in it is believed: names, sizes and the manifest are compared with each other, and the sums
 * with the bytes whenever these are read.
 */
export async function openZip(file: OpenFile) {
  const zip = await readDirectory(file)
  if (zip.entryCount > archiveLimits.photos + 5) throw fileFault('file_too_large', `It holds ${zip.entryCount} files.`)
  const entries = new Map<string, Entry>()
  for await (const entry of zip.eachEntry()) {
    const { fileName } = entry
    if (entries.has(fileName)) throw fileFault('file_damaged', 'Two files in it have this name.', fileName)
    entries.set(fileName, entry)
  }
  const list = entries.get(manifestName)
  if (!list) throw fileFault('not_a_backup', 'It has no manifest.')
  checkEntry(list)
  const data = await readJson(contentOf(zip, list), manifestName)
  // Before entries are refused that only a newer version has.
  refuseNewer(data)
  for (const entry of entries.values()) checkEntry(entry)
  const manifest = readManifest(data, entries)
  const sums = new Map(manifest.entries.map(({ name, sha256 }) => [name, sha256]))
  // All names that are asked for are in the manifest.
  const stream = (name: string) => contentOf(zip, entries.get(name) as Entry, sums.get(name))

  return {
    ...manifest,
    photos: manifest.entries.flatMap(({ name, bytes }): PlacedPhoto[] => {
      const photo = photoIn(name)
      return photo ? [{ ...photo, bytes }] : []
    }),
    parse: (name: string) => readJson(stream(name), name),
    parseLines: (name: string) => parseLines(stream(name), name),
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

/** Throws at the end where the sums differ; the library compares the sizes. */
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

/** A refusal of the whole file. People are told the code; cause and entry are for the log and the console. */
export function fileFault(code: FileFault, cause: string, entry?: string, error?: unknown) {
  return new Problem(code, { details: { cause, ...(entry !== undefined && { entry: shownName(entry) }) }, cause: error })
}

/** An error of a library is a fault of the file; one of the disk or the storage is not. */
export function asFileFault(error: unknown) {
  if (error instanceof Problem || error instanceof StorageFailed) return error
  const { code, message } = error as NodeJS.ErrnoException
  return code && /^E[A-Z]+$/.test(code) ? error : fileFault('file_damaged', shownName(message, 200), undefined, error)
}

/** Before anything else is judged: a newer version may have parts that are not known to this release. */
export function refuseNewer(data: unknown) {
  const { version } = (data ?? {}) as { version?: unknown }
  if (!Number.isSafeInteger(version) || Number(version) <= backupVersion) return
  throw new Problem('backup_too_new', { details: { version: Number(version), newest: backupVersion } })
}

/** The schemas take no keys but ours, and what needs too much memory ends the worker. */
function parseJson(text: string, entry?: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    // What begins like a file of ours was one.
    const code = text.trimStart().startsWith('{') ? 'file_damaged' : 'not_a_backup'
    throw fileFault(code, shownName((error as Error).message), entry, error)
  }
}

/** Other encodings would become other texts without an error. */
const newDecoder = () => new TextDecoder('utf-8', { fatal: true })

export async function readJson(content: AsyncIterable<Buffer>, entry?: string) {
  return parseJson(newDecoder().decode(await buffer(content)), entry)
}

async function* parseLines(content: AsyncIterable<Buffer>, entry: string): AsyncGenerator<unknown> {
  const decoder = newDecoder()
  let begun = ''
  for await (const chunk of content) {
    const [first = '', ...others] = decoder.decode(chunk, { stream: true }).split('\n')
    begun += first
    for (const line of others) {
      yield parseJson(begun, entry)
      begun = line
    }
    if (begun.length > archiveLimits.lineBytes) throw fileFault('file_too_large', 'It has a line of more than 8 MB.', entry)
  }
  if (begun) yield parseJson(begun, entry)
}
