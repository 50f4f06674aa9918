import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { sendProblem } from './errors.ts'
import type { SecurityHeaders } from './headers.ts'
import { Problem } from './problem.ts'

type Route = { method: string; pattern: RegExp }

declare module 'fastify' {
  interface FastifyInstance {
    /** All routes; a test checks the access of each. */
    registeredRoutes: { method: string; url: string }[]
  }
}

/** Call before routes are registered. */
export function rememberRoutes(app: FastifyInstance) {
  app.decorate('registeredRoutes', [])
  app.addHook('onRoute', ({ method, url }) => {
    for (const each of [method].flat()) app.registeredRoutes.push({ method: each, url })
  })
}

/**
 * An address that the router can parse. Of an absolute one, as sent to a proxy, the path; `*` becomes a path that does not exist.
 * decodeURI throws on a lone `%`: it is taken as a literal.
 */
export function routable({ url: address = '/' }: { url?: string | undefined }) {
  const path = address.replace(/^[a-z][a-z\d+.-]*:\/\/[^/?#]*/i, '')
  const url = path.startsWith('/') ? path : `/${path}`
  if (!url.includes('%')) return url
  const [pathname = ''] = url.split(/[?#]/, 1)
  try {
    // The build removes the call where its result is not used.
    return decodeURI(pathname) && url
  } catch {
    return pathname.replaceAll('%', '%25') + url.slice(pathname.length)
  }
}

type Parts = { answerUnknownPage: AnswerPage; headersFor: SecurityHeaders }

type AnswerPage = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>

/** For calls 405 with the allowed methods where the address exists, else 404, as JSON; for browsers the 404 page. */
export function answerUnknownCalls(app: FastifyInstance, { answerUnknownPage, headersFor }: Parts) {
  let routes: Route[] | undefined
  app.setNotFoundHandler((request, reply) => {
    const address = request.url.split('?', 1)[0] ?? '/'
    routes ??= app.registeredRoutes
      .filter(({ url }) => !url.includes('*'))
      .map(({ method, url }) => ({
        method,
        pattern: new RegExp(`^${url.replaceAll('.', '\\.').replace(/:[^/]+/g, '[^/]+')}$`),
      }))
    const allowed = [...new Set(routes.filter(({ pattern }) => pattern.test(address)).map(({ method }) => method))]
    if (allowed.length > 0 && !allowed.includes(request.method)) {
      reply.header('allow', allowed.join(', '))
      return sendProblem(reply, new Problem('method_not_allowed'))
    }
    const isCall = address.startsWith('/api/') || !['GET', 'HEAD'].includes(request.method)
    if (isCall) return sendProblem(reply, new Problem('not_found'))
    // A missing script is answered with a page, which needs the headers of a page.
    reply.headers(headersFor(address))
    return answerUnknownPage(request, reply)
  })
}
