import { createHash } from 'node:crypto'
import { pipeline } from 'node:stream'
import { text } from 'node:stream/consumers'
import { crc32, createInflateRaw } from 'node:zlib'
import yauzl, { type Entry } from 'yauzl'
import { type OpenFile, piecesOf } from '#server/storage/storage.ts'
import { type ArchivedPhoto, archiveLimits, checkEntry, manifestName, photoEntry, readManifest } from './archive.rules.ts'
import { fileFault, parseJson, refuseNewer } from './file-faults.ts'

const fixedHeaderBytes = 30
/** With the name, and what other programs add to it. */
const mostHeaderBytes = 1_000

/**
 * Opens a complete backup. Nothing in it is believed: names, sizes and the manifest are compared with each other, and the sums
 * with the bytes whenever these are read.
 */
export async function openZip(file: OpenFile) {
  const entries = await readDirectory(file)
  const byName = new Map(entries.map((entry) => [entry.fileName, entry]))
  const list = byName.get(manifestName)
  if (!list) throw fileFault('not_a_backup', 'It has no manifest.')
  checkEntry(list)
  const data = parseJson(await text(contentOf(file, list)), manifestName)
  // Before entries are refused that only a newer version has.
  refuseNewer(data)
  for (const entry of entries) checkEntry(entry)
  if (byName.size < entries.length) throw fileFault('file_damaged', 'Two files in it have one name.')
  const manifest = readManifest(data, byName)
  const sums = new Map(manifest.entries.map(({ name, sha256 }) => [name, sha256]))
  // All names that are asked for are in the manifest.
  const entryOf = (name: string) => byName.get(name) as Entry
  const stream = (name: string) => contentOf(file, entryOf(name), sums.get(name))

  return {
    manifest,
    /** The bytes of an entry; throws at the end where the sums differ. */
    stream,
    parse: async (name: string) => parseJson(await text(stream(name)), name),

    /** Header and bytes in one request to a bucket. */
    async readPhoto(photo: ArchivedPhoto) {
      const { relativeOffsetOfLocalHeader: start, uncompressedSize: bytes } = entryOf(photoEntry(photo))
      const stored = await file.read(start, Math.min(mostHeaderBytes + bytes, file.bytes - start))
      const from = contentStart(stored)
      const content = stored.subarray(from, from + bytes)
      if (createHash('sha256').update(content).digest('hex') === photo.hash) return content
      throw fileFault('file_damaged', 'Its bytes are not those of its name.', photoEntry(photo))
    },
  }
}

async function readDirectory(file: OpenFile) {
  // It is at the end. The library reads a few bytes at a time, each of which would be a request to a bucket.
  const start = Math.max(0, file.bytes - archiveLimits.listBytes)
  const end = await file.read(start, file.bytes - start)
  const reader = new (class extends yauzl.RandomAccessReader {
    override read(target: Buffer, offset: number, length: number, position: number, callback: (error: Error | null) => void) {
      const content = end.subarray(position - start, position - start + length)
      callback(content.copy(target, offset) === length ? null : new Error('Its directory is not at its end.'))
    }
  })()
  const options = { lazyEntries: true, autoClose: false }
  const zip = await yauzl.fromRandomAccessReaderPromise(reader, file.bytes, options).catch(async (error) => {
    const isCut = (await file.read(0, Math.min(4, file.bytes))).equals(Buffer.from('PK\x03\x04'))
    throw isCut ? error : fileFault('not_a_backup', 'It is not a ZIP file.', undefined, error)
  })
  if (zip.entryCount > archiveLimits.photos + 4) throw fileFault('file_too_large', `It holds ${zip.entryCount} files.`)
  const entries: Entry[] = []
  for await (const entry of zip.eachEntry()) {
    if (entry.relativeOffsetOfLocalHeader + fixedHeaderBytes + entry.compressedSize > file.bytes) {
      throw fileFault('file_damaged', 'It goes beyond the end of the file.', entry.fileName)
    }
    entries.push(entry)
  }
  return entries
}

/** Behind the header, its name, and what is added to that. */
function contentStart(header: Buffer) {
  return fixedHeaderBytes + header.readUInt16LE(26) + header.readUInt16LE(28)
}

async function* contentOf(file: OpenFile, entry: Entry, sha256?: string): AsyncGenerator<Buffer> {
  const { fileName, relativeOffsetOfLocalHeader: start, compressionMethod, compressedSize } = entry
  const from = start + contentStart(await file.read(start, fixedHeaderBytes))
  const packed = piecesOf(file, from, Math.min(from + compressedSize, file.bytes))
  const content = compressionMethod === 0 ? packed : pipeline(packed, createInflateRaw({ chunkSize: 64 * 1024 }), () => {})
  const sum = createHash('sha256')
  let bytes = 0
  let crc = 0
  for await (const chunk of content) {
    bytes += chunk.length
    if (bytes > entry.uncompressedSize) throw fileFault('file_damaged', 'It is larger than it says.', fileName)
    crc = crc32(chunk, crc)
    sum.update(chunk)
    yield chunk
  }
  const isSame = crc === entry.crc32 && [undefined, sum.digest('hex')].includes(sha256)
  if (!isSame) throw fileFault('file_damaged', 'Its bytes are not those of its sums.', fileName)
}
