// Everything the public page needs of the contract before anything is clicked. Importing zod here would make its script a
// tenth larger, and so would what only the panel uses: the whole file is part of that script.

export const categories = ['locomotive', 'aircraft', 'ships', 'automotive', 'military', 'figures'] as const
export type Category = (typeof categories)[number]

/** How many models the gallery shows at first, and adds at a time. */
export const galleryPage = 24

/** How many of them the address of a page may request at once. */
export const galleryMost = 240

export const projectsPath = '/api/projects'
export const projectPath = '/api/projects/:id'
export const countsPath = '/api/projects/counts'

export const adminPath = '/admin'
export const signInPath = '/admin/login'

export const wordsPath = '/api/words'

/** Of the copies a page shows. */
export const shownWidths = [480, 960, 1600] as const
export const variantFormats = ['avif', 'webp', 'jpeg'] as const
/** The copy for looking closely. As AVIF and JPEG there is one of the site's first photo only. */
export const closeUp = { width: 2400, format: 'webp' } as const
/** Of the page's own photos. A tall one fills a phone, whose pixels are seldom more than 750 in a row. */
export const heroWidths = { wide: [...shownWidths, closeUp.width], tall: [480, 750, 960] } as const

export const variantWidths = [...heroWidths.wide, 750] as const

const storedImage = /^\/objects\/([0-9a-f]{64})$/

/** The hash in an address of this site; undefined for an image on another server. */
export function storedHash(address: string) {
  return storedImage.exec(address)?.[1]
}

/** Where a smaller variant of a stored photo is read. */
export function variantAddress(
  address: string,
  width: (typeof variantWidths)[number],
  format: (typeof variantFormats)[number],
) {
  return `${address}?w=${width}&f=${format}`
}

/** A copy that every program can show; of a photo on another server, the photo itself. */
export function jpegOf(address: string, width: 480 | 960 | 1600 = 1600) {
  return storedHash(address) ? variantAddress(address, width, 'jpeg') : address
}

/** A place in the maker's order, where the next page begins: behind the last project of this one. It may be gone by now. */
export type PlaceByRank = { rank: number; id: string }
export const placeByRankOf = ({ rank, id }: PlaceByRank) => `${rank},${id}`
