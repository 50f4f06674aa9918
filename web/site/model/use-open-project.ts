import { useCallback, useRef, useSyncExternalStore } from 'react'
import { layOutAll } from '../../fresh-visit.ts'
import type { ListedProject } from '../../page.ts'
import { navigate, onNavigation, queryNow } from '../page/navigate.ts'
import { loadedProjectDialog } from './project-dialog-loader.ts'

/** Opens a project; with the photo to animate from, if any. */
export type OpenProject = (slug: string, photo?: HTMLImageElement | null) => void

/** Prefetches a project. */
export type ReachForProject = (project: ListedProject) => void

/**
 * The open project is part of the address: it can be shared, and Back closes it. Moving to another project replaces the
 * entry in the history.
 */
export function useOpenProject(arrivedWith: string | undefined) {
  const openedHere = useRef(false)
  const openSlug = useSyncExternalStore(onNavigation, projectNow, () => arrivedWith ?? null)

  const open: OpenProject = useCallback((slug, photo) => {
    // Cards cannot be reached while a project is open: the address names one that does not exist, and is dropped.
    const isFromCard = photo !== undefined
    if (isFromCard && projectNow() && !openedHere.current) navigate({ project: undefined }, { replace: true })
    const alreadyOpen = projectNow() !== null
    if (!alreadyOpen) openedHere.current = true
    // The history stores the scroll position, which needs the final heights.
    layOutAll()
    const show = () => navigate({ project: slug }, { replace: alreadyOpen })
    const dialog = loadedProjectDialog()
    if (photo && dialog) dialog.growFrom(photo, show)
    else show()
  }, [])
  /** `goingOn`: to another section. Then the history keeps the entry of the open project's page. */
  const close = useCallback((goingOn?: boolean) => {
    if (openedHere.current && !goingOn) history.back()
    else navigate({ project: undefined }, { replace: true })
    openedHere.current = false
  }, [])

  return { openSlug, open, close }
}

/** Stands for every slug that does not exist: they share one cached page. */
export const unknownName = '?'

const projectNow = () => queryNow().get('project') || null
