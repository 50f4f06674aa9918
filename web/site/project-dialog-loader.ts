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

export function useProjectDialog(wanted: boolean): Dialog | undefined {
  const [dialog, setDialog] = useState<Dialog | undefined>(() => loaded)
  useEffect(() => {
    if (wanted && !dialog) void loadProjectDialog().then((arrived) => setDialog(() => arrived))
  }, [wanted, dialog])
  return dialog
}
