export const variantWidths = [480, 960, 1600] as const
export const variantFormats = ['avif', 'webp', 'jpeg'] as const

const storedImage = /^\/objects\/([0-9a-f]{64})$/

/** The hash in an address of this site; undefined for an image that is elsewhere. */
export function storedHash(address: string) {
  return storedImage.exec(address)?.[1]
}

type Shown = { imageUrl: string; beforeImageUrl: string | null; afterImageUrl: string | null }

/** The hashes of a project's images that are on this site. */
export function hashesShown({ imageUrl, beforeImageUrl, afterImageUrl }: Shown) {
  return [imageUrl, beforeImageUrl, afterImageUrl].flatMap((address) => (address && storedHash(address)) || [])
}

export function storedAddress(hash: string) {
  return `/objects/${hash}`
}

/** Where a smaller variant of a stored photo is read. */
export function variantAddress(
  address: string,
  width: (typeof variantWidths)[number],
  format: (typeof variantFormats)[number],
) {
  return `${address}?w=${width}&f=${format}`
}

/** On this site, or at an address of an older site. */
export function isImageAddress(address: string) {
  return storedHash(address) !== undefined || (address.startsWith('https://') && URL.canParse(address))
}
