import { maxImageBytes } from '#contract/contact-fields.ts'

/** Why a photo is not taken, known without asking the server. */
export type Refusal = 'heic' | 'svg' | 'notAPhoto' | 'tooLarge' | 'alreadyHere'

type PhotoFile = Pick<File, 'name' | 'type' | 'size'>

/** Some systems give HEIC files no type at all. What else has no type is judged by the server. */
export function refusalOf({ name, type, size }: PhotoFile): Refusal | undefined {
  if (/^image\/hei[cf]/.test(type) || /\.hei[cf]$/i.test(name)) return 'heic'
  if (type === 'image/svg+xml') return 'svg'
  if (type !== '' && !type.startsWith('image/')) return 'notAPhoto'
  if (size > maxImageBytes) return 'tooLarge'
  return undefined
}
