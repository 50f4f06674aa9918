import bench from '#content/photos/about-1.jpg?photo'
import hull from '#content/photos/about-2.jpg?photo'
import parts from '#content/photos/about-3.jpg?photo'
import hero from '#content/photos/hero.jpg?photo'
import heroTall from '#content/photos/hero-tall.jpg?photo'
import { jpegOf } from '#contract/first-visit.ts'
import type { PhotoName } from '#contract/site-fields.ts'
import type { PhotoSource } from '../../ui/photo.tsx'

const photosItCameWith: Record<PhotoName, PhotoSource> = { hero, heroTall, about1: bench, about2: hull, about3: parts }

/** What the page keeps visible of those. */
const pointsItCameWith: Record<PhotoName, string> = {
  hero: '0 50',
  heroTall: '50 0',
  about1: '50 50',
  about2: '50 60',
  about3: '50 50',
}

/** Of the photo a field names; empty for the one it came with. */
export function addressOf(photo: PhotoName, image: string, width: 480 | 1600) {
  return image ? jpegOf(image, width) : photosItCameWith[photo].src
}

export function pointOf(photo: PhotoName, image: string, point: string) {
  return point || (image ? '50 50' : pointsItCameWith[photo])
}
