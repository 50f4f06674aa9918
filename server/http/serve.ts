import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest, FastifyServerOptions } from 'fastify'
import { z } from 'zod/mini'
import type { Access, AnyEndpoint, CheckedInputOf, ReplyOf } from '#contract/endpoint.ts'
import { describeApi } from '#contract/pages.ts'
import { problemReply } from '#contract/problems.ts'
import type { RateLimit } from './request-counts.ts'
import { requireAdmin, requireOwner, requirePassword, type SignedIn } from './sessions.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The declared call of a route. */
    endpoint?: AnyEndpoint
  }
}

type HandlerInput<E extends AnyEndpoint> = CheckedInputOf<E> & {
  request: FastifyRequest
  reply: FastifyReply
  /** The signed-in account; undefined on public endpoints. */
  admin: E['access'] extends 'public' ? undefined : SignedIn
}

type Handler<E extends AnyEndpoint> = (input: HandlerInput<E>) => Promise<ReplyOf<E> | FastifyReply>

type Options = {
  withoutBodyTimeout?: boolean
  /** The handler reads the body as a stream. */
  streamsBody?: boolean
  onFullDisk?: boolean
  rateLimit?: RateLimit
}

/** Serves a declared call: checks the session, then the input, then calls the handler. */
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
      ...checksOf(endpoint.access),
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
      } as unknown as HandlerInput<E>),
  })
}

/** In this order: who is nobody must not learn who may. */
function checksOf(access: Access) {
  const checks = {
    public: [],
    admin: [requireAdmin],
    owner: [requireAdmin, requireOwner],
    own: [requireAdmin, requirePassword],
    confirmed: [requireAdmin, requireOwner, requirePassword],
  } satisfies Record<Access, unknown>
  return checks[access]
}

/** Serves the OpenAPI description of all declared calls. Register before the routes. */
export function describeCalls(app: FastifyInstance) {
  const endpoints: AnyEndpoint[] = []
  app.addHook('onRoute', ({ method, config }) => {
    if (config?.endpoint && method !== 'HEAD') endpoints.push(config.endpoint)
  })
  let description: string | undefined
  serve(app, describeApi, async ({ reply }) => {
    description ??= JSON.stringify((await import('./describe-calls.ts')).descriptionOf(endpoints))
    return reply.type('application/json; charset=utf-8').send(description)
  })
}

/** Sends a list of any length, with one slice in memory at a time. */
export function sendList(reply: FastifyReply, slices: AsyncIterable<readonly unknown[]>) {
  return reply.type('application/json; charset=utf-8').send(Readable.from(listAsText(slices), { objectMode: false }))
}

async function* listAsText(slices: AsyncIterable<readonly unknown[]>) {
  let before = '['
  for await (const records of slices) {
    yield before + records.map((record) => JSON.stringify(record)).join(',')
    before = ','
  }
  yield before === '[' ? '[]' : ']'
}

/** Carries zod's issues to the error handler; Fastify adds the context: params, querystring or body. */
export class InvalidRequest extends Error {
  validationContext?: string

  constructor(readonly issues: z.core.$ZodIssue[]) {
    super('The request does not have the declared shape.')
  }
}

type Compiled = { schema: z.core.$ZodType }

const compileValidator =
  ({ schema }: Compiled) =>
  (data: unknown) => {
    const read = z.safeParse(schema, data)
    return read.success ? { value: read.data } : { error: new InvalidRequest(read.error.issues) }
  }

const compileSerializer =
  ({ schema }: Compiled) =>
  (reply: unknown) =>
    JSON.stringify(z.encode(schema, reply))

type Factories = NonNullable<FastifyServerOptions['schemaController']>['compilersFactory']

/** Factories, because Fastify otherwise loads compilers of its own at every start. Its types allow only those. */
export const zodCompilers = {
  buildValidator: () => compileValidator,
  buildSerializer: () => compileSerializer,
} as unknown as NonNullable<Factories>
