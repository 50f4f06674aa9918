import { useEffect, useEffectEvent } from 'react'
import { addressed } from '#contract/endpoint.ts'
import { projectPath } from '#contract/first-visit.ts'
import type { findProject, ProjectInList } from '#contract/project-in-list.ts'
import { type Read, useCache, useRead } from '../../api/cache.ts'
import { CallError, call } from '../../api/call.ts'
import { categoryOf, countsRead, type Filter, projectsRead } from '../../api/project-lists.ts'
import type { ListedProject } from '../../page.ts'
import { queryNow } from '../page/navigate.ts'
import { countOf, placeIn, shownFor } from './place-in-list.rules.ts'

const finding = addressed<typeof findProject>('GET', projectPath)

/** A project by a present or former slug, with its neighbours in the category, or in all if it is of another one. */
export function inListRead(slug: string, filter: Filter): Read<ProjectInList | 'gone'> {
  const fetch = () => call(finding, { params: { id: slug }, query: categoryOf(filter) }).catch(goneOrThrow)
  return { key: `${projectPath} ${slug} ${filter}`, fetch }
}

function goneOrThrow(error: unknown) {
  if (error instanceof CallError && error.status === 404) return 'gone' as const
  throw error
}

/** The `project` of the address when the page was loaded: an id, a present or former slug, or an unknown one. */
export const initialSlug = typeof location === 'undefined' ? null : queryNow().get('project')

type Options = { slug: string; filter: Filter; arrived: ProjectInList | undefined; featured: ListedProject[] }

/** A project with its photos and its place in the list, from the loaded lists or from the server. */
export function usePlace({ slug, filter, arrived, featured }: Options) {
  const { data: all = [] } = useRead(projectsRead())
  const { data: filtered = [] } = useRead(projectsRead(filter))
  const { data: counts } = useRead(countsRead)
  const isOpenProject = (project: ListedProject) => project.slug === slug
  const among = filtered.some(isOpenProject) ? filter : 'all'
  const loaded = among === filter ? filtered : all
  const atHand = placeIn(loaded, countOf(loaded.length, counts?.[among]), slug)
  const listed = [...loaded, ...featured].find(isOpenProject)
  const sentAlong = arrived && [arrived.project.slug, initialSlug].includes(slug) ? arrived : undefined
  const isComplete = atHand && (listed?.photos ?? listed?.photoCount === 0)
  const read = inListRead(slug, filter)
  const { data = sentAlong, isFetching, isError } = useRead(read, false)
  const cache = useCache()
  // Also if it is there or prefetched: the site counts by this call that it was opened.
  const readNow = useEffectEvent(() => void (sentAlong || cache.read(read)))
  useEffect(() => {
    if (slug) readNow()
  }, [slug])
  const answered = data === 'gone' ? undefined : data
  return {
    isGone: data === 'gone',
    project: answered?.project ?? listed,
    // Previous and next stay within the category, also beyond what is loaded of it.
    place: among === filter ? (atHand ?? answered) : (answered ?? atHand),
    loaded,
    shown: shownFor(filtered.length),
    read,
    answered,
    hasFailed: isError && !isFetching && !isComplete && !data,
  }
}
