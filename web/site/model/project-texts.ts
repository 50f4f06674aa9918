import type { Language } from '#contract/languages.ts'
import type { TranslatedField } from '#contract/project-fields.ts'
import type { Project } from '#contract/projects.ts'
import type { ListedProject } from '../../page.ts'

/** A project's words in the visitor's language; what has no translation stays in the site's own. */
export function projectTexts(project: ListedProject, language: Language) {
  const { title, description, materials, techniques } = project
  const own: Pick<Project, TranslatedField> = { title, description, materials, techniques }
  const translated = Object.entries(project.translations[language] ?? {}).filter(([, text]) => text)
  return { ...own, ...Object.fromEntries(translated) } as typeof own
}

/** The beginning of a text, up to a word. One whose first word is too long is left out. */
export function beginningOf(text: string, most: number) {
  if (text.length <= most) return text
  const end = text.slice(0, most + 1).search(/\s\S*$/)
  return end > 0 ? `${text.slice(0, end).replace(/[\s.,;:–—-]+$/, '')}…` : ''
}
