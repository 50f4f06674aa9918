import type { OpenFile } from './storage.ts'

const piece = 256 * 1024

/** A part of a file, or all of it. */
export async function* piecesOf(file: OpenFile, start = 0, end = file.bytes): AsyncGenerator<Buffer> {
  for (let at = start; at < end; at += piece) yield await file.read(at, Math.min(piece, end - at))
}
