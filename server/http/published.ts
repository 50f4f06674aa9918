import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http'
import { buffer } from 'node:stream/consumers'
import cookies from '@fastify/cookie'
import type { FastifyReply, FastifyRequest, FastifyServerOptions } from 'fastify'
import { LRUCache } from 'lru-cache'
import { languageKey } from '#contract/languages.ts'
import { isDatabaseAway } from '#server/database/database-errors.ts'
import { withTimeout } from '../clock.ts'
import {
  type Answer,
  answerTo,
  bestEncoding,
  type Compressed,
  compress,
  type Document,
  type Head,
  sendAnswer,
  unzip,
  wholeAnswerTo,
} from './answers.ts'
import type { SecurityHeaders } from './headers.ts'
import type { Answered } from './request-log.ts'

/** A database that takes longer counts as unreachable. */
export const awayAfter = 1_000

/** The result, or the fallback while the database is unreachable. */
export async function unlessAway<T>(work: Promise<T>, fallback: T, milliseconds = awayAfter): Promise<T> {
  try {
    return await withTimeout(milliseconds, work, fallback)
  } catch (error) {
    if (isDatabaseAway(error)) return fallback
    throw error
  }
}

/** The page cache: answers that all visitors share, made once per version of the content and kept compressed. */
export type Published = {
  /**
   * While the database is unreachable or slow, the stale answer is served. With `keep: false`, as while developing, nothing is
   * cached.
   */
  get(key: string, make: () => Promise<Document>): Promise<Compressed>
  /** False where it is cached, or is being made for another request. */
  needsRendering(key: string): boolean
  /** Sends it, and makes it a ready answer for the next request. `count` is called with each request that gets it. */
  send(
    request: FastifyRequest,
    reply: FastifyReply,
    key: string,
    make: () => Promise<Document>,
    count?: Count,
  ): Promise<FastifyReply>
  /** Everything is stale; what is stale is served only while the database is unreachable. */
  contentChanged(): void
  /** Everything may be stale; what was made before is served while the database is slow. */
  contentUnknown(): void
}

/** Some four hundred pages. */
const maxPageBytes = 16 * 1024 * 1024
/** The memory of a page beside its bytes. */
const entryBytes = 2_000
/** Pages for clients that accept no compression: decompressing one costs more than the rest of an answer. */
const maxUnzippedBytes = 4 * 1024 * 1024
/** In milliseconds without queries after the database was unreachable. */
const retryAfterFailure = 1_000

/** `retry`: for that version the database was unreachable, and is queried again after that time. */
type Cached = { version: number; page: Compressed; retry?: { version: number; after: number } }

type Parts = { ready?: Pick<ReadyAnswers, 'remember'> | undefined; keep?: boolean; maxBytes?: number }

export function createPublished({ ready, keep = true, maxBytes = maxPageBytes }: Parts = {}): Published {
  const pages = new LRUCache<string, Cached>({
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
  /** The version of the last certain change: pages of older versions are stale. */
  let oldestValid = 0

  function begin(key: string, make: () => Promise<Document>) {
    const begun = version
    const made = make()
    const page = made
      .then((document) => compress(document))
      .then((compressed) => {
        // A slow render must not replace a newer page.
        if ((pages.peek(key)?.version ?? 0) <= begun) {
          pages.set(key, { version: begun, page: compressed })
        }
        return compressed
      })
      .finally(() => {
        if (beingMade.get(key) === entry) beingMade.delete(key)
      })
    page.catch((error: unknown) => {
      const cached = pages.peek(key)
      if (!cached || !isDatabaseAway(error)) return
      cached.retry = { version: begun, after: Date.now() + retryAfterFailure }
    })
    // A body in pieces is read from the database until its end.
    const read = made.then(({ body }) => (typeof body === 'object' ? page : undefined))
    read.catch(() => {})
    const entry = { version, since: Date.now(), read, page }
    beingMade.set(key, entry)
    return entry
  }

  /** The page of the current content, if it is cached. */
  function current(key: string) {
    const cached = pages.get(key)
    const isAway = cached?.retry?.version === version && Date.now() < cached.retry.after
    return cached?.version === version || isAway ? cached?.page : undefined
  }

  async function get(key: string, make: () => Promise<Document>) {
    if (!keep) return compress(await make())
    const fresh = current(key)
    if (fresh) return fresh
    const stale = pages.get(key)
    const pending = beingMade.get(key)
    // More queries to a database that does not answer would pile up.
    const isLate = stale && pending && pending.version >= oldestValid && Date.now() - pending.since >= awayAfter
    const { read, page, since } = pending && (pending.version === version || isLate) ? pending : begin(key, make)
    if (!stale) return page
    const pageOrStale = () => page.catch((error: unknown) => (isDatabaseAway(error) ? stale.page : Promise.reject(error)))
    if (stale.version < oldestValid) return pageOrStale()
    // The database has a second to answer; rendering takes as long as it needs.
    const isRead = await unlessAway(
      read.then(() => true),
      false,
      Math.max(1, awayAfter - (Date.now() - since)),
    )
    return isRead ? pageOrStale() : stale.page
  }

  /**
   * Which key an address leads to may change with the content. A function of its own: a closure over a page would keep it in
   * memory.
   */
  function sourceOf(key: string, begun: number): Source {
    return (headers) => {
      const page = begun === version ? current(key) : undefined
      return page && answerTo(headers, page, () => unzipped.get(page))
    }
  }

  return {
    get,
    needsRendering: (key) => keep && !current(key) && beingMade.get(key)?.version !== version,
    async send(request, reply, key, make, count) {
      const begun = version
      const page = await get(key, make)
      const { headers } = request
      if (bestEncoding(headers['accept-encoding']) === 'identity' && page.bytes < maxUnzippedBytes / 4) {
        if (!unzipped.has(page)) unzipped.set(page, await buffer(unzip(page)))
      }
      // There is no end of addresses that do not exist.
      if (page.heads.br.status === 200) ready?.remember(request, sourceOf(key, begun), count)
      count?.(request.raw)
      return sendAnswer(
        reply,
        wholeAnswerTo(headers, page, () => unzipped.get(page)),
      )
    },
    contentChanged() {
      version += 1
      oldestValid = version
    },
    contentUnknown() {
      version += 1
    },
  }
}

/** The answer of an address: undefined where it is no longer in memory, or stale. */
export type Source = (headers: IncomingMessage['headers']) => Answer | undefined

type Count = (request: IncomingMessage) => void
type Entry = { route: string; source: Source; count: Count | undefined }

type ReadyAnswersOptions = {
  requestId(request: IncomingMessage): string
  securityHeaders: SecurityHeaders
  /** While every request is logged, or the site is stopping: then the router serves each. */
  isOff(): boolean
  follow(response: ServerResponse): void
  onAnswered?: ((answered: Answered) => void) | undefined
}

/** More than the addresses of a site that are requested often. */
const maxAddresses = 2_000
/** Longer than any link of the site: invented addresses must not fill the memory. */
const maxLength = 300

/**
 * Sends pages, lists and small files from memory without the router and its hooks, which cost more than the answer. The router
 * serves the first request of an address; later answers are the same to the byte.
 */
export function createReadyAnswers({ requestId, securityHeaders, isOff, follow, onAnswered }: ReadyAnswersOptions) {
  const addresses = new LRUCache<string, Entry>({ max: maxAddresses })

  /** Names and values in turn, which node:http writes fastest. The last value is the request id. */
  function rawHeadOf(head: Head, route: string) {
    head.raw ??= [...Object.entries({ ...securityHeaders(route), ...head.headers }).flat(), 'x-request-id', '']
    return head.raw
  }

  /** False where the router must serve the request. */
  function answer(request: IncomingMessage, response: ServerResponse) {
    const { method, headers } = request
    if (method !== 'GET' || headers['content-length'] || headers['transfer-encoding'] || isOff()) return false
    const entry = addresses.get(keyOf(request))
    const stored = entry?.source(headers)
    if (!entry || !stored) return false
    const { head, body } = stored
    const raw = rawHeadOf(head, entry.route)
    raw[raw.length - 1] = requestId(request)
    follow(response)
    if (onAnswered) {
      const began = performance.now()
      response.once('close', () => {
        const seconds = (performance.now() - began) / 1000
        onAnswered({ method, route: entry.route, status: head.status, seconds })
      })
    }
    response.writeHead(head.status, raw)
    response.end(body)
    entry.count?.(request)
    return true
  }

  return {
    /** The source answers later requests of the same address and language. */
    remember({ raw, routeOptions: { url = '' } }: FastifyRequest, source: Source, count?: Count) {
      const key = keyOf(raw)
      if (key.length <= maxLength) addresses.set(key, { route: url, source, count })
    },
    /** The server that Fastify would make, with ready answers before its handler. */
    serverFactory(whole: RequestListener, { keepAliveTimeout = 0, requestTimeout = 0 }: FastifyServerOptions) {
      const server = createServer((request, response) => {
        if (!answer(request, response)) whole(request, response)
      })
      return Object.assign(server, { keepAliveTimeout, requestTimeout })
    },
  }
}

export type ReadyAnswers = ReturnType<typeof createReadyAnswers>

/** Shared answers depend on the address, the language cookie and the encoding. */
function keyOf({ url = '', headers: { cookie } }: IncomingMessage) {
  const language = cookie?.includes(languageKey) ? cookies.parse(cookie)[languageKey] : undefined
  return language === undefined ? url : `${url} ${language}`
}
