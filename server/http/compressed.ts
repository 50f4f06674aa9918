import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { buffer } from 'node:stream/consumers'
import { constants, createBrotliCompress, createGzip } from 'node:zlib'

/** A long body comes in pieces: only its compressed form is ever in memory as a whole. */
export type Document = { body: string | AsyncIterable<string>; contentType: string; status?: number }

export type Compressed = {
  status: number
  contentType: string
  etag: string
  /** Of the body before it was compressed. */
  bytes: number
  br: Buffer
  gzip: Buffer
}

/** For what is kept, and for what is sent once and must cost little. */
const levels = { best: { brotli: 9, gzip: 9 }, fast: { brotli: 4, gzip: 6 } }

export async function compress(document: Document, level: keyof typeof levels = 'best'): Promise<Compressed> {
  const { body, contentType, status = 200 } = document
  const { brotli, gzip } = levels[level]
  const digest = createHash('sha256').update(contentType)
  let bytes = 0
  const streams = [
    createBrotliCompress({ params: { [constants.BROTLI_PARAM_QUALITY]: brotli } }),
    createGzip({ level: gzip }),
  ] as const
  const compressed = Promise.all([buffer(streams[0]), buffer(streams[1])])
  try {
    for await (const piece of typeof body === 'string' ? [body] : body) {
      digest.update(piece)
      bytes += Buffer.byteLength(piece)
      for (const stream of streams) if (!stream.write(piece)) await once(stream, 'drain')
    }
  } catch (error) {
    compressed.catch(() => {})
    for (const stream of streams) stream.destroy()
    throw error
  }
  for (const stream of streams) stream.end()
  const [br, gz] = await compressed
  // Weak, because the same version travels in several encodings.
  return { status, contentType, etag: `W/"${digest.digest('base64url').slice(0, 27)}"`, bytes, br, gzip: gz }
}
