/** Of the copies a page shows. */
export const shownWidths = [480, 960, 1600] as const
/** Of the copy for looking closely. */
export const closeWidth = 2400
export const variantWidths = [...shownWidths, closeWidth] as const
export const variantFormats = ['avif', 'webp', 'jpeg'] as const

const storedImage = /^\/objects\/([0-9a-f]{64})$/

/** The hash in an address of this site; undefined for an image that is elsewhere. */
export function storedHash(address: string) {
  return storedImage.exec(address)?.[1]
}

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
