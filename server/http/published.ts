import { buffer } from 'node:stream/consumers'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { LRUCache } from 'lru-cache'
import { isDatabaseAway } from '#server/database/database-errors.ts'
import { sendAnswer } from './answer.ts'
import { answerTo, bestEncoding, type Compressed, compress, type Document, unzip, wholeAnswerTo } from './compressed.ts'
import type { ReadyAnswers, Source } from './ready-answers.ts'
import { awayAfter, unlessAway } from './timeout.ts'

/** Answers that all visitors share: made once per version of the content, and kept compressed. */
export type Published = {
  /**
   * While the database is away, or `make` slow to read from it, the answer of before is served. With `keep: false`, as while
   * developing, none is.
   */
  get(key: string, make: () => Promise<Document>): Promise<Compressed>
  /** False while it is kept, or is being made for another visitor. */
  needsRendering(key: string): boolean
  /** Answers with it, from now on before the router is asked. */
  send(request: FastifyRequest, reply: FastifyReply, key: string, make: () => Promise<Document>): Promise<FastifyReply>
  /** Everything is made anew when it is next requested, and what was made before is not served unless the database is away. */
  contentChanged(): void
  /** Everything is made anew as well; what was made before is served while the database is slow. */
  contentUnknown(): void
}

/** Room for some four hundred pages. */
const roomForPages = 16 * 1024 * 1024
/** What a page costs beside its bytes. */
const entryBytes = 2_000
/** Room for the pages of callers that take no compression: to unzip for each answer costs more than all the rest of it. */
const maxUnzippedBytes = 4 * 1024 * 1024
/** How long a database that is away is left alone. */
const restAfterFailure = 1_000

/** `rest`: for that version the database was away, and is left alone until then. */
type Kept = { version: number; page: Compressed; rest?: { version: number; until: number } }

type Parts = { ready?: Pick<ReadyAnswers, 'remember'> | undefined; keep?: boolean; maxBytes?: number }

export function createPublished({ ready, keep = true, maxBytes = roomForPages }: Parts = {}): Published {
  const pages = new LRUCache<string, Kept>({
    maxSize: maxBytes,
    sizeCalculation: ({ page }) => page.br.length + page.gzip.length + entryBytes,
  })
  const unzipped = new LRUCache<Compressed, Buffer>({
    maxSize: maxUnzippedBytes,
    maxEntrySize: maxUnzippedBytes / 4,
    sizeCalculation: ({ length }) => length + 1,
  })
  const beingMade = new Map<string, { version: number; since: number; read: Promise<unknown>; page: Promise<Compressed> }>()
  let version = 0
  /** Of the last certain change: what was made of an older version is wrong. */
  let oldestRight = 0

  function begin(key: string, make: () => Promise<Document>) {
    const begun = version
    const made = make()
    const page = made
      .then((document) => compress(document))
      .then((compressed) => {
        // A slow one must not replace what was made from newer content.
        if ((pages.peek(key)?.version ?? 0) <= begun) {
          pages.set(key, { version: begun, page: compressed })
        }
        return compressed
      })
      .finally(() => {
        if (beingMade.get(key) === entry) beingMade.delete(key)
      })
    page.catch((error: unknown) => {
      const kept = pages.peek(key)
      if (!kept || !isDatabaseAway(error)) return
      kept.rest = { version: begun, until: Date.now() + restAfterFailure }
    })
    // What comes in pieces is being read until its end.
    const read = made.then(({ body }) => (typeof body === 'object' ? page : undefined))
    read.catch(() => {})
    const entry = { version, since: Date.now(), read, page }
    beingMade.set(key, entry)
    return entry
  }

  /** The one that was made of the present content, if there is one. */
  function current(key: string) {
    const kept = pages.get(key)
    const isResting = kept?.rest?.version === version && Date.now() < kept.rest.until
    return kept?.version === version || isResting ? kept?.page : undefined
  }

  async function get(key: string, make: () => Promise<Document>) {
    if (!keep) return compress(await make())
    const made = current(key)
    if (made) return made
    const kept = pages.get(key)
    const known = beingMade.get(key)
    // More queries to a database that does not answer would only pile up.
    const isLate = kept && known && known.version >= oldestRight && Date.now() - known.since >= awayAfter
    const { read, page, since } = known && (known.version === version || isLate) ? known : begin(key, make)
    if (!kept) return page
    const unlessGone = () => page.catch((error: unknown) => (isDatabaseAway(error) ? kept.page : Promise.reject(error)))
    if (kept.version < oldestRight) return unlessGone()
    // The database has a second to answer. What is then made of it takes as long as the machine needs.
    const isRead = await unlessAway(
      read.then(() => true),
      false,
      Math.max(1, awayAfter - (Date.now() - since)),
    )
    return isRead ? unlessGone() : kept.page
  }

  /**
   * For an address that led to this key: which one it leads to may change with the content. Not made where a page is at hand,
   * which it would keep in memory.
   */
  function sourceOf(key: string, begun: number): Source {
    return (headers) => {
      const kept = begun === version ? current(key) : undefined
      return kept && answerTo(headers, kept, () => unzipped.get(kept))
    }
  }

  return {
    get,
    needsRendering: (key) => keep && !current(key) && beingMade.get(key)?.version !== version,
    async send(request, reply, key, make) {
      const begun = version
      const page = await get(key, make)
      const { headers } = request
      if (bestEncoding(headers['accept-encoding']) === 'identity' && page.bytes < maxUnzippedBytes / 4) {
        if (!unzipped.has(page)) unzipped.set(page, await buffer(unzip(page)))
      }
      // Of addresses that lead nowhere there are endless ones.
      if (page.heads.br.status === 200) ready?.remember(request, sourceOf(key, begun))
      return sendAnswer(
        reply,
        wholeAnswerTo(headers, page, () => unzipped.get(page)),
      )
    },
    contentChanged() {
      version += 1
      oldestRight = version
    },
    contentUnknown() {
      version += 1
    },
  }
}
