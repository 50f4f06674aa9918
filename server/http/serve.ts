import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { AnyEndpoint, CheckedInputOf, ReplyOf } from '#contract/endpoint.ts'
import { type ProblemCode, problemReply } from '#contract/problems.ts'
import { requireAdmin, type SignedIn } from './sessions.ts'

type Given<E extends AnyEndpoint> = CheckedInputOf<E> & {
  request: FastifyRequest
  reply: FastifyReply
  /** The administrator who is asking; only on endpoints that require one. */
  admin: E['access'] extends 'admin' ? SignedIn : undefined
}

type Handler<E extends AnyEndpoint> = (given: Given<E>) => Promise<ReplyOf<E> | FastifyReply>

type Options = {
  bodyLimit?: number
  /** What a larger body is answered with. */
  tooLarge?: ProblemCode
  takesLong?: boolean
  onFullDisk?: boolean
  rateLimit?: { max: number; timeWindow: number }
}

declare module 'fastify' {
  interface FastifyContextConfig {
    tooLarge?: ProblemCode
  }
}

/** Answers a declared call. Who is asking is settled first, then the shape of the input; the handler sees neither wrong. */
export function serve<E extends AnyEndpoint>(
  app: FastifyInstance,
  endpoint: E,
  handler: Handler<E>,
  { bodyLimit, tooLarge, takesLong, onFullDisk, rateLimit }: Options = {},
) {
  app.route({
    method: endpoint.method,
    url: endpoint.path,
    ...(bodyLimit && { bodyLimit }),
    config: {
      ...(rateLimit && app.rateLimitsOn && { rateLimit }),
      ...(tooLarge && { tooLarge }),
      ...(takesLong && { takesLong }),
      ...(onFullDisk && { onFullDisk }),
    },
    ...(endpoint.access === 'admin' && { onRequest: requireAdmin }),
    schema: {
      summary: endpoint.summary,
      ...(endpoint.access === 'admin' && { security: [{ session: [] }] }),
      ...(endpoint.params && { params: endpoint.params }),
      ...(endpoint.query && { querystring: endpoint.query }),
      ...(endpoint.body && { body: endpoint.body }),
      ...(endpoint.reply && { response: { 200: endpoint.reply, default: problemReply } }),
    },
    handler: (request, reply) =>
      handler({
        params: request.params,
        query: request.query,
        body: request.body,
        request,
        reply,
        admin: request.admin,
      } as unknown as Given<E>),
  })
}
