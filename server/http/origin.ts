import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Problem } from './problem.ts'

const safeMethods = new Set(['GET', 'HEAD', 'OPTIONS'])

/**
 * Another website must not act with a visitor's cookies. Browsers say where a request comes from; a console client says
 * nothing and has no cookie it did not put there itself.
 */
export function refuseForeignOrigins(app: FastifyInstance, publicUrl: string | undefined) {
  app.addHook('onRequest', async (request) => {
    if (!safeMethods.has(request.method) && isForeign(request, publicUrl)) throw new Problem('foreign_origin')
  })
}

function isForeign(request: FastifyRequest, publicUrl: string | undefined) {
  const site = request.headers['sec-fetch-site']
  if (site && site !== 'same-origin' && site !== 'none') return true
  const { origin } = request.headers
  if (origin === undefined || origin === publicUrl) return false
  return !URL.canParse(origin) || new URL(origin).host !== request.host
}
