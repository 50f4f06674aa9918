import { z } from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { storedHash, variantFormats, variantWidths } from './first-visit.ts'
import { done, requiredText } from './text.ts'
import { parseUrl } from './web-address.ts'

export const maxImagePixels = 50_000_000
/** From the request for an address to the stored photo. */
export const uploadMinutes = 10
/** What a page needs to leave room for a photo before it is loaded. */
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
  access: 'owner',
  summary: 'Photos in quarantine because nothing refers to them. They come back when something does.',
  reply: z.strictObject({
    photos: z.int(),
    bytes: z.int(),
    /** Since when the first of them is there. */
    since: z.nullable(z.string()),
  }),
})

/** Announced before the bytes are sent. */
const announcedImage = z.strictObject({
  bytes: z.int().check(z.positive()),
  contentType: z.string().check(z.regex(/^image\/[\w.+-]{1,80}$/)),
})
export type AnnouncedImage = z.infer<typeof announcedImage>

export const requestUpload = endpoint({
  method: 'POST',
  path: '/api/objects/upload',
  access: 'admin',
  summary: 'An address that takes the bytes of one photo, once, from this administrator.',
  // May be left out. With it the address may be one of the bucket itself.
  body: z.nullish(announcedImage),
  // Absolute: it may be one of the bucket.
  reply: z.strictObject({ uploadURL: z.url() }),
})

export const uploadImage = endpoint({
  method: 'PUT',
  path: '/api/objects/upload/:ticket',
  access: 'admin',
  summary: 'Takes the bytes of a photo as they are, at most 10 MB, whatever type is declared.',
  params: z.strictObject({ ticket: z.string().check(z.regex(/^[\w-]{43}$/)) }),
  reply: done,
})

export const finalizeUpload = endpoint({
  method: 'PUT',
  path: '/api/objects/finalize',
  access: 'admin',
  summary: 'Judges an upload by its content, makes it safe to publish and stores it.',
  body: z.strictObject({ imageURL: requiredText('Please say which upload is meant.', 8_000) }),
  reply: z.strictObject({ objectPath: z.string() }),
})

type Shown = {
  imageUrl: string
  beforeImageUrl: string | null
  afterImageUrl: string | null
  photos: readonly { imageUrl: string }[]
}

/** Of all of a project's photos. */
export function addressesShown({ imageUrl, beforeImageUrl, afterImageUrl, photos }: Shown) {
  const addresses = [imageUrl, beforeImageUrl, afterImageUrl, ...photos.map((photo) => photo.imageUrl)]
  return addresses.filter((address) => address !== null)
}

/** The hashes of a project's photos that are on this site. */
export function hashesShown(project: Shown) {
  return addressesShown(project).flatMap((address) => storedHash(address) ?? [])
}

export function storedAddress(hash: string) {
  return `/objects/${hash}`
}

/** On this site, or at an address of an older site. */
export function isImageAddress(address: string) {
  return storedHash(address) !== undefined || (address.startsWith('https://') && parseUrl(address) !== undefined)
}
