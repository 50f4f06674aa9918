import { Readable } from 'node:stream'
import yauzl from 'yauzl'
import { piecesOf } from '#server/storage/pieces-of.ts'
import type { OpenFile } from '#server/storage/storage.ts'

/** Enough for the header of an entry; doubled while reading is sequential, as in the central directory. */
const least = 4 * 1024
const most = 256 * 1024
/** One for each concurrent reader, and the central directory. */
const windowsKept = 10

type Window = { start: number; content: Buffer }

/** Lets the ZIP library read a stored file. It reads a few bytes at a time, each of which would be a request to a bucket. */
export function archiveReader(file: OpenFile): yauzl.RandomAccessReader {
  const windows: Window[] = []

  async function bytesAt(start: number, bytes: number) {
    if (start + bytes > file.bytes) throw new Error(`The file ends before ${start + bytes}.`)
    const known = windows.find((window) => start >= window.start && start + bytes <= endOf(window))
    if (known) return known.content.subarray(start - known.start, start - known.start + bytes)
    const before = windows.find((window) => start >= window.start && start <= endOf(window))
    const wanted = Math.max(bytes, before ? Math.min(before.content.length * 2, most) : least)
    const content = await file.read(start, Math.min(wanted, file.bytes - start))
    windows.unshift({ start, content })
    windows.length = Math.min(windows.length, windowsKept)
    return content.subarray(0, bytes)
  }

  return new (class extends yauzl.RandomAccessReader {
    override read(buffer: Buffer, offset: number, length: number, position: number, callback: (error: Error | null) => void) {
      bytesAt(position, length).then((found) => {
        found.copy(buffer, offset)
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
