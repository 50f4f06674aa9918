import { z } from 'zod/mini'
import { endpoint } from './endpoint.ts'

const well = z.strictObject({ status: z.literal('ok') })

export const checkHealth = endpoint({
  method: 'GET',
  path: '/healthz',
  access: 'public',
  summary: 'Whether the database and the storage answer, and there is room on the disk.',
  reply: well,
})

export const checkReadiness = endpoint({
  method: 'GET',
  path: '/readyz',
  access: 'public',
  summary: 'For load balancers: whether to send visitors here. Not while the site is being stopped.',
  reply: well,
})
