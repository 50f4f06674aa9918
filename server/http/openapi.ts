import swagger from '@fastify/swagger'
import type { FastifyInstance } from 'fastify'
import { jsonSchemaTransform } from 'fastify-type-provider-zod'
import { describeApi } from '#contract/openapi.ts'
import { serve } from './serve.ts'

/** The description of every call, generated from the contract. Register before the routes it describes. */
export async function describeCalls(app: FastifyInstance) {
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: { title: 'Vitrina', description: 'Portfolio, inquiries and administration of the site.', version: '1' },
      components: { securitySchemes: { session: { type: 'apiKey', in: 'cookie', name: 'session' } } },
    },
    transform: jsonSchemaTransform,
  })
  let description: string | undefined
  serve(app, describeApi, async ({ reply }) => {
    description ??= JSON.stringify(app.swagger())
    return reply.type('application/json; charset=utf-8').send(description)
  })
}
