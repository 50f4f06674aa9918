import type { Language } from '#contract/languages.ts'
import { type TextField, type TranslatedField, textOf, translatedFields } from '#contract/project-fields.ts'
import { matcherOf } from '#server/database/slices.ts'

/** Whether a text is searched, in every language it is written in. */
const isSearched: Record<TextField, boolean> = {
  title: true,
  description: false,
  imageUrl: false,
  scale: true,
  materials: true,
  techniques: false,
  timeSpent: false,
  beforeImageUrl: false,
  afterImageUrl: false,
}
export const searchedFields = (Object.keys(isSearched) as TextField[]).filter((name) => isSearched[name])

/** The translated ones among them. */
export const searchedTexts = translatedFields.filter((name) => isSearched[name])

type Texts = { [Name in TextField]?: string | null | undefined }
type Searched = Texts & { translations: Partial<Record<Language, Texts>> }

/** Matches projects that have all the words in their titles or facts. */
export function searchFor(words: string) {
  const hasAll = matcherOf(words)
  return (project: Searched) => {
    const translations = Object.values(project.translations)
    return hasAll([project, ...translations].flatMap((texts) => searchedFields.map((name) => texts[name] ?? null)))
  }
}

/** A text that the site's own language lacks is that of another one; `fallbacks` names them. */
export function inAnyLanguage<Row extends Parameters<typeof textOf>[0]>(project: Row, names: readonly TranslatedField[]) {
  const fallbacks = names.filter((name) => !project[name] && textOf(project, name))
  if (fallbacks.length === 0) return project
  return { ...project, ...Object.fromEntries(fallbacks.map((name) => [name, textOf(project, name)])), fallbacks }
}

/** Whether a text can be the id or slug of a project. */
export function isName(name: string) {
  return /^[a-z0-9-]{1,200}$/.test(name)
}

/** A slug never has the form of an id. */
export function isId(name: string) {
  return /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(name)
}

/** The gap between ranks at the ends and after renumbering. */
export const step = 1000

/** A rank between two others, or beyond the only one; null when no number is left between them. */
export function between(lower: number | undefined, higher: number | undefined) {
  if (lower === undefined) return higher === undefined ? 0 : higher - step
  if (higher === undefined) return lower + step
  const middle = lower + (higher - lower) / 2
  return middle > lower && middle < higher ? middle : null
}
