import { z } from 'zod/mini'
import { endpoint } from './endpoint.ts'

/** How long photos that no project shows, and files the database does not know, are kept before they go for good. */
export const daysAside = 30

export const showAside = endpoint({
  method: 'GET',
  path: '/api/admin/images/aside',
  access: 'admin',
  summary: 'Photos that were set aside because nothing refers to them. They come back by themselves when something does.',
  reply: z.strictObject({
    photos: z.int(),
    bytes: z.int(),
    /** The day on which the first of them was set aside. */
    since: z.nullable(z.string()),
  }),
})
