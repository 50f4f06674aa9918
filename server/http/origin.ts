import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Config } from '../config.ts'
import { protocolOf } from './own-address.ts'
import { Problem } from './problem.ts'

const safeMethods = new Set(['GET', 'HEAD', 'OPTIONS'])

/**
 * Refuses requests that another website makes with a visitor's cookies. Browsers send the origin; other clients send none, and
 * only cookies they were given on purpose.
 */
export function refuseForeignOrigins(app: FastifyInstance, config: Pick<Config, 'publicUrl'>) {
  app.addHook('onRequest', async (request) => {
    if (!safeMethods.has(request.method) && isForeign(request, config.publicUrl)) throw new Problem('foreign_origin')
  })
}

/** Whether another website makes it, as far as the headers tell, on a site of that address. */
export function isForeign(request: FastifyRequest, publicUrl: string | undefined) {
  const site = request.headers['sec-fetch-site']
  if (site && site !== 'same-origin' && site !== 'none') return true
  const { origin } = request.headers
  return origin !== undefined && !isOwn(origin, { host: request.host.toLowerCase(), protocol: protocolOf(request), publicUrl })
}

type RequestAddress = { host: string; protocol: 'http' | 'https'; publicUrl: string | undefined }

/**
 * Whether an origin is the site's own, with its scheme. A request by http may come through a proxy that was called by https
 * and is not trusted, so https is always accepted; http is accepted unless the site is known to use https.
 */
function isOwn(origin: string, { host, protocol, publicUrl }: RequestAddress) {
  if (origin === publicUrl || origin === `https://${host}`) return true
  return origin === `http://${host}` && protocol === 'http' && publicUrl !== `https://${host}`
}
