import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { ProblemCode } from '#contract/problems.ts'
import { Problem } from './problem.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** No timeout while the body keeps coming: an upload as large as the disk. */
    withoutBodyTimeout?: boolean
  }
}

type Timeouts = {
  /** Without a byte. */
  idleTimeout: number
  /** For the whole body: a photo of 10 MB over a poor telephone line takes minutes. */
  timeout: number
}

/** Ends requests whose body never ends. Node's own timeout is one for all routes; it still limits the time for headers. */
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

/** Refuses the first byte too many, whatever length was announced. */
export async function* limitBody(body: Readable | AsyncIterable<Buffer>, maxBytes: number, code: ProblemCode) {
  let bytes = 0
  // The stream is left open: the answer travels back over the same connection.
  for await (const chunk of body instanceof Readable ? body.iterator({ destroyOnReturn: false }) : body) {
    bytes += chunk.length
    if (bytes > maxBytes) throw new Problem(code)
    yield chunk
  }
}
