import { useCallback, useRef, useState } from 'react'
import { useLocation, useSearch } from 'wouter'

/**
 * Which project is open is part of the address: it can be shared, and going back closes it. Moving between projects
 * while one is open does not lengthen the way back.
 */
export function useOpenProject(arrivedWith: string | undefined) {
  const search = useSearch()
  const [, navigate] = useLocation()
  const openedHere = useRef(false)
  // The server opens what it knows: what the address names besides is not there, and need not be asked for.
  const [unknown] = useState(() => (arrivedWith || typeof location === 'undefined' ? null : projectIn(location.search)))
  const named = projectIn(search)
  const openId = named === unknown ? null : named

  const open = useCallback(
    (id: string) => {
      const alreadyOpen = new URL(window.location.href).searchParams.has('project')
      if (!alreadyOpen) openedHere.current = true
      navigate(addressWith(id), { replace: alreadyOpen })
    },
    [navigate],
  )
  /** Who goes on to somewhere else on the page finds, on the way back, the place where the project was opened. */
  const close = useCallback(
    (goingOn?: boolean) => {
      if (openedHere.current && !goingOn) history.back()
      else navigate(addressWith(undefined), { replace: true })
      openedHere.current = false
    },
    [navigate],
  )

  return { openId, open, close }
}

function projectIn(search: string) {
  return new URLSearchParams(search).get('project')
}

function addressWith(projectId: string | undefined) {
  const { searchParams } = new URL(window.location.href)
  if (projectId) searchParams.set('project', projectId)
  else searchParams.delete('project')
  return searchParams.size > 0 ? `/?${searchParams}` : '/'
}
