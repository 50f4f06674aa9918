import { useState } from 'react'
import { addressed } from '#contract/endpoint.ts'
import { type Category, countsPath, galleryPage, placeByRankOf, projectsPath } from '#contract/first-visit.ts'
import type { countProjects, listProjects, ProjectCounts } from '#contract/projects.ts'
import type { ListedProject, PageState } from '../page.ts'
import { type Cache, type Read, useRead } from './cache.ts'
import { call } from './call.ts'

export type Filter = Category | 'all'

const listing = addressed<typeof listProjects>('GET', projectsPath)
const counting = addressed<typeof countProjects>('GET', countsPath)

export const categoryOf = (filter: Filter) => (filter === 'all' ? {} : { category: filter })
/** What Featured has just shown comes last in the gallery of all. */
const queryOf = (filter: Filter) => ({ ...categoryOf(filter), featured: 'last' as const, limit: String(galleryPage) })

/** The projects of one category, with the pages loaded so far. */
export function projectsRead(filter: Filter = 'all'): Read<ListedProject[]> {
  return { key: `${projectsPath} ${filter}`, fetch: () => call(listing, { query: queryOf(filter) }) }
}

/** While a list is loading, the previous one stays. */
export function useProjects(filter: Filter) {
  const { data, isFetching, isError } = useRead(projectsRead(filter))
  const [shown, setShown] = useState(data)
  if (data && data !== shown) setShown(data)
  return { projects: data ?? (isError ? undefined : shown), isFetching, isError }
}

/** Appends the page after the last project, unless the list was read again meanwhile. */
export async function addOlderProjects(cache: Cache, filter: Filter, last: ListedProject) {
  const older = await call(listing, { query: { ...queryOf(filter), after: placeByRankOf(last) } })
  const read = projectsRead(filter)
  const { data: shown } = cache.get(read)
  if (shown?.at(-1)?.id !== last.id) return
  // What Featured shows may have changed meanwhile.
  const added = older.filter(({ id }) => shown.every((each) => each.id !== id))
  cache.put(read, [...shown, ...added])
}

export const countsRead: Read<ProjectCounts> = { key: countsPath, fetch: () => call(counting) }

/** With the data that the server has sent with the page. */
export function fillCache(cache: Cache, { category, projects, counts }: PageState) {
  cache.put(projectsRead(category), projects)
  cache.put(countsRead, counts)
}
