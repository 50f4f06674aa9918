import { useCallback, useRef, useSyncExternalStore } from 'react'
import { layOutAll } from '../../fresh-visit.ts'
import type { ListedProject } from '../../page.ts'
import { navigate, onNavigation, queryNow } from '../page/navigate.ts'
import { loadedProjectDialog } from './project-dialog-loader.ts'

/** Opens a project; from the photo it was reached for at, if that is shown. */
export type OpenProject = (slug: string, photo?: HTMLImageElement | null) => void

/** Prepares for a project being opened. */
export type ReachForProject = (project: ListedProject) => void

/**
 * Which project is open is part of the address: it can be shared, and going back closes it. Moving between projects
 * while one is open does not lengthen the way back.
 */
export function useOpenProject(arrivedWith: string | undefined) {
  const openedHere = useRef(false)
  const openSlug = useSyncExternalStore(onNavigation, projectNow, () => arrivedWith ?? null)

  const open: OpenProject = useCallback((slug, photo) => {
    // Cards are out of reach while a project is open: what the address of this visit names is gone, and is given up.
    const isFromCard = photo !== undefined
    if (isFromCard && projectNow() && !openedHere.current) navigate({ project: undefined }, { replace: true })
    const alreadyOpen = projectNow() !== null
    if (!alreadyOpen) openedHere.current = true
    // The history remembers the place by its distance from the top.
    layOutAll()
    const show = () => navigate({ project: slug }, { replace: alreadyOpen })
    const dialog = loadedProjectDialog()
    if (photo && dialog) dialog.growFrom(photo, show)
    else show()
  }, [])
  /** `goingOn`: to another section. Then the history keeps the place where the project was opened. */
  const close = useCallback((goingOn?: boolean) => {
    if (openedHere.current && !goingOn) history.back()
    else navigate({ project: undefined }, { replace: true })
    openedHere.current = false
  }, [])

  return { openSlug, open, close }
}

/** In place of a name that leads nowhere: all such addresses share a page, which does not know them. */
export const unknownName = '?'

const projectNow = () => queryNow().get('project') || null
