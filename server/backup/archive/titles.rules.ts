import type { NamedProjects } from '#contract/named-projects.ts'

const mostNamed = 3

/** The first few by their titles, and how many there are besides; and whether the site itself is one of the owners. */
export function namedProjects(titles: readonly string[], isOfSite: boolean): NamedProjects {
  const projects = titles.slice(0, mostNamed)
  return { projects, others: titles.length - projects.length, ...(isOfSite && { site: true }) }
}
