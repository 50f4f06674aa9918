import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { FastifyInstance } from 'fastify'

/** A trusted proxy may set the request id. */
export function requestId(trustedProxies: number) {
  return (request: IncomingMessage) => {
    const id = request.headers['x-request-id']
    return trustedProxies > 0 && typeof id === 'string' && /^[\w.-]{1,100}$/.test(id) ? id : randomUUID()
  }
}

/** A request for the metrics. The route is the declared path: a label per address would grow without end. */
export type Answered = { method: string; route: string; status: number; seconds: number }

/**
 * One line per request; successful reads only with `LOG_LEVEL=debug`. Without the query of the address, which may contain
 * personal data.
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

/** Without the query, and shortened. */
export function loggedPath(url = '') {
  const [path = ''] = url.split('?', 1)
  return path.length > maxPathLength ? `${path.slice(0, maxPathLength)}…` : path
}
