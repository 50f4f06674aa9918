import { createHash, webcrypto } from 'node:crypto'
import { Readable } from 'node:stream'
import { crc32 } from 'node:zlib'
import yauzl, { type Entry, type ZipFile } from 'yauzl'
import { Problem } from '#server/http/problem.ts'
import { type OpenFile, piecesOf, StorageFailed } from '#server/storage/storage.ts'
import { forEachConcurrently } from '../concurrency.ts'
import type { LocalFile } from '../disk-space.ts'
import {
  type ArchivedPhoto,
  archiveLimits,
  dataName,
  type EntryFacts,
  faultOfEntries,
  faultOfEntry,
  faulty,
  manifestName,
  manifestShape,
  photoEntry,
  photoIn,
  readManifest,
  refusedArchive,
  refuseNewerArchive,
} from './archive.rules.ts'
import { readParts } from './json-parts.ts'
import { checkExport, ownersOf } from './read-export.ts'

type Held = EntryFacts & { entry?: Entry }

export type PlacedPhoto = ArchivedPhoto & { start: number; bytes: number }

/** In the central directory: the name, and extra fields of other programs. */
const maxEntryBytes = 1_000

/** They wait for the storage, which may be a bucket, and not for the processor. */
const readers = 8

/**
 * Opens a complete backup and checks all of it but the photos, each of which is checked when it is read. Nothing in the
 * file is believed: names, sizes, places and sums are compared with each other and with the bytes themselves. The records
 * go into `plan`, if there is one.
 */
export async function openArchive(file: OpenFile, plan?: LocalFile) {
  try {
    const options = { lazyEntries: true, autoClose: false, decodeStrings: false }
    const zip = await yauzl.fromRandomAccessReaderPromise(archiveReader(file), file.bytes, options)
    const held = await readEntries(zip)
    const manifest = readManifest(await readObject(zip, held.get(manifestName)), [...held.values()])
    const data = held.get(dataName)
    const readRecords = () => contentOf(zip, data, manifest.entries.find(({ name }) => name === dataName)?.sha256)
    await plan?.reserve(data?.bytes ?? 0)
    const photos = [...held.values()].flatMap(({ name, bytes, end }): PlacedPhoto[] => {
      const photo = photoIn(name)
      return photo ? [{ ...photo, start: end - bytes, bytes }] : []
    })
    const unsent = new Set(photos.flatMap(({ kind, hash }) => (kind === 'inquiryPhotos' ? hash : [])))
    const records = await checkExport(readRecords, { whole: true, plan, onSent: (hash) => unsent.delete(hash) })
    const { counts } = manifest
    if (records.counts.projects !== counts.projects || records.counts.contacts !== counts.contacts) {
      throw refusedArchive({ reason: 'wrong_counts' })
    }
    // A photo of no message would never be shown or deleted.
    for (const hash of unsent) throw refusedArchive(faulty('foreign_file', photoEntry({ kind: 'inquiryPhotos', hash })))

    const ownersIn = (photo: ArchivedPhoto) => ownersOf(photo, readRecords)

    const damaged = async (photo: ArchivedPhoto) =>
      refusedArchive({ reason: 'photo_damaged', photo: photo.hash, ...(await ownersIn(photo)) })

    // Reused: a buffer for each photo would pile up until the garbage is collected.
    const buffers: Buffer[] = []
    /** Calls `work` with the bytes once their hash is the one in the name. The buffer is reused afterwards. */
    const withPhoto = async (photo: PlacedPhoto, work: (content: Buffer) => Promise<void>) => {
      const { hash, start, bytes } = photo
      const spare = buffers.pop()
      const memory = spare && spare.length >= bytes ? spare : Buffer.allocUnsafeSlow(Math.ceil(bytes * 1.25))
      const content = await file.read(start, bytes, memory)
      // On another thread: the event loop stays free.
      const sum = Buffer.from(await webcrypto.subtle.digest('SHA-256', content)).toString('hex')
      if (sum !== hash) throw await damaged(photo)
      await work(content)
      buffers.push(memory)
    }
    return { manifest, records, readRecords, photos, withPhoto, ownersIn, damaged }
  } catch (error) {
    throw asRefusal(error)
  }
}

async function readEntries(zip: ZipFile) {
  if (zip.entryCount > archiveLimits.photos + 2) throw refusedArchive({ reason: 'too_many_files' })
  const all: Held[] = []
  await forEachConcurrently(zip.eachEntry(), readers, async (entry) => {
    const { fileNameRaw, fileNameLength, extraFieldLength, fileCommentLength } = entry
    if (fileNameLength + extraFieldLength + fileCommentLength > maxEntryBytes) {
      throw refusedArchive(faulty('foreign_file', fileNameRaw.toString('utf8')))
    }
    const facts = await factsOf(zip, entry)
    const fault = faultOfEntry(facts)
    if (fault) throw refusedArchive(fault)
    // Photos are read without the ZIP library.
    all.push(photoIn(facts.name) ? facts : { ...facts, entry })
  })
  const fault = faultOfEntries(all, zip.fileSize)
  if (fault) throw refusedArchive(fault)
  return new Map(all.map((held) => [held.name, held]))
}

async function factsOf(zip: ZipFile, entry: Entry): Promise<EntryFacts> {
  const name = entry.fileNameRaw.toString('utf8')
  const local = await zip.readLocalFileHeaderPromise(entry)
  if (!local.fileName.equals(entry.fileNameRaw)) throw refusedArchive(faulty('two_names', name))
  return {
    name,
    encrypted: entry.isEncrypted(),
    method: entry.compressionMethod,
    unixMode: entry.externalFileAttributes >>> 16,
    storedBytes: entry.compressedSize,
    bytes: entry.uncompressedSize,
    start: entry.relativeOffsetOfLocalHeader,
    end: local.fileDataStart + entry.compressedSize,
  }
}

/** Part by part: a manifest may expand to gigabytes. */
async function readObject(zip: ZipFile, held: Held | undefined) {
  const lists = new Map<string, unknown[]>()
  const values: Record<string, unknown> = {}
  for await (const parts of readParts(contentOf(zip, held), manifestShape)) {
    for (const part of parts) {
      if ('begins' in part) lists.set(part.begins, [])
      else if ('list' in part) lists.get(part.list)?.push(part.record)
      else values[part.key] = part.value
    }
    refuseNewerArchive(values)
  }
  return { ...values, ...Object.fromEntries(lists) }
}

/** The bytes of an entry; throws at the end where size or sum differ from the archive's. */
async function* contentOf(zip: ZipFile, held: Held | undefined, sha256?: string): AsyncGenerator<Buffer> {
  if (!held?.entry) throw refusedArchive({ reason: 'contents_missing' })
  const sum = createHash('sha256')
  let bytes = 0
  let crc = 0
  for await (const chunk of (await zip.openReadStreamPromise(held.entry)) as AsyncIterable<Buffer>) {
    bytes += chunk.length
    if (bytes > held.bytes) throw refusedArchive(faulty('false_size', held.name))
    crc = crc32(chunk, crc)
    sum.update(chunk)
    yield chunk
  }
  if (bytes !== held.bytes || crc !== held.entry.crc32) throw refusedArchive(faulty('entry_damaged', held.name))
  if (sha256 && sum.digest('hex') !== sha256) throw refusedArchive({ reason: 'records_damaged' })
}

/** Errors of the libraries are faults of the file, and not of the site. */
function asRefusal(error: unknown) {
  if (error instanceof Problem) {
    const { code, details } = error as Problem<'export_refused'>
    return code === 'export_refused' && details ? refusedArchive({ reason: 'records_refused', because: details }, error) : error
  }
  if (error instanceof StorageFailed) return error
  const { message, code } = error as NodeJS.ErrnoException
  if (code && /^E[A-Z]+$/.test(code)) return error
  return refusedArchive({ reason: /End of central directory/.test(message) ? 'not_a_zip' : 'damaged' }, error)
}

/** Enough for the header of an entry; doubled while reading is sequential, as in the central directory. */
const least = 4 * 1024
const most = 256 * 1024
/** One for each concurrent reader, and the central directory. */
const windowsKept = 10

type Window = { start: number; content: Buffer }

/** Lets the ZIP library read a stored file. It reads a few bytes at a time, each of which would be a request to a bucket. */
function archiveReader(file: OpenFile): yauzl.RandomAccessReader {
  const windows: Window[] = []

  async function bytesAt(start: number, bytes: number) {
    if (start + bytes > file.bytes) throw new Error(`The file ends before ${start + bytes}.`)
    const read = windows.find((window) => start >= window.start && start + bytes <= endOf(window))
    if (read) return read.content.subarray(start - read.start, start - read.start + bytes)
    const before = windows.find((window) => start >= window.start && start <= endOf(window))
    const size = Math.max(bytes, before ? Math.min(before.content.length * 2, most) : least)
    const content = await file.read(start, Math.min(size, file.bytes - start))
    windows.unshift({ start, content })
    windows.length = Math.min(windows.length, windowsKept)
    return content.subarray(0, bytes)
  }

  return new (class extends yauzl.RandomAccessReader {
    override read(buffer: Buffer, offset: number, length: number, position: number, callback: (error: Error | null) => void) {
      bytesAt(position, length).then((content) => {
        content.copy(buffer, offset)
        callback(null)
      }, callback)
    }

    override _readStreamForRange(start: number, end: number) {
      return Readable.from(piecesOf(file, start, end), { objectMode: false })
    }
  })()
}

function endOf({ start, content }: Window) {
  return start + content.length
}
