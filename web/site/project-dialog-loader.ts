import { type ComponentType, useEffect, useState } from 'react'
import type { ProjectDialogProps } from './project-dialog.tsx'

type Dialog = ComponentType<ProjectDialogProps>

/** The dialog is not part of the first visit's script. It is fetched when a visitor reaches for a project. */
let loaded: Dialog | undefined

export async function loadProjectDialog() {
  const { ProjectDialog } = await import('./project-dialog.tsx')
  loaded = ProjectDialog
  return ProjectDialog
}

export const isProjectDialogLoaded = () => loaded !== undefined

/**
 * When it cannot be fetched (a new version of the site has taken its place), the server sends the page with the dialog.
 * Without a connection it stays closed, which is said, and opens at the next try.
 */
export function useProjectDialog(projectId: string | null, onUnreachable: () => void): Dialog | undefined {
  const [, setArrived] = useState(isProjectDialogLoaded)
  useEffect(() => {
    if (!projectId || loaded) return
    loadProjectDialog().then(
      () => setArrived(true),
      () => {
        if (navigator.onLine) return location.reload()
        history.back()
        onUnreachable()
      },
    )
  }, [projectId, onUnreachable])
  return loaded
}
