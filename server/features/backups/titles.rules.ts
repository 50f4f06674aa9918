import type { NamedProjects } from '#contract/named-projects.ts'

const mostNamed = 3

/** The first few by their titles, and how many there are besides. */
export function namedProjects(titles: readonly string[]): NamedProjects {
  return { projects: titles.slice(0, mostNamed), others: Math.max(0, titles.length - mostNamed) }
}
