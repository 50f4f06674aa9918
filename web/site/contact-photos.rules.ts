import type { ContactFormTexts } from '#content/en/contact-form.ts'
import { maxImageBytes } from '#contract/contact-fields.ts'
import type { ProblemCode } from '#contract/problems.ts'

export type PhotoFault = keyof ContactFormTexts['photos']['faults']

/** What need not be sent to be refused. Some systems give HEIC files no type at all; what else has none the server judges. */
export function refusalOf({ name, type, size }: Pick<File, 'name' | 'type' | 'size'>): PhotoFault | undefined {
  if (/^image\/hei[cf]/.test(type) || /\.hei[cf]$/i.test(name)) return 'heic'
  if (type !== '' && !type.startsWith('image/')) return 'notAPhoto'
  return size > maxImageBytes ? 'tooLarge' : undefined
}

const refusals: Partial<Record<ProblemCode, PhotoFault>> = {
  image_too_large: 'tooLarge',
  image_too_many_pixels: 'tooLarge',
  image_too_long: 'tooLarge',
  image_too_slow: 'tooLarge',
  image_needs_memory: 'tooLarge',
  body_too_large: 'tooLarge',
  not_an_image: 'notAPhoto',
  heic_not_supported: 'heic',
  image_broken: 'broken',
  too_many_photos: 'full',
}

/** Of what the server says of a photo; everything that is not about the photo itself may go better the next time. */
export function photoFaultOf(code: string | undefined): PhotoFault {
  return refusals[code as ProblemCode] ?? 'failed'
}

/** Whether the same photo may be taken the next time. */
export const canRetry = (fault: PhotoFault) => fault === 'failed' || fault === 'full'
