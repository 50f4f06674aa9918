import {
  infiniteQueryOptions,
  keepPreviousData,
  queryOptions,
  useInfiniteQuery,
  useMutation,
  useQueryClient,
} from '@tanstack/react-query'
import { useState } from 'react'
import type { ReplyOf } from '#contract/endpoint.ts'
import { type Category, placeByRankOf } from '#contract/first-visit.ts'
import type { ProjectInput } from '#contract/project-fields.ts'
import { findProject } from '#contract/project-in-list.ts'
import {
  createProject,
  deleteProject,
  emptyTrash,
  listTrash,
  moveProject,
  type ProjectChanges,
  placeInTrashOf,
  removeDeleted,
  restoreProject,
  searchProjects,
  updateProject,
} from '#contract/projects.admin.ts'
import type { Project } from '#contract/projects.ts'
import { CallError, call } from '../../api/call.ts'
import { useLanguage } from '../../language/language.tsx'
import { projectTexts } from '../../site/model/project-texts.ts'
import { withReason } from '../action-error.tsx'
import { callConfirmed } from '../confirmation/confirmed.ts'
import { useNotices } from '../notices.ts'
import { overviewQuery } from '../overview-calls.ts'
import { isSignedOut } from '../session.ts'
import { useAdminTexts } from '../texts.ts'
import { frontPageNews, type Move, moved, type Place } from './project.rules.ts'

const pageSize = 24

export type ProjectSearch = { search: string; category: Category | ''; draft: boolean }

/** The projects that match, in the maker's order, page by page. The rows of the last search stay until the new ones have arrived. */
function projectPagesQuery({ search, category, draft }: ProjectSearch) {
  const words = search.trim()
  const filter = { ...(words && { search: words }), ...(category && { category }), ...(draft && { draft: 'true' as const }) }
  return infiniteQueryOptions({
    queryKey: [searchProjects.path, filter],
    queryFn: ({ pageParam }) =>
      call(searchProjects, { query: { ...filter, limit: String(pageSize), ...(pageParam && { after: pageParam }) } }),
    initialPageParam: '',
    getNextPageParam: ({ projects, count }, pages) => {
      const last = projects.at(-1)
      return last && pages.flatMap((page) => page.projects).length < count ? placeByRankOf(last) : undefined
    },
    placeholderData: keepPreviousData,
  })
}

/** A list of them, and what the front page shows of all. */
export function useProjectPages(search: ProjectSearch) {
  const query = useInfiniteQuery(projectPagesQuery(search))
  const latest = query.data?.pages.at(-1)
  const projects = query.data?.pages.flatMap((page) => page.projects)
  return { query, projects, count: latest?.count ?? 0, frontPage: latest?.frontPage ?? [] }
}

/** What the front page shows under Featured, in its order. */
async function readFrontPage() {
  const { frontPage } = await call(searchProjects, { query: { limit: '1' } })
  const projects = await Promise.all(frontPage.map((id) => loadProject(id)))
  return projects.filter((project) => project !== undefined)
}

/** What the list here says is shown there; nothing where no list could be read. */
export function useListedFrontPage() {
  const cache = useQueryClient()
  return () => {
    const lists = cache.getQueriesData<ProjectPages>({ queryKey: [searchProjects.path], type: 'active' })
    return lists[0]?.[1]?.pages.at(-1)?.frontPage
  }
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
export function useProjectChange<Input, Answer>(change: (input: Input) => Promise<Answer>) {
  const cache = useQueryClient()
  const changed = [searchProjects.path, findProject.path, listTrash.path, ...overviewQuery.queryKey]
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

/** It has been deleted, restored or removed elsewhere meanwhile. */
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

/**
 * Moves are sent one after the other, in the order they were made. `pending` are to be shown as if they were done: one that
 * fails is undone by being forgotten.
 */
export function useMoveProject() {
  const cache = useQueryClient()
  const [pending, setPending] = useState<readonly Move[]>([])
  const mutationKey = [moveProject.path]
  const lists = { queryKey: [searchProjects.path] }
  const { mutateAsync } = useMutation({
    mutationKey,
    scope: { id: moveProject.path },
    mutationFn: async ({ id, place }: Move) => {
      if (place !== 'first') return call(moveProject, { params: { id }, body: place })
      const [first] = (await call(searchProjects, { query: { limit: '1' } })).projects
      return call(moveProject, { params: { id }, body: { before: first?.id ?? id } })
    },
    onSuccess: async (project, { place }) => {
      // One that is being read may be from before this move.
      await cache.cancelQueries(lists)
      cache.setQueriesData<ProjectPages>(lists, (list) => list && { ...list, pages: pagesMoved(list.pages, project, place) })
    },
    onSettled: (_, error) => {
      const isLast = cache.isMutating({ mutationKey }) === 1
      if (isLast && !isSignedOut(error)) void cache.invalidateQueries(lists)
    },
  })
  const move = async (one: Move) => {
    setPending((before) => [...before, one])
    try {
      await mutateAsync(one)
    } finally {
      setPending((before) => before.filter((each) => each !== one))
    }
  }
  return { pending, move }
}

type ProjectPage = ReplyOf<typeof searchProjects>
type ProjectPages = { pages: ProjectPage[]; pageParams: unknown[] }

function pagesMoved(pages: ProjectPage[], project: Project, place: Place) {
  const before = pages.flatMap((page) => page.projects).map((each) => (each.id === project.id ? project : each))
  const projects = moved(before, { id: project.id, place })
  return pages.map((page) => ({ ...page, projects: projects.splice(0, page.projects.length) }))
}

export const trashPagesQuery = infiniteQueryOptions({
  queryKey: [listTrash.path, 'all'],
  queryFn: ({ pageParam }) => call(listTrash, { query: { limit: String(pageSize), ...(pageParam && { after: pageParam }) } }),
  initialPageParam: '',
  getNextPageParam: ({ projects, count }, pages) => {
    const last = projects.at(-1)
    const hasMore = last && pages.flatMap((page) => page.projects).length < count
    return hasMore ? placeInTrashOf(last) : undefined
  },
  // Read anew whenever the trash is opened: it is emptied elsewhere as well, and by time.
  staleTime: 0,
})

export const trashCountQuery = queryOptions({
  queryKey: [listTrash.path, 'count'],
  queryFn: async () => (await call(listTrash, { query: { limit: '1' } })).count,
})

export function useRemoveDeleted() {
  return useProjectChange((id: string) => call(removeDeleted, { params: { id } }))
}

export function useEmptyTrash() {
  return useProjectChange((upTo: string) => callConfirmed(emptyTrash, { query: { upTo } }))
}

/** What the front page shows since a project was featured or no longer, where that is more than this one. */
export function useFrontPageNews() {
  const t = useAdminTexts()
  const { language } = useLanguage()
  return async (project: Project, before: readonly string[] | undefined) => {
    // The project is changed all the same when this cannot be read.
    const shown = await readFrontPage().catch(() => undefined)
    const news =
      shown &&
      frontPageNews(
        project,
        before,
        shown.map(({ id }) => id),
      )
    if (!news) return undefined
    // Below each other: there may be commas in a title.
    const titles = shown.map((each) => `· ${projectTexts(each, language).title}`).join('\n')
    return news === 'not_shown' ? t.projects.frontPageWithout(titles) : t.projects.frontPageNow(titles)
  }
}

/** Takes a project out of the trash and says where it is. Answers whether it is there again. */
export function useRestore() {
  const t = useAdminTexts()
  const notices = useNotices()
  const { language } = useLanguage()
  const { mutateAsync, isPending, variables } = useRestoreProject()
  const restore = async (project: Project) => {
    const { title } = projectTexts(project, language)
    try {
      await mutateAsync(project.id)
    } catch (error) {
      notices.failed(error, isGone(error) ? t.projects.notInTrash : withReason(t.projects.restoreFailed, error, t))
      return false
    }
    notices.done(project.draft ? t.projects.restoredDraft(title) : t.projects.restored(title))
    return true
  }
  return { restore, restoring: isPending ? variables : undefined }
}
