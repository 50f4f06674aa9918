import { variantFormats, variantWidths } from '#contract/image-addresses.ts'

export type VariantFormat = (typeof variantFormats)[number]
export type Variant = { width: number; format: VariantFormat }

/** Every variant that is ever made of an image; the narrow ones first, because phones ask for them first. */
export const allVariants: readonly Variant[] = variantWidths.flatMap((width) =>
  variantFormats.map((format) => ({ width, format })),
)

/** The longest side of a WebP. */
export const longestSide = 16_383

export function imageName(hash: string) {
  return `objects/${hash}`
}

export function variantName(hash: string, { width, format }: Variant) {
  return `variants/${hash}-${width}.${format}`
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
