import { keepPreviousData, type QueryClient, queryOptions } from '@tanstack/react-query'
import { addressed } from '#contract/endpoint.ts'
import { type Category, countsPath, galleryPage, projectsPath } from '#contract/gallery.ts'
import { placeOf } from '#contract/places.ts'
import type { countProjects, listProjects, Project } from '#contract/projects.ts'
import type { PageState } from '../page.ts'
import { call } from './call.ts'

export type Filter = Category | 'all'

const listing = addressed<typeof listProjects>('GET', projectsPath)
const counting = addressed<typeof countProjects>('GET', countsPath)

export const categoryOf = (filter: Filter) => (filter === 'all' ? {} : { category: filter })
const queryOf = (filter: Filter) => ({ ...categoryOf(filter), limit: String(galleryPage) })

/** The newest projects of one category, and the pages that were added; `all` means no category. */
export function projectsQuery(filter: Filter = 'all') {
  const query = queryOf(filter)
  return queryOptions({
    queryKey: [projectsPath, query],
    queryFn: () => call(listing, { query }),
    placeholderData: keepPreviousData,
  })
}

/** Lengthens such a list by the page that follows its last project, unless it has been read anew meanwhile. */
export async function addOlderProjects(cache: QueryClient, filter: Filter, last: Project) {
  const older = await call(listing, { query: { ...queryOf(filter), after: placeOf(last) } })
  cache.setQueryData(projectsQuery(filter).queryKey, (shown) => (shown?.at(-1)?.id === last.id ? [...shown, ...older] : shown))
}

export const countsQuery = queryOptions({ queryKey: [countsPath], queryFn: () => call(counting) })

/** What the server has sent with the page need not be fetched. */
export function fillCache(cache: QueryClient, { category, projects, counts }: PageState) {
  cache.setQueryData(projectsQuery(category).queryKey, projects)
  cache.setQueryData(countsQuery.queryKey, counts)
}
