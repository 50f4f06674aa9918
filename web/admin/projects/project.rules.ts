import type { Language } from '#contract/languages.ts'
import { daysInTrash } from '#contract/projects.admin.ts'
import type { Project } from '#contract/projects.ts'

export type TextPart = 'title' | 'description' | 'materials' | 'techniques' | 'captions'

/** Which texts are there in the other language only. A text that is in neither is not missing. */
export function missingTexts(project: Project): Record<Language, TextPart[]> {
  const pairs: [TextPart, english: string | null, spanish: string | null][] = [
    ['title', project.title, project.titleEs],
    ['description', project.description, project.descriptionEs],
    ['materials', project.materials, project.materialsEs],
    ['techniques', project.techniques, project.techniquesEs],
    ...project.photos.map(({ caption, captionEs }): (typeof pairs)[number] => ['captions', caption, captionEs]),
  ]
  const partsOf = (some: typeof pairs) => [...new Set(some.map(([part]) => part))]
  return {
    en: partsOf(pairs.filter(([, english, spanish]) => spanish && !english)),
    es: partsOf(pairs.filter(([, english, spanish]) => english && !spanish)),
  }
}

export type Place = 'first' | { before: string } | { after: string }
export type Move = { id: string; place: Place }

/** The list with one of it at another place; as it is when that one or its new neighbour is not in it. */
export function moved<One extends { id: string }>(list: readonly One[], { id, place }: Move): One[] {
  const one = list.find((each) => each.id === id)
  const others = list.filter((each) => each !== one)
  const indexOf = (neighbour: string) => others.findIndex((each) => each.id === neighbour)
  const index = place === 'first' ? 0 : 'before' in place ? indexOf(place.before) : indexOf(place.after) + 1
  const isUnknown = index < 0 || (index === 0 && place !== 'first' && 'after' in place)
  return one && !isUnknown ? [...others.slice(0, index), one, ...others.slice(index)] : [...list]
}

/** How to say that one of these goes to that index. */
export function placeAt(ids: readonly string[], id: string, index: number): Place {
  const before = ids.filter((each) => each !== id)[index - 1]
  return before === undefined ? 'first' : { after: before }
}

type FrontPage = readonly string[]
type Shown = { featured?: boolean | undefined; draft?: boolean | undefined }

/** Whether a project was featured, or no longer, or published being so. */
export function concernsFrontPage(before: Shown | undefined, after: Shown) {
  const wasFeatured = before?.featured === true
  return after.featured !== wasFeatured || (wasFeatured && after.draft !== before?.draft)
}

/**
 * What the maker should be told of the front page after a project was featured or no longer: that this one is not on it
 * although it is featured, or that others are on it than before.
 */
export function frontPageNews({ id, featured, draft }: Project, before: FrontPage | undefined, after: FrontPage) {
  if (draft) return undefined
  if (featured && !after.includes(id)) return 'not_shown'
  if (!before) return undefined
  const others = (ids: FrontPage) => ids.filter((each) => each !== id)
  const same = others(before).length === others(after).length && others(before).every((each) => after.includes(each))
  return same ? undefined : 'changed'
}

const day = 24 * 60 * 60 * 1000

/** How many days a deleted project can still be restored; the last one counts as one until it is over. */
export function daysLeft(deletedAt: string, now: number) {
  return Math.max(1, Math.ceil(daysInTrash - (now - Date.parse(deletedAt)) / day))
}
