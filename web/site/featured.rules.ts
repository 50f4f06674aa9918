import type { Project } from '#contract/projects.ts'

const most = 4

/** The featured projects, newest first; where none is featured, the newest ones. */
export function featuredOf(projects: readonly Project[]) {
  const featured = projects.filter((project) => project.featured)
  return (featured.length > 0 ? featured : projects).slice(0, most)
}
