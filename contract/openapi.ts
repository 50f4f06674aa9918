import { endpoint } from './endpoint.ts'

export const describeApi = endpoint({
  method: 'GET',
  path: '/api/openapi.json',
  access: 'public',
  summary: 'This description.',
})
