import type { NamedProjects } from '#contract/problems.ts'

/** `“Galleon”, “Tender” and 4 others`; empty when nothing is named. */
export function titlesEn({ projects, others, site }: NamedProjects) {
  return inWords(
    [
      ...projects.map((title) => `“${title}”`),
      others > 0 && (others === 1 ? 'one other' : `${others.toLocaleString('en')} others`),
      site && 'the site itself',
    ],
    'and',
  )
}

/** `«Galeón», «Ténder» y otros 4`; empty when nothing is named. */
export function titlesEs({ projects, others, site }: NamedProjects) {
  return inWords(
    [
      ...projects.map((title) => `«${title}»`),
      others > 0 && (others === 1 ? 'otro más' : `otros ${others.toLocaleString('es-MX')}`),
      site && 'la propia página',
    ],
    'y',
  )
}

function inWords(named: readonly (string | false | undefined)[], and: string) {
  const all = named.filter((name) => typeof name === 'string')
  return all.length > 1 ? `${all.slice(0, -1).join(', ')} ${and} ${all.at(-1)}` : (all[0] ?? '')
}
