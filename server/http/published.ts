import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { constants, createBrotliCompress, createGunzip, createGzip } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { isDatabaseAway } from '#server/database/database-away.ts'
import { answerWithin } from './answer-within.ts'

/** What is long is handed over piece by piece; only its packed form is ever in memory as a whole. */
type Document = { body: string | AsyncIterable<string>; contentType: string; status?: number }

type Prepared = {
  status: number
  contentType: string
  etag: string
  /** Before it was packed. */
  bytes: number
  br: Buffer
  gzip: Buffer
}

/** Answers that all visitors share: made once per version of the content, kept compressed, and revalidated by ETag. */
export type Published = {
  /**
   * With `keep: false`, as while developing, everything is made anew each time. While the database is away, what was last
   * made is better than nothing.
   */
  get(key: string, make: () => Promise<Document>): Promise<Prepared> | Prepared
  /** The content has changed: what is asked for from now on is made anew. */
  contentChanged(): void
}

type Entry = {
  version: number
  page: Promise<Prepared>
  last: Prepared | undefined
  /** Late is what takes longer to be made than anybody should wait. */
  state: 'being made' | 'late' | 'made'
}

/** Room for some four hundred pages; the ones nobody asks for make way. What a page costs beside its bytes counts as well. */
const mostBytes = 16 * 1024 * 1024
/** How long a page from before is good enough until the database is asked again. */
const restAfterFailure = 1_000
/** A database that takes longer than this is as good as away: whoever asks gets the page from before, if there is one. */
const patience = 1_000
const outOfDate = -1

export function createPublished({ keep = true } = {}): Published {
  const kept = new Map<string, Entry>()
  let version = 0
  let bytes = 0

  function makeRoom() {
    for (const [oldest, { last }] of kept) {
      if (bytes <= mostBytes) break
      kept.delete(oldest)
      bytes -= sizeOf(last)
    }
  }

  /** What is made from content that has changed meanwhile is handed out and not kept. */
  function begin(key: string, making: Promise<Prepared>, before: Prepared | undefined): Entry {
    const entry: Entry = { version, last: before, page: making, state: 'being made' }
    const late = setTimeout(() => {
      entry.state = 'late'
    }, patience).unref()
    const inTime = making.finally(() => {
      clearTimeout(late)
      entry.state = 'made'
    })
    entry.page = inTime.then(
      (made) => {
        if (kept.get(key) === entry) {
          bytes += sizeOf(made) - sizeOf(entry.last)
          entry.last = made
          makeRoom()
        }
        return made
      },
      (error: unknown) => {
        if (kept.get(key) === entry && !before) kept.delete(key)
        if (!before || !isDatabaseAway(error)) {
          entry.version = outOfDate
          throw error
        }
        setTimeout(() => {
          entry.version = outOfDate
        }, restAfterFailure).unref()
        return before
      },
    )
    return entry
  }

  return {
    get(key, make) {
      const known = kept.get(key)
      // Asking again what already does not answer would only pile up.
      if (known?.state === 'late' && known.last) return known.last
      const isCurrent = known?.version === version
      const entry = isCurrent
        ? known
        : begin(
            key,
            make().then((document) => prepare(document)),
            known?.last,
          )
      if (!keep) return entry.page
      // The latest asked for goes to the end of the line.
      kept.delete(key)
      kept.set(key, entry)
      return entry.last && entry.state === 'being made' ? answerWithin(patience, entry.page, entry.last) : entry.page
    },
    contentChanged() {
      version += 1
    },
  }
}

const entryBytes = 2_000

function sizeOf(prepared: Prepared | undefined) {
  return prepared ? prepared.br.length + prepared.gzip.length + entryBytes : 0
}

export async function sendPublished(
  request: FastifyRequest,
  reply: FastifyReply,
  prepared: Prepared,
  vary = 'Accept-Encoding',
) {
  reply.header('etag', prepared.etag).header('cache-control', 'public, max-age=0, must-revalidate').header('vary', vary)
  if (isSame(request.headers['if-none-match'], prepared.etag)) return reply.code(304).send()
  reply.code(prepared.status).type(prepared.contentType)
  const encoding = bestEncoding(request.headers['accept-encoding'])
  if (encoding) return reply.header('content-encoding', encoding).send(prepared[encoding])
  return reply.header('content-length', prepared.bytes).send(Readable.from([prepared.gzip]).pipe(createGunzip()))
}

/** In passing: for what is asked for once, and must cost little. */
const inPassing = { brotli: 4, gzip: 6 }
/** For what is kept. */
const thorough = { brotli: 9, gzip: 9 }

/** Sends what is not kept: of these there are endless ones, and they would push out what visitors read. */
export async function sendUnkept(request: FastifyRequest, reply: FastifyReply, document: Document) {
  return sendPublished(request, reply, await prepare(document, inPassing))
}

async function prepare({ body, contentType, status = 200 }: Document, effort = thorough): Promise<Prepared> {
  const digest = createHash('sha256').update(contentType)
  let bytes = 0
  const packers = [
    createBrotliCompress({ params: { [constants.BROTLI_PARAM_QUALITY]: effort.brotli } }),
    createGzip({ level: effort.gzip }),
  ]
  const packed = Promise.all(packers.map((packer) => buffer(packer)))
  try {
    for await (const piece of typeof body === 'string' ? [body] : body) {
      digest.update(piece)
      bytes += Buffer.byteLength(piece)
      for (const packer of packers) if (!packer.write(piece)) await once(packer, 'drain')
    }
  } catch (error) {
    packed.catch(() => {})
    for (const packer of packers) packer.destroy()
    throw error
  }
  for (const packer of packers) packer.end()
  const [br, gz] = (await packed) as [Buffer, Buffer]
  // Weak, because the same version travels in several encodings.
  return { status, contentType, etag: `W/"${digest.digest('base64url').slice(0, 27)}"`, bytes, br, gzip: gz }
}

function isSame(ifNoneMatch: string | undefined, etag: string) {
  return ifNoneMatch !== undefined && (ifNoneMatch === etag || ifNoneMatch === '*' || ifNoneMatch.split(/,\s*/).includes(etag))
}

/** Undefined when the caller takes neither. */
function bestEncoding(accepted: string | undefined): 'br' | 'gzip' | undefined {
  const offers = accepted?.split(',').map((offer) => offer.trim()) ?? []
  return (['br', 'gzip'] as const).find((encoding) =>
    offers.some((offer) => offer.split(';')[0]?.trim() === encoding && !/;\s*q=0(\.0*)?$/.test(offer)),
  )
}
