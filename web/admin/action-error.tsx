import type { ReactNode } from 'react'
import { DialogFailure } from '../ui/dialog.tsx'

/** Why something was not done, beside what it was about, until it is tried again. The notice has said it aloud already. */
export function ActionError({ children }: { children: ReactNode }) {
  if (!children) return null
  return (
    <div
      data-slot="action-error"
      className="border-l-4 border-oxide bg-oxide/5 px-4 py-3 text-[0.9375rem] whitespace-pre-line wrap-anywhere text-oxide"
    >
      {children}
    </div>
  )
}

/** The same in a dialog, right above what there is to do. */
export function DialogError({ children }: { children: ReactNode }) {
  return <DialogFailure>{children && <ActionError>{children}</ActionError>}</DialogFailure>
}
