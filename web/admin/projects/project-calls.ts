import { infiniteQueryOptions, keepPreviousData, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import type { Category } from '#contract/gallery.ts'
import { placeOf } from '#contract/places.ts'
import type { ProjectInput } from '#contract/project-fields.ts'
import { findProject } from '#contract/project-in-list.ts'
import {
  createProject,
  deleteProject,
  type ProjectChanges,
  restoreProject,
  searchProjects,
  updateProject,
} from '#contract/projects.admin.ts'
import { CallError, call } from '../../api/call.ts'
import { overviewQuery } from '../overview-calls.ts'
import { isSignedOut } from '../session.ts'

const pageSize = 24

export type ProjectSearch = { search: string; category: Category | '' }

/** The projects that match, newest first, page by page. The rows of the last search stay until the new ones have arrived. */
export function projectPagesQuery({ search, category }: ProjectSearch) {
  const wanted = { ...(search.trim() && { search: search.trim() }), ...(category && { category }) }
  return infiniteQueryOptions({
    queryKey: [searchProjects.path, wanted],
    queryFn: ({ pageParam }) =>
      call(searchProjects, { query: { ...wanted, limit: String(pageSize), ...(pageParam && { after: pageParam }) } }),
    initialPageParam: '',
    getNextPageParam: ({ projects, count }, pages) => {
      const last = projects.at(-1)
      return last && pages.flatMap((page) => page.projects).length < count ? placeOf(last) : undefined
    },
    placeholderData: keepPreviousData,
  })
}

/** One project as it is now; undefined when it is gone. */
async function loadProject(id: string) {
  try {
    return (await call(findProject, { params: { id }, query: {} })).project
  } catch (error) {
    if (isGone(error)) return undefined
    throw error
  }
}

export function projectQuery(id: string) {
  return queryOptions({ queryKey: [findProject.path, id], queryFn: async () => (await loadProject(id)) ?? null })
}

/**
 * A change of projects. Every list of them that is shown is read again before the change counts as finished, and also
 * when it failed: most likely the list here was out of date.
 */
function useProjectChange<Given, Answer>(change: (given: Given) => Promise<Answer>) {
  const cache = useQueryClient()
  const changed = [searchProjects.path, findProject.path, ...overviewQuery.queryKey]
  return useMutation({
    mutationFn: change,
    onSettled: (_, error) =>
      // A call without a session would only be refused again, on the way to the sign-in page.
      isSignedOut(error) ? undefined : Promise.all(changed.map((path) => cache.invalidateQueries({ queryKey: [path] }))),
  })
}

type Saving = { id: string | undefined; version: number; body: ProjectInput }

/** Creates a project when there is no id. Refused when the project has another version by now. */
export function useSaveProject() {
  return useProjectChange(({ id, version, body }: Saving) =>
    id ? call(updateProject, { params: { id }, body: { ...body, version } }) : call(createProject, { body }),
  )
}

/** The save was refused because the project has been changed since it was opened. */
export function isOutdated(error: unknown) {
  return error instanceof CallError && error.problem?.code === 'project_changed'
}

/** It has been deleted since. */
export function isGone(error: unknown) {
  return error instanceof CallError && error.problem?.code === 'project_not_found'
}

export function useRestoreProject() {
  return useProjectChange((id: string) => call(restoreProject, { params: { id } }))
}

export function useLoadProject() {
  return useMutation({ mutationFn: (id: string) => loadProject(id) })
}

export function useChangeProject(id: string) {
  return useProjectChange((body: ProjectChanges) => call(updateProject, { params: { id }, body }))
}

export function useDeleteProject() {
  return useProjectChange((id: string) => call(deleteProject, { params: { id } }))
}
