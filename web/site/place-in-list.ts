import { addressed } from '#contract/endpoint.ts'
import { projectPath } from '#contract/gallery.ts'
import type { findProject, ProjectInList } from '#contract/project-in-list.ts'
import { type Read, useRead } from '../api/cache.ts'
import { call } from '../api/call.ts'
import { categoryOf, countsRead, type Filter, projectsRead } from '../api/projects.ts'
import type { ListedProject } from '../page.ts'
import { countOf, placeIn } from './place-in-list.rules.ts'

const finding = addressed<typeof findProject>('GET', projectPath)

/** A project among those of the category, or among all if it is of another. */
export function inListRead(id: string, filter: Filter): Read<ProjectInList> {
  return { key: `${projectPath} ${id} ${filter}`, fetch: () => call(finding, { params: { id }, query: categoryOf(filter) }) }
}

type Wanted = { id: string; filter: Filter; arrived: ProjectInList | undefined; featured: ListedProject[] }

/** A project and its place in the list, from the loaded lists where they tell it, else from the server. */
export function usePlace({ id, filter, arrived, featured }: Wanted) {
  const { data: all = [] } = useRead(projectsRead())
  const { data: filtered = [] } = useRead(projectsRead(filter))
  const { data: counts } = useRead(countsRead)
  const isWanted = (project: ListedProject) => project.id === id
  const among = filtered.some(isWanted) ? filter : 'all'
  const loaded = among === filter ? filtered : all
  const atHand = placeIn(loaded, countOf(loaded.length, counts?.[among]), id)
  const sentAlong = arrived?.project.id === id ? arrived : undefined
  const { data: answered = sentAlong } = useRead(inListRead(id, filter), !atHand && !sentAlong)
  // Previous and next stay within the category, also beyond what is loaded of it.
  const place = among === filter ? (atHand ?? answered) : (answered ?? atHand)
  return { project: place?.project ?? [...loaded, ...featured].find(isWanted), place, loaded }
}
