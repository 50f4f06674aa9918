import {
  infiniteQueryOptions,
  keepPreviousData,
  queryOptions,
  useInfiniteQuery,
  useMutation,
  useQueryClient,
} from '@tanstack/react-query'
import { useState } from 'react'
import { type Category, placeByRankOf } from '#contract/first-visit.ts'
import { readOverview } from '#contract/overview.ts'
import { findProject } from '#contract/project-in-list.ts'
import {
  type ChangedProject,
  listTrash,
  moveProject,
  placeInTrashOf,
  restoreProject,
  searchProjects,
} from '#contract/projects.admin.ts'
import type { Project } from '#contract/projects.ts'
import { call } from '../../api/call.ts'
import { useLanguage } from '../../language/language.tsx'
import { withReason } from '../action-error.tsx'
import { useChange } from '../changes.ts'
import { useNotices } from '../notices.ts'
import { isRefusedAs, isSignedOut } from '../session.ts'
import { useAdminTexts } from '../texts.ts'
import { frontPageNews, type Move, titleOf } from './project.rules.ts'

const pageSize = 24

function nextPage<One>(cursorOf: (last: One) => string) {
  return ({ projects, count }: { projects: One[]; count: number }, pages: { projects: One[] }[]) => {
    const last = projects.at(-1)
    return last && pages.flatMap((page) => page.projects).length < count ? cursorOf(last) : undefined
  }
}

export type ProjectSearch = { search: string; category: Category | ''; draft: boolean }

/** The matching projects in the maker's order, page by page. The previous rows stay until the new ones arrive. */
export function useProjectPages({ search, category, draft }: ProjectSearch) {
  const words = search.trim()
  const filter = { ...(words && { search: words }), ...(category && { category }), ...(draft && { draft: 'true' as const }) }
  const query = useInfiniteQuery({
    queryKey: [searchProjects.path, filter],
    queryFn: ({ pageParam }) =>
      call(searchProjects, { query: { ...filter, limit: String(pageSize), ...(pageParam && { after: pageParam }) } }),
    initialPageParam: '',
    getNextPageParam: nextPage(placeByRankOf),
    placeholderData: keepPreviousData,
  })
  const latest = query.data?.pages.at(-1)
  const projects = query.data?.pages.flatMap((page) => page.projects)
  return { query, projects, count: latest?.count ?? 0, frontPage: latest?.frontPage ?? [] }
}

export async function loadProject(id: string) {
  try {
    return (await call(findProject, { params: { id }, query: {} })).project
  } catch (error) {
    if (isGone(error)) return undefined
    throw error
  }
}

const lists = [searchProjects.path, listTrash.path, readOverview.path]

export function useProjectChange<Input, Answer>(change: (input: Input) => Promise<Answer>) {
  return useChange(change, lists)
}

export const withFrontPage = { with: 'frontPage' } as const

/** The save was refused because the project has been changed since it was opened. */
export function isOutdated(error: unknown) {
  return isRefusedAs(error, 'project_changed')
}

/** Deleted, restored or removed in the meantime. */
export function isGone(error: unknown) {
  return isRefusedAs(error, 'project_not_found')
}

export function useRestoreProject() {
  return useProjectChange((id: string) => call(restoreProject, { params: { id } }))
}

/** Moves are sent in order. `pending` is shown as done until the lists are read again, after the last of them. */
export function useMoveProject() {
  const cache = useQueryClient()
  const [pending, setPending] = useState<readonly Move[]>([])
  const mutationKey = [moveProject.path]
  const { mutateAsync } = useMutation({
    mutationKey,
    scope: { id: moveProject.path },
    mutationFn: async ({ id, place }: Move) => {
      if (place !== 'first') return call(moveProject, { params: { id }, body: place })
      const [first] = (await call(searchProjects, { query: { limit: '1' } })).projects
      return call(moveProject, { params: { id }, body: { before: first?.id ?? id } })
    },
    onSettled: async (_, error, one) => {
      if (cache.isMutating({ mutationKey }) > 1 || isSignedOut(error)) return
      const done = () => setPending((before) => before.slice(before.indexOf(one) + 1))
      // Where the lists cannot be read, what was moved stays where it is now.
      const read = cache.invalidateQueries({ queryKey: [searchProjects.path] }, { throwOnError: !error })
      await read.then(done, () => {})
    },
  })
  const move = (one: Move) => {
    setPending((before) => [...before, one])
    return mutateAsync(one)
  }
  return { pending, move }
}

export const trashPagesQuery = infiniteQueryOptions({
  queryKey: [listTrash.path, 'all'],
  queryFn: ({ pageParam }) => call(listTrash, { query: { limit: String(pageSize), ...(pageParam && { after: pageParam }) } }),
  initialPageParam: '',
  getNextPageParam: nextPage(placeInTrashOf),
  // Never cached: other tabs and the retention job empty the trash.
  staleTime: 0,
})

export const trashCountQuery = queryOptions({
  queryKey: [listTrash.path, 'count'],
  queryFn: async () => (await call(listTrash, { query: { limit: '1' } })).count,
})

/** The change of the front page after a change, if it concerns other projects. */
export function useFrontPageNews() {
  const t = useAdminTexts()
  const { language } = useLanguage()
  return (changed: ChangedProject) => {
    const news = frontPageNews(changed)
    if (!news || !changed.frontPage) return undefined
    // Below each other: there may be commas in a title.
    const titles = changed.frontPage.shown
      .map(({ title, translations }) => `· ${translations[language]?.title || title}`)
      .join('\n')
    return news === 'not_shown' ? t.projects.frontPageWithout(titles) : t.projects.frontPageNow(titles)
  }
}

/** Restores a project and shows a notice. Resolves to undefined when it failed. */
export function useRestore() {
  const t = useAdminTexts()
  const notices = useNotices()
  const { language } = useLanguage()
  const { mutateAsync, isPending, variables } = useRestoreProject()
  const failed = (error: unknown) => (isGone(error) ? t.projects.notInTrash : withReason(t.projects.restoreFailed, error, t))
  const restore = async (project: Project) => {
    const restored = await notices.attempt(mutateAsync(project.id), failed)
    const title = titleOf(project, language, t)
    if (restored) notices.done(project.draft ? t.projects.restoredDraft(title) : t.projects.restored(title))
    return restored
  }
  return { restore, restoring: isPending ? variables : undefined }
}
