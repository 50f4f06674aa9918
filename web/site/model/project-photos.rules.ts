import { closeUp, storedHash, variantAddress } from '#contract/first-visit.ts'
import type { ImageFacts } from '#contract/images.ts'
import type { Language } from '#contract/languages.ts'
import type { ListedProject } from '../../page.ts'

export type ShownPhoto = { address: string; image: ImageFacts | null; caption: string | null }

/** The cover, and the photos beside it as far as they are known. */
export function photosOf({ imageUrl, image, photos = [] }: ListedProject, language: Language): ShownPhoto[] {
  const cover = { address: imageUrl, image, caption: null }
  const beside = photos.map(({ imageUrl: address, image, caption, translations }) => ({
    address,
    image,
    caption: translations[language]?.caption ?? caption,
  }))
  // A draft may have no cover yet.
  return imageUrl || beside.length === 0 ? [cover, ...beside] : beside
}

/** How many photos there are with the cover, also where only their number is known. */
export function photoCountOf({ imageUrl, photos, photoCount = 0 }: ListedProject) {
  const beside = photos?.length ?? photoCount
  return imageUrl || beside === 0 ? beside + 1 : beside
}

/** So many on from a photo, and no further than the ends. */
export const stepped = (index: number, by: number, count: number) => Math.min(count - 1, Math.max(0, index + by))

type PressedKey = { key: string; altKey: boolean; ctrlKey: boolean; metaKey: boolean; shiftKey: boolean }

/** One on, one back, or none: with another key held down an arrow is the browser's, which goes back in the history by it. */
export function arrowStep({ key, altKey, ctrlKey, metaKey, shiftKey }: PressedKey) {
  if (altKey || ctrlKey || metaKey || shiftKey) return 0
  return { ArrowLeft: -1, ArrowRight: 1 }[key] ?? 0
}

/** The shape of a photo nothing is known of yet: it shows when it has arrived. */
const assumed = { width: 1600, height: 1067 }

/** The one copy that is looked at closely. */
export function closeUpOf({ address, image }: ShownPhoto) {
  const { width, height } = image ?? assumed
  if (storedHash(address) === undefined) return { src: address, width, height }
  const shrunk = Math.min(1, closeUp.width / width)
  return {
    src: variantAddress(address, closeUp.width, closeUp.format),
    width: Math.round(width * shrunk),
    height: Math.round(height * shrunk),
  }
}

/** The height of the frame by its width: that of the photo shown, or in between while one gives way to the next. */
export function tallAt(shapes: readonly number[], position: number) {
  const before = stepped(Math.floor(position), 0, shapes.length)
  const [from = 1, to = from] = shapes.slice(before, before + 2)
  const part = Math.max(0, position - before)
  return (1 - part) / from + part / to
}
