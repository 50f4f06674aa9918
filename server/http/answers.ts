import { createHash } from 'node:crypto'
import { once } from 'node:events'
import type { IncomingHttpHeaders } from 'node:http'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { constants, createBrotliCompress, createGunzip, createGzip } from 'node:zlib'
import type { FastifyReply } from 'fastify'
import { LRUCache } from 'lru-cache'

/** Status and headers of an answer: made once for all requests with the same answer. */
export type Head = {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  /** As ready answers send it; made with the first one. */
  raw?: string[]
}

export type Answer<Body extends Buffer | Readable = Buffer> = { head: Head; body: Body | undefined }

export function sendAnswer(reply: FastifyReply, { head, body }: Answer<Buffer | Readable>) {
  return reply.code(head.status).headers(head.headers).send(body)
}

type Content = { etag: string; bytes: number; contentType: string; encoding?: string; others: Readonly<Record<string, string>> }

/** For addresses that contain a hash of their content, so that it never changes. */
export function immutableHeads({ etag, bytes, contentType, encoding, others }: Content) {
  const shared = { etag, 'cache-control': 'public, max-age=31536000, immutable', ...others }
  const whole = {
    ...shared,
    'content-type': contentType,
    'content-length': String(bytes),
    ...(encoding && { 'content-encoding': encoding }),
  }
  return { whole: { status: 200, headers: whole }, unchanged: { status: 304, headers: shared } }
}

/** 304 where the browser has it already. */
export function immutableAnswer<Body extends Buffer | Readable>(
  headers: IncomingHttpHeaders,
  heads: ReturnType<typeof immutableHeads>,
  body: Body,
): Answer<Body> {
  if (!isUnchanged(headers, heads.unchanged.headers.etag)) return { head: heads.whole, body }
  if (!Buffer.isBuffer(body)) body.destroy()
  return { head: heads.unchanged, body: undefined }
}

/** Whether the browser has this version, also by a tag that a proxy has made weak. */
function isUnchanged({ 'if-none-match': tags }: IncomingHttpHeaders, etag: string) {
  if (tags === undefined) return false
  return tags === etag || tags === '*' || tags.split(/,\s*/).map(strongTag).includes(strongTag(etag))
}

function strongTag(etag: string) {
  return etag.replace(/^W\//, '')
}

/**
 * A long body comes in pieces, so that only its compressed form is in memory as a whole. A function renders it when it is
 * needed.
 */
export type Document = {
  body: string | AsyncIterable<string> | (() => Promise<string>)
  contentType: string
  status?: number
  vary?: string
  /** Not for search engines. */
  noindex?: boolean
}

export type Compressed = {
  etag: string
  /** The length of the body before compression. */
  bytes: number
  br: Buffer
  gzip: Buffer
  heads: Readonly<Record<Encoding | 'unchanged', Head>>
}

type Encoding = 'br' | 'gzip' | 'identity'

/** `best` for what is cached, `fast` for what is sent once. */
const levels = { best: { brotli: 9, gzip: 9 }, fast: { brotli: 4, gzip: 6 } }

export async function compress(document: Document, level: keyof typeof levels = 'best'): Promise<Compressed> {
  const { brotli, gzip } = levels[level]
  const digest = createHash('sha256').update(document.contentType)
  let bytes = 0
  const streams = [
    createBrotliCompress({ params: { [constants.BROTLI_PARAM_QUALITY]: brotli } }),
    createGzip({ level: gzip }),
  ] as const
  const compressed = Promise.all([buffer(streams[0]), buffer(streams[1])])
  try {
    const body = typeof document.body === 'function' ? await document.body() : document.body
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
  // Weak, because one tag names several encodings.
  const etag = `W/"${digest.digest('base64url').slice(0, 27)}"`
  return { etag, bytes, br, gzip: gz, heads: headsOf(document, etag, { br: br.length, gzip: gz.length, identity: bytes }) }
}

function headsOf(
  { contentType, status = 200, vary = 'Accept-Encoding', noindex }: Document,
  etag: string,
  lengths: Record<Encoding, number>,
): Compressed['heads'] {
  const shared = {
    etag,
    'cache-control': 'public, max-age=0, must-revalidate',
    vary,
    ...(noindex && { 'x-robots-tag': 'noindex' }),
  }
  const head = (encoding: Encoding) => ({
    status,
    headers: {
      ...shared,
      'content-type': contentType,
      'content-length': String(lengths[encoding]),
      ...(encoding !== 'identity' && { 'content-encoding': encoding }),
    },
  })
  return { br: head('br'), gzip: head('gzip'), identity: head('identity'), unchanged: { status: 304, headers: shared } }
}

/**
 * 304 where the browser has it already, else in the best encoding that it accepts. Undefined when it accepts none and the
 * uncompressed bytes are not in memory.
 */
export function answerTo(
  headers: IncomingHttpHeaders,
  page: Compressed,
  unzipped?: () => Buffer | undefined,
): Answer | undefined {
  if (isUnchanged(headers, page.etag)) return { head: page.heads.unchanged, body: undefined }
  const encoding = bestEncoding(headers['accept-encoding'])
  const body = encoding === 'identity' ? unzipped?.() : page[encoding]
  return body && { head: page.heads[encoding], body }
}

/** The same, decompressed while it is sent where the browser accepts no encoding. */
export function wholeAnswerTo(headers: IncomingHttpHeaders, page: Compressed, unzipped?: () => Buffer | undefined) {
  const answer: Answer<Buffer | Readable> | undefined = answerTo(headers, page, unzipped)
  return answer ?? { head: page.heads.identity, body: unzip(page) }
}

export function unzip({ gzip }: Compressed): Readable {
  return Readable.from([gzip]).pipe(createGunzip())
}

/** Browsers send few different values. */
const encodings = new LRUCache<string, Encoding>({ max: 100 })

export function bestEncoding(accepted = ''): Encoding {
  const cached = encodings.get(accepted)
  if (cached) return cached
  const offers = accepted.split(',').map((offer) => offer.trim())
  const best = (['br', 'gzip'] as const).find((encoding) =>
    offers.some((offer) => offer.split(';')[0]?.trim() === encoding && !/;\s*q=0(\.0*)?$/.test(offer)),
  )
  encodings.set(accepted, best ?? 'identity')
  return best ?? 'identity'
}
