import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { type Category, listProjects } from '#contract/projects.ts'
import { call } from './call.ts'

export type Filter = Category | 'all'

/** The projects of one category; `all` asks without one. */
export function projectsQuery(filter: Filter = 'all') {
  const query = filter === 'all' ? {} : { category: filter }
  return queryOptions({
    queryKey: [listProjects.path, query],
    queryFn: () => call(listProjects, { query }),
    placeholderData: keepPreviousData,
  })
}
