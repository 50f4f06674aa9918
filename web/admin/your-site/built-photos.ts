import bench from '#content/photos/about-1.jpg?photo'
import hull from '#content/photos/about-2.jpg?photo'
import parts from '#content/photos/about-3.jpg?photo'
import hero from '#content/photos/hero.jpg?photo'
import heroTall from '#content/photos/hero-tall.jpg?photo'
import type { PhotoName } from '#contract/site-fields.ts'
import type { PhotoSource } from '../../ui/photo.tsx'

export const photosItCameWith: Record<PhotoName, PhotoSource> = { hero, heroTall, about1: bench, about2: hull, about3: parts }

/** What the page keeps visible of those. */
export const pointsItCameWith: Record<PhotoName, string> = {
  hero: '0 50',
  heroTall: '50 0',
  about1: '50 50',
  about2: '50 60',
  about3: '50 50',
}
