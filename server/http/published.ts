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

/** A database that takes longer than this is as good as away. */
export const awayAfter = 1_000

/** The answer, or the fallback while the database is away. */
export async function unlessAway<T>(answer: Promise<T>, fallback: T, milliseconds = awayAfter): Promise<T> {
  try {
    return await withTimeout(milliseconds, answer, fallback)
  } catch (error) {
    if (isDatabaseAway(error)) return fallback
    throw error
  }
}

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

/** What answers an address: undefined once it is no longer in memory, or no longer right. */
export type Source = (headers: IncomingMessage['headers']) => Answer | undefined

type Remembered = { route: string; source: Source }

type ReadyAnswersOptions = {
  requestId(request: IncomingMessage): string
  securityHeaders: SecurityHeaders
  /** Whether every request is to be logged, or the site is about to stop: then each takes the whole way. */
  isOff(): boolean
  follow(response: ServerResponse): void
  onAnswered?: ((answered: Answered) => void) | undefined
}

/** More addresses than a site has that are asked for often. */
const maxAddresses = 2_000
/** Longer than any that the site itself writes: whoever invents some must not fill the memory with them. */
const maxLength = 300

/**
 * Sends what lies ready in memory, pages, lists and small files, before the router and its hooks are asked: they cost more
 * than the answer. An address is remembered here when the whole way was taken for it, and the answer is the same to the byte.
 */
export function createReadyAnswers({ requestId, securityHeaders, isOff, follow, onAnswered }: ReadyAnswersOptions) {
  const addresses = new LRUCache<string, Remembered>({ max: maxAddresses })

  /** Names and values in turn, as node:http takes them fastest. The last one is the request's id. */
  function rawHeadOf(head: Head, route: string) {
    head.raw ??= [...Object.entries({ ...securityHeaders(route), ...head.headers }).flat(), 'x-request-id', '']
    return head.raw
  }

  /** False when the whole way must be taken. */
  function answer(request: IncomingMessage, response: ServerResponse) {
    const { method, headers } = request
    if (method !== 'GET' || headers['content-length'] || headers['transfer-encoding'] || isOff()) return false
    const known = addresses.get(keyOf(request))
    const found = known?.source(headers)
    if (!known || !found) return false
    const { head, body } = found
    const raw = rawHeadOf(head, known.route)
    raw[raw.length - 1] = requestId(request)
    follow(response)
    if (onAnswered) {
      const began = performance.now()
      response.once('close', () => {
        const seconds = (performance.now() - began) / 1000
        onAnswered({ method, route: known.route, status: head.status, seconds })
      })
    }
    response.writeHead(head.status, raw)
    response.end(body)
    return true
  }

  return {
    /** From now on asked first for this address, as this visitor wrote it and in this visitor's language. */
    remember({ raw, routeOptions: { url = '' } }: FastifyRequest, source: Source) {
      const key = keyOf(raw)
      if (key.length <= maxLength) addresses.set(key, { route: url, source })
    },
    /** As Fastify makes its server, with one question before its own. */
    serverFactory(whole: RequestListener, { keepAliveTimeout = 0, requestTimeout = 0 }: FastifyServerOptions) {
      const server = createServer((request, response) => {
        if (!answer(request, response)) whole(request, response)
      })
      return Object.assign(server, { keepAliveTimeout, requestTimeout })
    },
  }
}

export type ReadyAnswers = ReturnType<typeof createReadyAnswers>

/** What an answer that all visitors share may depend on beside its encoding. */
function keyOf({ url = '', headers: { cookie } }: IncomingMessage) {
  const language = cookie?.includes(languageKey) ? cookies.parse(cookie)[languageKey] : undefined
  return language === undefined ? url : `${url} ${language}`
}
