import type { Language } from '#contract/languages.ts'
import type { Project } from '#contract/projects.ts'

export function titleIn(language: Language, { title, titleEs }: Project) {
  return language === 'es' ? (titleEs ?? title) : title
}

/** Something that is told in the site's own language is not told in Spanish. */
export function spanishIncomplete(project: Project) {
  const pairs = [
    [project.title, project.titleEs],
    [project.description, project.descriptionEs],
    [project.materials, project.materialsEs],
    [project.techniques, project.techniquesEs],
  ]
  return pairs.some(([text, spanish]) => text && !spanish)
}

/** A bare number is hours; anything else says what it says. */
export function timeText(timeSpent: string | null, t: { unknown: string; hours(count: string): string }) {
  if (!timeSpent) return t.unknown
  return /^\d+([.,]\d+)?$/.test(timeSpent) ? t.hours(timeSpent) : timeSpent
}
