import type { Language } from '#contract/languages.ts'
import type { Category, Project } from '#contract/projects.ts'

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

/** The projects that have all the words somewhere in their names or facts, whatever the accents and capitals. */
export function matching(projects: readonly Project[], words: string, category: Category | '') {
  const wanted = plain(words).split(/\s+/).filter(Boolean)
  return projects.filter((project) => {
    if (category && project.category !== category) return false
    const { title, titleEs, scale, materials, materialsEs } = project
    const told = plain([title, titleEs, scale, materials, materialsEs].filter(Boolean).join(' '))
    return wanted.every((word) => told.includes(word))
  })
}

function plain(text: string) {
  return text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()
}

/** A bare number is hours; anything else says what it says. */
export function timeText(timeSpent: string | null, t: { unknown: string; hours(count: string): string }) {
  if (!timeSpent) return t.unknown
  return /^\d+([.,]\d+)?$/.test(timeSpent) ? t.hours(timeSpent) : timeSpent
}
