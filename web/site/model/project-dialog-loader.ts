import { useEffect, useState } from 'react'

/** The dialog is not part of the first visit's script. It is fetched when a visitor reaches for a project. */
let loaded: typeof import('./project-dialog.tsx') | undefined

export async function loadProjectDialog() {
  loaded = await import('./project-dialog.tsx')
  return loaded
}

export const loadedProjectDialog = () => loaded

/**
 * When it cannot be fetched (a new version of the site has taken its place), the server sends the page with the dialog.
 * Without a connection it stays closed, which is said, and opens at the next try.
 */
export function useProjectDialog(slug: string | null, onUnreachable: () => void) {
  const [, setArrived] = useState(loaded !== undefined)
  useEffect(() => {
    if (!slug || loaded) return
    loadProjectDialog().then(
      () => setArrived(true),
      () => {
        if (navigator.onLine) return location.reload()
        history.back()
        onUnreachable()
      },
    )
  }, [slug, onUnreachable])
  return loaded?.ProjectDialog
}
