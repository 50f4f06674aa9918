import { keepPreviousData, type QueryClient, queryOptions } from '@tanstack/react-query'
import { placeOf } from '#contract/paging.ts'
import { type Category, countProjects, galleryPage, listProjects, type Project } from '#contract/projects.ts'
import type { PageState } from '../page.ts'
import { call } from './call.ts'

export type Filter = Category | 'all'

export const categoryOf = (filter: Filter) => (filter === 'all' ? {} : { category: filter })
const queryOf = (filter: Filter) => ({ ...categoryOf(filter), limit: String(galleryPage) })

/** The newest projects of one category, and those that were asked for after them; `all` asks without a category. */
export function projectsQuery(filter: Filter = 'all') {
  const query = queryOf(filter)
  return queryOptions({
    queryKey: [listProjects.path, query],
    queryFn: () => call(listProjects, { query }),
    placeholderData: keepPreviousData,
  })
}

/** Lengthens such a list by the page that follows its last project, unless it has been read anew meanwhile. */
export async function addOlderProjects(cache: QueryClient, filter: Filter, last: Project) {
  const older = await call(listProjects, { query: { ...queryOf(filter), after: placeOf(last) } })
  cache.setQueryData(projectsQuery(filter).queryKey, (shown) => (shown?.at(-1)?.id === last.id ? [...shown, ...older] : shown))
}

export const countsQuery = queryOptions({ queryKey: [countProjects.path], queryFn: () => call(countProjects) })

/** What the server has sent along need not be asked for. */
export function fillCache(cache: QueryClient, { projects, counts }: PageState) {
  cache.setQueryData(projectsQuery().queryKey, projects)
  cache.setQueryData(countsQuery.queryKey, counts)
}
