import type { AdminTexts } from '#content/en/admin.ts'
import { defaultLanguage, type Language, languages } from '#contract/languages.ts'
import { type TranslatedField, translatedFields } from '#contract/project-fields.ts'
import { type ChangedProject, daysInTrash } from '#contract/projects.admin.ts'
import type { Project } from '#contract/projects.ts'
import { projectTexts } from '../../site/model/project-texts.ts'

/** In the panel's language, or in the one there is. */
export function titleOf(project: Project, language: Language, t: AdminTexts) {
  return projectTexts(project, language).title || t.projects.untitled
}

export type TextPart = TranslatedField | 'captions'

/** The texts that exist in another language only. A text that exists in none is not missing. */
export function missingTexts(project: Project, language: Language): TextPart[] {
  const isMissing = (own: string | null, translationIn: (each: Language) => string | null | undefined) => {
    const textIn = (each: Language) => (each === defaultLanguage ? own : translationIn(each))
    return !textIn(language) && languages.some((each) => textIn(each))
  }
  const { translations, photos, fallbacks } = project
  const ownText = (field: TranslatedField) => (fallbacks?.includes(field) ? null : project[field])
  return [
    ...translatedFields.filter((field) => isMissing(ownText(field), (each) => translations[each]?.[field])),
    ...(photos.some((photo) => isMissing(photo.caption, (each) => photo.translations[each]?.caption))
      ? (['captions'] as const)
      : []),
  ]
}

export type Place = 'first' | { before: string } | { after: string }
export type Move = { id: string; place: Place }

/** The list after a move; unchanged when the project or its new neighbour is not in it. */
export function moved<One extends { id: string }>(list: readonly One[], { id, place }: Move): One[] {
  const one = list.find((each) => each.id === id)
  const others = list.filter((each) => each !== one)
  const indexOf = (neighbour: string) => others.findIndex((each) => each.id === neighbour)
  const index = place === 'first' ? 0 : 'before' in place ? indexOf(place.before) : indexOf(place.after) + 1
  const isUnknown = index < 0 || (index === 0 && place !== 'first' && 'after' in place)
  return one && !isUnknown ? [...others.slice(0, index), one, ...others.slice(index)] : [...list]
}

export function placeAt(ids: readonly string[], id: string, index: number): Place {
  const before = ids.filter((each) => each !== id)[index - 1]
  return before === undefined ? 'first' : { after: before }
}

type Starred = { featured?: boolean | undefined; draft?: boolean | undefined }

/** Whether `featured` changed, or a featured project was published or taken off. */
export function concernsFrontPage(before: Starred | undefined, after: Starred) {
  const wasFeatured = before?.featured === true
  return after.featured !== wasFeatured || (wasFeatured && after.draft !== before?.draft)
}

/** Whether the maker must be told that a featured project is not shown, or that others are shown now. */
export function frontPageNews({ id, featured, draft, frontPage }: ChangedProject) {
  if (draft || !frontPage) return undefined
  const shown = frontPage.shown.map((project) => project.id)
  if (featured && !shown.includes(id)) return 'not_shown'
  const others = (ids: readonly string[]) => ids.filter((each) => each !== id)
  const [before, after] = [others(frontPage.before), others(shown)]
  const isSame = before.length === after.length && before.every((each) => after.includes(each))
  return isSame ? undefined : 'changed'
}

const day = 24 * 60 * 60 * 1000

/** The days a deleted project can still be restored; 1 on the last day. */
export function daysLeft(deletedAt: string, now: number) {
  return Math.max(1, Math.ceil(daysInTrash - (now - Date.parse(deletedAt)) / day))
}
