import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http'
import cookies from '@fastify/cookie'
import type { FastifyRequest, FastifyServerOptions } from 'fastify'
import { LRUCache } from 'lru-cache'
import { languageKey } from '#contract/languages.ts'
import type { Answer, Head } from './answer.ts'
import type { SecurityHeaders } from './headers.ts'
import type { Answered } from './request-log.ts'

/** What answers an address: undefined once it is no longer in memory, or no longer right. */
export type Source = (headers: IncomingMessage['headers']) => Answer | undefined

type Known = { route: string; source: Source }

type Parts = {
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
export function createReadyAnswers({ requestId, securityHeaders, isOff, follow, onAnswered }: Parts) {
  const addresses = new LRUCache<string, Known>({ max: maxAddresses })

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
