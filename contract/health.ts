import { z } from 'zod/mini'
import { endpoint } from './endpoint.ts'

export const checkHealth = endpoint({
  method: 'GET',
  path: '/healthz',
  access: 'public',
  summary: 'Whether the database and the storage answer.',
  reply: z.strictObject({ status: z.literal('ok') }),
})
