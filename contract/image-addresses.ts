/** Of the copies a page shows. */
export const shownWidths = [480, 960, 1600] as const
export const variantFormats = ['avif', 'webp', 'jpeg'] as const
/** The copy for looking closely. As AVIF and JPEG there is one of the site's first photo only. */
export const closeUp = { width: 2400, format: 'webp' } as const
/** Of the page's own photos. A tall one fills a phone, whose pixels are seldom more than 750 in a row. */
export const heroWidths = { wide: [...shownWidths, closeUp.width], tall: [480, 750, 960] } as const

export const variantWidths = [...heroWidths.wide, 750] as const

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

/** A copy that every program can show; of a photo that is elsewhere, the photo itself. */
export function jpegOf(address: string, width: 480 | 1600 = 1600) {
  return storedHash(address) ? variantAddress(address, width, 'jpeg') : address
}

/** On this site, or at an address of an older site. */
export function isImageAddress(address: string) {
  return storedHash(address) !== undefined || (address.startsWith('https://') && URL.canParse(address))
}
