import { z } from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { variantFormats, variantWidths } from './image-addresses.ts'

export const maxImageBytes = 10_485_760
export const maxImagePixels = 50_000_000
/** From asking for an address to the photo being in the store. */
export const uploadMinutes = 10
/** What a page must know of a stored photo to leave room for it before it arrives. */
export const imageFacts = z.strictObject({
  width: z.int(),
  height: z.int(),
  /** A few dozen bytes of the same picture, as a data address. */
  placeholder: z.string(),
})
export type ImageFacts = z.infer<typeof imageFacts>

export const readImage = endpoint({
  method: 'GET',
  path: '/objects/:hash',
  access: 'public',
  summary: 'A stored photo, or one of its smaller copies.',
  params: z.strictObject({ hash: z.string().check(z.regex(/^[0-9a-f]{64}$/)) }),
  query: z.strictObject({
    w: z.optional(z.enum(variantWidths.map(String))),
    f: z.optional(z.enum(variantFormats)),
  }),
})

/** How long photos that nothing shows, and files without a row, stay in quarantine before they are deleted. */
export const quarantineDays = 30

export const showQuarantine = endpoint({
  method: 'GET',
  path: '/api/admin/images/aside',
  access: 'admin',
  summary: 'Photos in quarantine because nothing refers to them. They come back when something does.',
  reply: z.strictObject({
    photos: z.int(),
    bytes: z.int(),
    /** Since when the first of them is there. */
    since: z.nullable(z.string()),
  }),
})
