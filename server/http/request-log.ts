import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { FastifyInstance } from 'fastify'

/** A proxy that is trusted may name the request; otherwise we do. */
export function requestId(trustedProxies: number) {
  return (request: IncomingMessage) => {
    const given = request.headers['x-request-id']
    return trustedProxies > 0 && typeof given === 'string' && /^[\w.-]{1,100}$/.test(given) ? given : randomUUID()
  }
}

/** What is measured of a request. The route is the path as declared: real addresses are endless. */
export type Answered = { method: string; route: string; status: number; seconds: number }

/**
 * One line per request; successful reads only with `LOG_LEVEL=debug`. Addresses are logged without their query, which may hold
 * what a person typed.
 */
export function logRequests(app: FastifyInstance, onAnswered?: (answered: Answered) => void) {
  app.addHook('onRequest', (request, reply, done) => {
    reply.header('x-request-id', request.id)
    done()
  })
  app.addHook('onResponse', async (request, reply) => {
    const routine = reply.statusCode < 400 && (request.method === 'GET' || request.method === 'HEAD')
    request.log[routine ? 'debug' : 'info'](
      {
        method: request.method,
        path: loggedPath(request.originalUrl),
        status: reply.statusCode,
        milliseconds: Math.round(reply.elapsedTime * 10) / 10,
      },
      'answered',
    )
    onAnswered?.({
      method: request.method,
      route: request.routeOptions.url ?? 'none',
      status: reply.statusCode,
      seconds: reply.elapsedTime / 1000,
    })
  })
}

const maxPathLength = 200

/** An address for the log: without its query, and cut when it is long. */
export function loggedPath(url = '') {
  const [path = ''] = url.split('?', 1)
  return path.length > maxPathLength ? `${path.slice(0, maxPathLength)}…` : path
}
