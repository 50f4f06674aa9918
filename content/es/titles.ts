import type { NamedProjects } from '#contract/problems.ts'
import { inWords } from '../in-words.ts'

/** `«Galeón», «Ténder» y otros 4`; empty when nothing is named. */
export function titles({ projects, others, site }: NamedProjects) {
  return inWords(
    [
      ...projects.map((title) => `«${title}»`),
      others > 0 && (others === 1 ? 'otro más' : `otros ${others.toLocaleString('es-MX')}`),
      site && 'la propia página',
    ],
    'y',
  )
}
