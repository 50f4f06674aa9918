import { galleryMost, galleryPage } from '#contract/first-visit.ts'
import type { ListedProject, PlacedProject } from '../../page.ts'

/** The number of projects. A last page that is not full is the end, whatever was counted before. */
export function countOf(loaded: number, counted = 0) {
  return loaded > 0 && loaded % galleryPage === 0 ? Math.max(loaded, counted) : loaded
}

/** The `shown` value of the address for so many projects; undefined for the first page. */
export function shownFor(loaded: number) {
  const shown = Math.min(Math.ceil(loaded / galleryPage) * galleryPage, galleryMost)
  return shown > galleryPage ? String(shown) : undefined
}

/** The place of a project in a list loaded from its beginning; undefined when only the server knows. */
export function placeIn(loaded: readonly ListedProject[], count: number, slug: string): PlacedProject | undefined {
  const index = loaded.findIndex((project) => project.slug === slug)
  const around = loaded.length === count ? loaded : []
  const project = loaded[index]
  const previous = loaded[index - 1] ?? around.at(-1)
  const next = loaded[index + 1] ?? around[0]
  return project && previous && next && { project, position: index + 1, count, previous: previous.slug, next: next.slug }
}
