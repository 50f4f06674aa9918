import { z } from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { done, requiredText } from './text.ts'

/** What is known of an image before it is sent. */
const announcedImage = z.strictObject({
  bytes: z.int().check(z.positive()),
  contentType: z.string().check(z.regex(/^image\/[\w.+-]{1,80}$/)),
})
export type AnnouncedImage = z.infer<typeof announcedImage>

export const requestUpload = endpoint({
  method: 'POST',
  path: '/api/objects/upload',
  access: 'admin',
  summary: 'An address that takes the bytes of one photo, once, from the administrator who asked.',
  // May be left out. With it the address may be one of the bucket itself.
  body: z.nullish(announcedImage),
  // Absolute: Uppy refuses a mere path.
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
  summary: 'Judges what was uploaded by its content, makes it safe to publish and takes it into the store.',
  body: z.strictObject({ imageURL: requiredText('Please say which upload is meant.', 8_000) }),
  reply: z.strictObject({ objectPath: z.string() }),
})
