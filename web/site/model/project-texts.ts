import type { Language } from '#contract/languages.ts'
import type { ListedProject } from '../../page.ts'

/** A project's words in the visitor's language; what has no translation stays in the site's own. */
export function projectTexts(project: ListedProject, language: Language) {
  const { title, description, materials, techniques } = project
  if (language === 'en') return { title, description, materials, techniques }
  return {
    title: project.titleEs ?? title,
    description: project.descriptionEs ?? description,
    materials: project.materialsEs ?? materials,
    techniques: project.techniquesEs ?? techniques,
  }
}

/** Digits, with decimals behind a point. `1e3`, `1,5` and numbers too long to be exact are texts. */
const plainNumber = /^(?=.)\d{0,15}(\.\d{1,15})?$/

/** "120" is hours; anything else says what it says. */
export function timeSpentText(timeSpent: string, hours: (count: string) => string, language: Language) {
  if (!plainNumber.test(timeSpent)) return timeSpent
  return hours(new Intl.NumberFormat(language === 'es' ? 'es-MX' : 'en').format(Number(timeSpent)))
}
