import type { NamedProjects } from '#contract/named-projects.ts'

/** `“Galleon”, “Tender” and 4 others` */
export function titlesEn({ projects, others }: NamedProjects) {
  return inWords(
    projects.map((title) => `“${title}”`),
    others > 0 ? (others === 1 ? 'one other' : `${others.toLocaleString('en')} others`) : undefined,
    'and',
  )
}

/** `«Galeón», «Ténder» y otros 4` */
export function titlesEs({ projects, others }: NamedProjects) {
  return inWords(
    projects.map((title) => `«${title}»`),
    others > 0 ? (others === 1 ? 'otro más' : `otros ${others.toLocaleString('es-MX')}`) : undefined,
    'y',
  )
}

function inWords(named: readonly string[], rest: string | undefined, and: string) {
  const all = rest ? [...named, rest] : named
  return all.length > 1 ? `${all.slice(0, -1).join(', ')} ${and} ${all.at(-1)}` : (all[0] ?? '')
}
