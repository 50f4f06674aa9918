import { useCallback, useRef, useState, useSyncExternalStore } from 'react'
import { flushSync } from 'react-dom'
import { layOutAll } from '../fresh-visit.ts'
import { navigate, onNavigation, queryNow } from './navigate.ts'
import { isProjectDialogLoaded } from './project-dialog-loader.ts'

/** Opens a project; from the photo it was reached for at, if that is shown. */
export type OpenProject = (id: string, photo?: HTMLImageElement | null) => void

/**
 * Which project is open is part of the address: it can be shared, and going back closes it. Moving between projects
 * while one is open does not lengthen the way back.
 */
export function useOpenProject(arrivedWith: string | undefined) {
  const openedHere = useRef(false)
  // The server has rendered every project it knows: one it did not open does not exist, and is not fetched.
  const [unknown] = useState(() => (arrivedWith || typeof location === 'undefined' ? null : projectNow()))
  const named = useSyncExternalStore(onNavigation, projectNow, () => arrivedWith ?? null)
  const openId = named === unknown ? null : named

  const open: OpenProject = useCallback((id, photo) => {
    const alreadyOpen = projectNow() !== null
    if (!alreadyOpen) openedHere.current = true
    // The history remembers the place by its distance from the top.
    layOutAll()
    growFrom(photo, () => navigate({ project: id }, { replace: alreadyOpen }))
  }, [])
  /** `goingOn`: to another section. Then the history keeps the place where the project was opened. */
  const close = useCallback((goingOn?: boolean) => {
    if (openedHere.current && !goingOn) history.back()
    else navigate({ project: undefined }, { replace: true })
    openedHere.current = false
  }, [])

  return { openId, open, close }
}

const projectNow = () => queryNow().get('project')

/** The photo grows into the one of the open project, where the browser can do that and the visitor likes motion. */
function growFrom(photo: HTMLImageElement | null | undefined, open: () => void) {
  const still = matchMedia('(prefers-reduced-motion: reduce)').matches
  if (!photo || still || !isProjectDialogLoaded() || !document.startViewTransition) return open()
  photo.style.viewTransitionName = 'model'
  document.startViewTransition(() => {
    photo.style.viewTransitionName = ''
    flushSync(open)
    // The small copy is there already: it stands in for the large one until that has arrived.
    const grown = document.querySelector<HTMLElement>('[role="dialog"] img')
    if (grown) grown.style.backgroundImage = `url("${photo.currentSrc}")`
  })
}
