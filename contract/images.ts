import { z } from 'zod/mini'
import { endpoint } from './endpoint.ts'

export const maxImageBytes = 10_485_760
export const maxImagePixels = 50_000_000
/** From asking for an address to the photo being in the store. */
export const uploadMinutes = 10
export const variantWidths = [480, 960, 1600] as const
export const variantFormats = ['avif', 'webp', 'jpeg'] as const

/** What a page must know of a stored photo to leave room for it before it arrives. */
export const imageFacts = z.strictObject({
  width: z.int(),
  height: z.int(),
  /** A few dozen bytes of the same picture, as a data address. */
  placeholder: z.string(),
})
export type ImageFacts = z.infer<typeof imageFacts>

const storedImage = /^\/objects\/([0-9a-f]{64})$/

/** The hash in an address of our own store; undefined for a photo that lives elsewhere. */
export function storedHash(address: string) {
  return storedImage.exec(address)?.[1]
}

type Shown = { imageUrl: string; beforeImageUrl: string | null; afterImageUrl: string | null }

/** The hashes of a project's photos in our own store. */
export function hashesShown({ imageUrl, beforeImageUrl, afterImageUrl }: Shown) {
  return [imageUrl, beforeImageUrl, afterImageUrl].flatMap((address) => (address && storedHash(address)) || [])
}

export function storedAddress(hash: string) {
  return `/objects/${hash}`
}

/** Where a photo may live: in our own store, or at an address of an older site. */
export function isImageAddress(address: string) {
  return storedHash(address) !== undefined || (address.startsWith('https://') && URL.canParse(address))
}

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
