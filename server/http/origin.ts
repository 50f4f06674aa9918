import type { FastifyInstance, FastifyRequest } from 'fastify'
import { protocolOf } from './own-address.ts'
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
  return origin !== undefined && !isOurs(origin, { host: request.host.toLowerCase(), protocol: protocolOf(request), publicUrl })
}

type Called = { host: string; protocol: 'http' | 'https'; publicUrl: string | undefined }

/**
 * Whether an origin is the site's own, scheme and all. Called by http we may still be behind a proxy that was called by https
 * and is not trusted to say so, so https is always right; http is, unless we know that the site is on https.
 */
function isOurs(origin: string, { host, protocol, publicUrl }: Called) {
  if (origin === publicUrl || origin === `https://${host}`) return true
  return origin === `http://${host}` && protocol === 'http' && publicUrl !== `https://${host}`
}
