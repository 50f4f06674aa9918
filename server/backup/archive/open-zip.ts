import { createHash } from 'node:crypto'
import { pipeline } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { crc32, createInflateRaw } from 'node:zlib'
import yauzl from 'yauzl'
import { type OpenFile, piecesOf } from '#server/storage/storage.ts'
import { archiveLimits, checkEntry, checkPlaces, type EntryFacts, manifestName, readManifest } from './archive.rules.ts'
import { fileFault, parseJson, refuseNewer } from './file-faults.ts'

/** In a header: the name, and extra fields of other programs. */
const maxHeaderBytes = 1_000
const fixedHeaderBytes = 30
const localHeaderMark = 0x04034b50

/**
 * Opens a complete backup. Nothing in it is believed: names, sizes, places and the manifest are compared with each other, and
 * the sums with the bytes whenever these are read.
 */
export async function openZip(file: OpenFile) {
  const entries = await readDirectory(file)
  const byName = new Map(entries.map((entry) => [entry.name, entry]))
  const list = byName.get(manifestName)
  if (!list) throw fileFault('not_a_backup', 'It has no manifest.')
  checkEntry(list)
  const data = parseJson(await buffer(contentOf(file, list)), manifestName)
  // Before entries are refused that only a newer version has.
  refuseNewer((data as { version?: unknown } | null)?.version)
  for (const entry of entries) checkEntry(entry)
  checkPlaces(entries, file.bytes)
  const manifest = readManifest(data, entries)
  const sums = new Map(manifest.entries.map(({ name, sha256 }) => [name, sha256]))
  // All names that are asked for are in the manifest.
  const entryOf = (name: string) => byName.get(name) as EntryFacts
  const stream = (name: string) => contentOf(file, entryOf(name), sums.get(name))

  return {
    manifest,
    entries,
    /** The bytes of an entry; throws at the end where size or sums differ. */
    stream,
    parse: async (name: string) => parseJson(await buffer(stream(name)), name),

    /** The bytes of a stored entry without a look at its sum; in `memory` where that is large enough. */
    async read(name: string, memory?: Buffer) {
      const entry = entryOf(name)
      const length = Math.min(fixedHeaderBytes + maxHeaderBytes + entry.bytes, file.bytes - entry.start)
      const content = await file.read(entry.start, length, memory)
      const from = contentStart(entry, content)
      return content.subarray(from, from + entry.bytes)
    },
  }
}

async function readDirectory(file: OpenFile) {
  const options = { lazyEntries: true, autoClose: false, decodeStrings: false }
  const zip = await yauzl.fromRandomAccessReaderPromise(directoryReader(file), file.bytes, options).catch(async (error) => {
    const isCut = file.bytes >= 4 && (await file.read(0, 4)).readUInt32LE(0) === localHeaderMark
    throw isCut ? error : fileFault('not_a_backup', 'It is not a ZIP file.', undefined, error)
  })
  if (zip.entryCount > archiveLimits.photos + 4) throw fileFault('file_too_large', `It holds ${zip.entryCount} files.`)
  const entries: EntryFacts[] = []
  for await (const entry of zip.eachEntry()) {
    const { fileNameRaw, fileNameLength, extraFieldLength, fileCommentLength } = entry
    const name = fileNameRaw.toString('utf8')
    if (fileNameLength + extraFieldLength + fileCommentLength > maxHeaderBytes) {
      throw fileFault('not_a_backup', 'Its name or what is added to it is too long.', name)
    }
    entries.push({
      name,
      isEncrypted: entry.isEncrypted(),
      method: entry.compressionMethod,
      unixMode: entry.externalFileAttributes >>> 16,
      crc: entry.crc32,
      storedBytes: entry.compressedSize,
      bytes: entry.uncompressedSize,
      start: entry.relativeOffsetOfLocalHeader,
      headerBytes: fixedHeaderBytes + fileNameLength,
    })
  }
  return entries
}

/** Where the bytes begin behind the header, which must have the same name as the directory. */
function contentStart({ name, headerBytes }: EntryFacts, header: Buffer) {
  const isHeader = header.length >= headerBytes && header.readUInt32LE(0) === localHeaderMark
  const isOwn = isHeader && header.subarray(fixedHeaderBytes, headerBytes).toString('utf8') === name
  const extraBytes = isOwn ? header.readUInt16LE(28) : 0
  if (!isOwn || header.readUInt16LE(26) !== headerBytes - fixedHeaderBytes || extraBytes > maxHeaderBytes) {
    throw fileFault('file_damaged', 'The header before it is another.', name)
  }
  return headerBytes + extraBytes
}

async function* contentOf(file: OpenFile, entry: EntryFacts, sha256?: string): AsyncGenerator<Buffer> {
  const { name, start, headerBytes, method, storedBytes } = entry
  const from = start + contentStart(entry, await file.read(start, Math.min(headerBytes, file.bytes - start)))
  const packed = piecesOf(file, from, from + storedBytes)
  const content = method === 0 ? packed : pipeline(packed, createInflateRaw({ chunkSize: 64 * 1024 }), () => {})
  const sum = createHash('sha256')
  let bytes = 0
  let crc = 0
  for await (const chunk of content) {
    bytes += chunk.length
    if (bytes > entry.bytes) throw fileFault('file_damaged', 'It is larger than it says.', name)
    crc = crc32(chunk, crc)
    sum.update(chunk)
    yield chunk
  }
  const isSame = bytes === entry.bytes && crc === entry.crc && (sha256 ?? '') === (sha256 ? sum.digest('hex') : '')
  if (!isSame) throw fileFault('file_damaged', 'Its bytes are not those of its sums.', name)
}

/** The ZIP library reads the directory a few bytes at a time, each of which would be a request to a bucket. */
function directoryReader(file: OpenFile): yauzl.RandomAccessReader {
  let from = 0
  let window: Buffer = Buffer.alloc(0)

  async function bytesAt(start: number, bytes: number) {
    if (start + bytes > file.bytes) throw new Error(`The file ends before ${start + bytes}.`)
    if (start < from || start + bytes > from + window.length) {
      window = await file.read(start, Math.min(Math.max(bytes, 256 * 1024), file.bytes - start))
      from = start
    }
    return window.subarray(start - from, start - from + bytes)
  }

  return new (class extends yauzl.RandomAccessReader {
    override read(target: Buffer, offset: number, length: number, position: number, callback: (error: Error | null) => void) {
      bytesAt(position, length).then((content) => {
        content.copy(target, offset)
        callback(null)
      }, callback)
    }
  })()
}
