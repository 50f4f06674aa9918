import type { FastifyServerOptions } from 'fastify'
import { z } from 'zod/mini'

/** Carries what zod found wrong to the error handler; Fastify adds where: params, querystring or body. */
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

/** As factories, because Fastify otherwise loads and makes compilers of its own at every start. Its types know only those. */
export const zodCompilers = {
  buildValidator: () => compileValidator,
  buildSerializer: () => compileSerializer,
} as unknown as NonNullable<Factories>
