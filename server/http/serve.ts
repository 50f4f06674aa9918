import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { AnyEndpoint, CheckedInputOf, ReplyOf } from '#contract/endpoint.ts'
import { problemReply } from '#contract/problems.ts'
import type { RateLimit } from './request-counts.ts'
import { requireAdmin, requirePassword, type SignedIn } from './sessions.ts'

type Given<E extends AnyEndpoint> = CheckedInputOf<E> & {
  request: FastifyRequest
  reply: FastifyReply
  /** The administrator who is asking; only on endpoints that require one. */
  admin: E['access'] extends 'public' ? undefined : SignedIn
}

type Handler<E extends AnyEndpoint> = (given: Given<E>) => Promise<ReplyOf<E> | FastifyReply>

type Options = {
  withoutBodyTimeout?: boolean
  /** The handler reads the body itself, as it comes. */
  streamsBody?: boolean
  onFullDisk?: boolean
  rateLimit?: RateLimit
}

/** Answers a declared call. Who is asking is settled first, then the shape of the input; the handler sees neither wrong. */
export function serve<E extends AnyEndpoint>(
  app: FastifyInstance,
  endpoint: E,
  handler: Handler<E>,
  { withoutBodyTimeout, streamsBody, onFullDisk, rateLimit }: Options = {},
) {
  app.route({
    method: endpoint.method,
    url: endpoint.path,
    config: {
      endpoint,
      ...(withoutBodyTimeout && { withoutBodyTimeout }),
      ...(onFullDisk && { onFullDisk }),
    },
    onRequest: [
      ...(endpoint.access === 'public' ? [] : [requireAdmin]),
      ...(endpoint.access === 'confirmed' ? [requirePassword] : []),
      ...(rateLimit ? [(request: FastifyRequest, reply: FastifyReply) => app.limitRequests(request, rateLimit, reply)] : []),
    ],
    ...(streamsBody && { validatorCompiler: () => (value: unknown) => ({ value }) }),
    schema: {
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
