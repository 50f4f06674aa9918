import { createHash, type Hash } from 'node:crypto'
import { crc32 } from 'node:zlib'
import yauzl, { type Entry, type ZipFile } from 'yauzl'
import { hashesShown } from '#contract/image-addresses.ts'
import type { NamedProjects } from '#contract/named-projects.ts'
import { Problem } from '#server/http/problem.ts'
import { type OpenFile, StorageFailed } from '#server/storage/storage.ts'
import {
  archiveLimits,
  dataName,
  type EntryFacts,
  faultOfEntries,
  faultOfEntry,
  faulty,
  hashInEntry,
  type Manifest,
  manifestName,
  manifestShape,
  readManifest,
  refusedArchive,
  refuseNewerArchive,
} from './archive.rules.ts'
import { archiveReader } from './archive-reader.ts'
import { sha256Of } from './hash.ts'
import { readParts } from './json-parts.ts'
import { inLanes } from './lanes.ts'
import { type CheckedExport, checkExport, eachIncoming } from './read-export.ts'
import { namedProjects } from './titles.rules.ts'

type Held = EntryFacts & { entry?: Entry }

export type ImagePlace = { file: string; start: number; bytes: number }

export type ImageInArchive = {
  hash: string
  bytes: number
  /** Photos are stored as they are: in a file of this machine they can be read without the archive. */
  place: ImagePlace | undefined
  /** The bytes, once they are what the name says; in the given memory when it is large enough. */
  read(memory?: Buffer): Promise<Buffer>
  /** The projects of the archive that show it: a person knows a photo by them. */
  shownBy(): Promise<NamedProjects>
}

export type OpenArchive = { manifest: Manifest; records: CheckedExport; images: ImageInArchive[] }

/** In the table of contents: a name of ours, and room for what other programs note along. */
const mostBytesOfEntry = 1_000

/** Each waits for the storage, which may be a network away, and not for the processor. */
const readers = Array.from({ length: 8 }, () => undefined)

/**
 * Opens a complete backup and checks all of it but the photos, each of which is checked when it is read. Nothing in the
 * file is believed: names, sizes, places and sums are compared with each other and with the bytes themselves.
 */
export async function openArchive(file: OpenFile): Promise<OpenArchive> {
  try {
    const options = { lazyEntries: true, autoClose: false, decodeStrings: false }
    const zip = await yauzl.fromRandomAccessReaderPromise(archiveReader(file), file.bytes, options)
    const held = await readEntries(zip)
    const manifest = readManifest(await readObject(zip, held.get(manifestName)), [...held.values()])
    const data = held.get(dataName)
    const sum = createHash('sha256')
    let isFirst = true
    const records = await checkExport(
      () => {
        // Summed up once; what is read again later on lies in the same place.
        const content = contentOf(zip, data, isFirst ? sum : undefined)
        isFirst = false
        return content
      },
      { whole: true },
    )
    const listed = manifest.entries.find(({ name }) => name === dataName)
    if (sum.digest('hex') !== listed?.sha256) throw refusedArchive({ reason: 'records_damaged' })
    const { counts } = manifest
    if (records.counts.projects !== counts.projects || records.counts.contacts !== counts.contacts) {
      throw refusedArchive({ reason: 'wrong_counts' })
    }
    return { manifest, records, images: imagesIn(held, file, records) }
  } catch (error) {
    throw asRefusal(error)
  }
}

async function readEntries(zip: ZipFile) {
  if (zip.entryCount > archiveLimits.images + 2) throw refusedArchive({ reason: 'too_many_files' })
  const all: Held[] = []
  for await (const entries of inBatches(zip.eachEntry())) {
    await inLanes(entries, readers, async (entry) => {
      const facts = await factsOf(zip, entry)
      const fault = faultOfEntry(facts)
      if (fault) throw refusedArchive(fault)
      // Photos are read without the archive's own library.
      all.push(hashInEntry(facts.name) ? facts : { ...facts, entry })
    })
  }
  const fault = faultOfEntries(all, zip.fileSize)
  if (fault) throw refusedArchive(fault)
  return new Map(all.map((held) => [held.name, held]))
}

/** As many as are looked at together; one that is larger than an entry of ours can be is refused before there are more of them. */
async function* inBatches(entries: AsyncIterable<Entry>) {
  let batch: Entry[] = []
  for await (const entry of entries) {
    const { fileNameRaw, fileNameLength, extraFieldLength, fileCommentLength } = entry
    if (fileNameLength + extraFieldLength + fileCommentLength > mostBytesOfEntry) {
      throw refusedArchive(faulty('foreign_file', fileNameRaw.toString('utf8')))
    }
    batch.push(entry)
    if (batch.length < readers.length * 8) continue
    yield batch
    batch = []
  }
  yield batch
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

/** Counts what really comes out, whatever the archive says would. */
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

/** The bytes of an entry, once more each time; fails in the end when they are not what the archive says. */
async function* contentOf(zip: ZipFile, held: Held | undefined, sum?: Hash): AsyncGenerator<Buffer> {
  if (!held?.entry) throw refusedArchive({ reason: 'contents_missing' })
  let bytes = 0
  let crc = 0
  for await (const chunk of (await zip.openReadStreamPromise(held.entry)) as AsyncIterable<Buffer>) {
    bytes += chunk.length
    if (bytes > held.bytes) throw refusedArchive(faulty('false_size', held.name))
    crc = crc32(chunk, crc)
    sum?.update(chunk)
    yield chunk
  }
  if (bytes !== held.bytes || crc !== held.entry.crc32) throw refusedArchive(faulty('entry_damaged', held.name))
}

function imagesIn(held: ReadonlyMap<string, Held>, file: OpenFile, records: CheckedExport): ImageInArchive[] {
  return [...held.values()].flatMap(({ name, bytes, end }) => {
    const hash = hashInEntry(name)
    if (!hash) return []
    const start = end - bytes
    const read = async (memory?: Buffer) => {
      const content = await file.read(start, bytes, memory)
      if ((await sha256Of(content)) !== hash) {
        throw refusedArchive({ reason: 'photo_damaged', photo: hash, ...(await shownBy()) })
      }
      return content
    }
    const shownBy = () => projectsShowing(hash, records)
    return [{ hash, bytes, place: file.file === undefined ? undefined : { file: file.file, start, bytes }, read, shownBy }]
  })
}

async function projectsShowing(hash: string, records: CheckedExport) {
  const titles: string[] = []
  for await (const { projects } of eachIncoming(records.read)) {
    titles.push(...projects.filter((project) => hashesShown(project).includes(hash)).map(({ title }) => title))
  }
  return namedProjects(titles)
}

/** Whatever a library found wrong with the file, a person is told that the file is wrong. */
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
