import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { sendProblem } from './errors.ts'
import type { SecurityHeaders } from './headers.ts'
import { Problem } from './problem.ts'

type Route = { method: string; pattern: RegExp }

declare module 'fastify' {
  interface FastifyInstance {
    /** Every route, as registered; who may call each is tested from this list. */
    registeredRoutes: { method: string; url: string }[]
  }
}

/** Remembers each route as it is registered. Call before any is. */
export function rememberRoutes(app: FastifyInstance) {
  app.decorate('registeredRoutes', [])
  app.addHook('onRoute', ({ method, url }) => {
    for (const each of [method].flat()) app.registeredRoutes.push({ method: each, url })
  })
}

/**
 * An address the router can read. An absolute one, as sent to a proxy, is cut to its path; `*` becomes a path that does not
 * exist. decodeURI throws on a lone `%`: it is taken as a literal.
 */
export function routable({ url: given = '/' }: { url?: string | undefined }) {
  const path = given.replace(/^[a-z][a-z\d+.-]*:\/\/[^/?#]*/i, '')
  const url = path.startsWith('/') ? path : `/${path}`
  if (!url.includes('%')) return url
  const [address = ''] = url.split(/[?#]/, 1)
  try {
    // A build drops the call where its result is not used.
    return decodeURI(address) && url
  } catch {
    return address.replaceAll('%', '%25') + url.slice(address.length)
  }
}

type Parts = { answerUnknownPage: AnswerPage; headersFor: SecurityHeaders }

type AnswerPage = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>

/** For programs: 405 with the methods that would do when the address exists, else 404, both as a sentence in JSON. */
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
    const forProgram = address.startsWith('/api/') || !['GET', 'HEAD'].includes(request.method)
    if (forProgram) return sendProblem(reply, new Problem('not_found'))
    // A script that is not there is answered with a page, which needs a page's policy.
    reply.headers(headersFor(address))
    return answerUnknownPage(request, reply)
  })
}
