import type { Metadata } from 'sharp'
import { closeUp, heroWidths, shownWidths, variantFormats } from '#contract/image-addresses.ts'

export type VariantFormat = (typeof variantFormats)[number]
export type Variant = { width: number; format: VariantFormat }

/** Every variant that is made of any image; the narrow ones first, because phones ask for them first. */
export const allVariants: readonly Variant[] = [
  ...shownWidths.flatMap((width) => variantFormats.map((format) => ({ width, format }))),
  closeUp,
]

const named = ({ width, format }: Variant) => `${width}.${format}`
const common = new Set(allVariants.map(named))
export const isCommon = (variant: Variant) => common.has(named(variant))

/** What is made besides of the photos of the page itself. Of all others it would be work and room for nothing. */
export const siteVariants: readonly Variant[] = [...heroWidths.tall, ...heroWidths.wide]
  .flatMap((width) => variantFormats.map((format) => ({ width, format })))
  .filter((variant) => !isCommon(variant))

/** The one that is asked for. */
export function variantAsked(width = '1600', format?: VariantFormat): Variant {
  return width === String(closeUp.width) && !format ? closeUp : { width: Number(width), format: format ?? 'jpeg' }
}

/** The longest side of a WebP. */
export const longestSide = 16_383

/** Optimised codes make a JPEG a fifth smaller, and need six bytes a pixel in memory. */
export const maxOptimisedPixels = 12_500_000

/** WebP encodes a transparent image as a whole, in up to forty bytes a pixel: a larger one is made smaller. */
const maxTransparentPixels = 6_000_000

export function longestSideOf({ width, height, hasAlpha }: Pick<Metadata, 'width' | 'height' | 'hasAlpha'>) {
  const pixels = width * height
  if (!hasAlpha || pixels <= maxTransparentPixels) return longestSide
  return Math.min(longestSide, Math.floor(Math.max(width, height) * Math.sqrt(maxTransparentPixels / pixels)))
}

/** With the site beside it, what a machine of 512 MB has room for. */
export const maxDecodedBytes = 250_000_000

type Decoded = Pick<
  Metadata,
  'format' | 'width' | 'height' | 'channels' | 'depth' | 'isProgressive' | 'chromaSubsampling' | 'orientation'
>

/** What a decoder has in memory of an image at once, by measurement. */
export function decodedBytes({ format, width, height, channels, orientation = 1, ...image }: Decoded) {
  const bytesEach = image.depth === 'uchar' ? 1 : 2
  const pixelBytes = channels * bytesEach
  const turning = orientation > 1 ? pixelBytes : 0
  const coefficients = image.isProgressive ? 2 * (image.chromaSubsampling === '4:2:0' ? 1.5 : channels) : 0
  const perPixel: Partial<Record<string, number>> = {
    jpeg: Math.max(coefficients, turning),
    png: turning + (image.isProgressive ? 1.3 * pixelBytes : 0),
    gif: 6,
    webp: 8 + turning,
    heif: 12 + 6 * bytesEach + turning,
  }
  return width * height * (perPixel[format] ?? 0)
}

export function imageName(hash: string) {
  return `objects/${hash}`
}

export function variantName(hash: string, variant: Variant) {
  return `variants/${hash}-${named(variant)}`
}

/** The image that a file of the two folders above belongs to. */
export function hashIn(name: string) {
  return /[0-9a-f]{64}/.exec(name)?.[0] ?? ''
}

/** The type of a file of these folders, given those of the originals; undefined for files of other folders. */
export function contentTypeOf(name: string, originals: ReadonlyMap<string, string>) {
  const format = /^variants\/.+\.(\w+)$/.exec(name)?.[1]
  return format ? `image/${format}` : name.startsWith('objects/') ? originals.get(hashIn(name)) : undefined
}

/** What to send until a variant is ready: a wider one before a narrower one, the same format before another. */
export function standIns(wanted: Variant): Variant[] {
  const distance = (variant: Variant) =>
    Math.abs(variant.width - wanted.width) +
    (variant.width < wanted.width ? 10_000 : 0) +
    (variant.format === wanted.format ? 0 : 1)
  return allVariants
    .filter((variant) => variant.format !== 'avif' || wanted.format === 'avif')
    .toSorted((a, b) => distance(a) - distance(b))
}

/** Where an upload is kept until it is finalized. */
export function uploadName(id: string) {
  return `uploads/${id}`
}

/** The upload in an address of the storage itself. */
export function uploadIn(address: string) {
  const path = URL.canParse(address) ? new URL(address).pathname : ''
  return /\/uploads\/([0-9a-f]{64})$/.exec(path)?.[1]
}
