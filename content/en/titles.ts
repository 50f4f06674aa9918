import type { NamedProjects } from '#contract/problems.ts'
import { inWords } from '../in-words.ts'

/** `“Galleon”, “Tender” and 4 others`; empty when nothing is named. */
export function titles({ projects, others, site }: NamedProjects) {
  return inWords(
    [
      ...projects.map((title) => `“${title}”`),
      others > 0 && (others === 1 ? 'one other' : `${others.toLocaleString('en')} others`),
      site && 'the site itself',
    ],
    'and',
  )
}
