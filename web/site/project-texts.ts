import type { Language } from '#contract/languages.ts'
import type { Project } from '#contract/projects.ts'

/** A project's words in the visitor's language; what has no translation is told in the site's own. */
export function projectTexts(project: Project, language: Language) {
  const { title, description, materials, techniques } = project
  if (language === 'en') return { title, description, materials, techniques }
  return {
    title: project.titleEs ?? title,
    description: project.descriptionEs ?? description,
    materials: project.materialsEs ?? materials,
    techniques: project.techniquesEs ?? techniques,
  }
}

/** "120" is hours; anything else says what it says. */
export function timeSpentText(timeSpent: string, hours: (count: string) => string, language: Language) {
  const count = Number(timeSpent)
  if (timeSpent.trim() === '' || !Number.isFinite(count) || Math.abs(count) > Number.MAX_SAFE_INTEGER) return timeSpent
  return hours(new Intl.NumberFormat(language === 'es' ? 'es-MX' : 'en').format(count))
}
