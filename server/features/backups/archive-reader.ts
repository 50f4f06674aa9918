import { Readable } from 'node:stream'
import yauzl from 'yauzl'
import { piecesOf } from '#server/storage/pieces-of.ts'
import type { OpenFile } from '#server/storage/storage.ts'

/** Enough for the beginning of an entry; doubled as long as reading goes straight on, as it does in the table of contents. */
const least = 4 * 1024
const most = 256 * 1024
/** One for each who reads at the same time, and the table of contents. */
const windowsKept = 10

type Window = { start: number; content: Buffer }

/**
 * Lets the ZIP library read a file wherever it is. It asks for a few bytes at a time, and where each asking is a request to
 * a bucket, they are better fetched by the window.
 */
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
