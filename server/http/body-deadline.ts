import type { FastifyInstance, FastifyRequest } from 'fastify'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The body may take as long as it keeps coming: an upload as large as the disk. */
    takesLong?: boolean
  }
}

type Patience = {
  /** How long nothing may come. */
  silence: number
  /** How long all of it may take. A photo of 10 MB over a poor telephone line takes its time. */
  whole: number
}

/**
 * Nobody holds a connection by never finishing what they send. Node's own limit is one for the whole server, and a large
 * upload over a slow line is not an attack. Headers must arrive within a minute all the same: Node sees to that.
 */
export function limitSlowBodies(app: FastifyInstance, { silence, whole }: Patience) {
  app.addHook('onRequest', async (request) => {
    if (!hasBody(request)) return
    const { raw } = request
    const began = Date.now()
    let received = raw.socket.bytesRead
    const timer = setInterval(() => {
      const isSilent = raw.socket.bytesRead === received
      const isLate = !request.routeOptions.config.takesLong && Date.now() - began >= whole
      received = raw.socket.bytesRead
      if (raw.complete) clearInterval(timer)
      else if (isSilent || isLate) raw.destroy()
    }, silence)
    timer.unref()
    raw.once('close', () => clearInterval(timer))
  })
}

function hasBody({ headers }: FastifyRequest) {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
}
