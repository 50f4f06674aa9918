import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { ProblemCode } from '#contract/problems.ts'
import { Problem } from './problem.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** No timeout while bytes arrive: a backup may be gigabytes. */
    withoutBodyTimeout?: boolean
  }
}

type Timeouts = {
  /** In milliseconds without a byte. */
  idleTimeout: number
  /** For the whole body: 10 MB over a poor connection take minutes. */
  timeout: number
}

/** Ends requests whose body never ends. Node's own timeout cannot differ by route; it still limits the headers. */
export function limitSlowBodies(app: FastifyInstance, { idleTimeout, timeout }: Timeouts) {
  app.addHook('onRequest', async (request) => {
    if (!hasBody(request)) return
    const { raw } = request
    const began = Date.now()
    let received = raw.socket.bytesRead
    const timer = setInterval(() => {
      const isIdle = raw.socket.bytesRead === received
      const isLate = !request.routeOptions.config.withoutBodyTimeout && Date.now() - began >= timeout
      received = raw.socket.bytesRead
      if (raw.complete) clearInterval(timer)
      else if (isIdle || isLate) raw.destroy()
    }, idleTimeout)
    timer.unref()
    raw.once('close', () => clearInterval(timer))
  })
}

function hasBody({ headers }: FastifyRequest) {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
}

/** Throws at the first byte above the limit, whatever the content-length says. */
export async function* limitBody(body: Readable | AsyncIterable<Buffer>, maxBytes: number, code: ProblemCode) {
  let bytes = 0
  // Destroying the stream would close the connection before the answer is sent.
  for await (const chunk of body instanceof Readable ? body.iterator({ destroyOnReturn: false }) : body) {
    bytes += chunk.length
    if (bytes > maxBytes) throw new Problem(code)
    yield chunk
  }
}
