import { z } from 'zod/mini'
import type { Access, AnyEndpoint } from '#contract/endpoint.ts'
import { problemReply } from '#contract/problems.ts'

/** The OpenAPI description of declared calls. */
export function descriptionOf(endpoints: readonly AnyEndpoint[]) {
  const paths: Record<string, Record<string, object>> = {}
  for (const endpoint of endpoints) {
    const path = endpoint.path.replace(/:(\w+)/g, '{$1}')
    paths[path] = { ...paths[path], [endpoint.method.toLowerCase()]: operationOf(endpoint) }
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Vitrina', description: 'Portfolio, inquiries and administration of the site.', version: '1' },
    components: {
      securitySchemes: { session: { type: 'apiKey', in: 'cookie', name: 'session' } },
      responses: { Problem: answer('What went wrong, as a sentence and a code.', problemReply) },
    },
    paths,
  }
}

const withPassword = 'within 15 minutes after the password was given'
const conditions: Partial<Record<Access, string>> = {
  owner: 'For owners.',
  own: `Only ${withPassword}.`,
  confirmed: `For owners, ${withPassword}.`,
}

function operationOf({ summary, access, params, query, body, reply }: AnyEndpoint) {
  return {
    summary,
    ...(access !== 'public' && { security: [{ session: [] }] }),
    ...(conditions[access] && { description: conditions[access] }),
    parameters: [...parametersOf('path', params), ...parametersOf('query', query)],
    ...(body && { requestBody: { required: !z.safeParse(body, undefined).success, content: jsonOf(body, 'input') } }),
    responses: {
      200: reply ? answer('Done.', reply) : { description: 'A page or a file.' },
      default: { $ref: '#/components/responses/Problem' },
    },
  }
}

function parametersOf(place: 'path' | 'query', shape: z.core.$ZodType | undefined) {
  const { properties = {}, required = [] } = shape ? schemaOf(shape, 'input') : {}
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    in: place,
    required: required.includes(name),
    schema,
  }))
}

function answer(description: string, reply: z.core.$ZodType) {
  return { description, content: jsonOf(reply, 'output') }
}

function jsonOf(shape: z.core.$ZodType, io: 'input' | 'output') {
  return { 'application/json': { schema: schemaOf(shape, io) } }
}

function schemaOf(shape: z.core.$ZodType, io: 'input' | 'output') {
  const { $schema: _dialect, ...schema } = z.toJSONSchema(shape, { io, unrepresentable: 'any' })
  return schema
}
