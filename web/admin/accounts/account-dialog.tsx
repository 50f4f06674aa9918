import type { FormEventHandler, ReactNode } from 'react'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogActions, DialogBody } from '../../ui/dialog.tsx'
import { DialogError } from '../action-error.tsx'
import { useAdminTexts } from '../texts.ts'

type Props = {
  title: string
  description: string
  submitLabel: string
  busy: boolean
  /** Why it was not done, when that is about no single field. */
  failure: string | undefined
  onSubmit: FormEventHandler
  onClose(): void
  children: ReactNode
}

/** Two fields and a decision. */
export function AdminDialog({ title, description, submitLabel, busy, failure, onSubmit, onClose, children }: Props) {
  const t = useAdminTexts()
  return (
    <Dialog open onClose={() => !busy && onClose()} title={title} description={description} closeLabel={t.common.close}>
      <form onSubmit={onSubmit} noValidate className="contents">
        <DialogBody className="grid gap-6">{children}</DialogBody>
        <DialogError>{failure}</DialogError>
        <DialogActions>
          <Button size="small" onClick={onClose} disabled={busy}>
            {t.common.cancel}
          </Button>
          <Button type="submit" tone="brass" size="small" disabled={busy}>
            {submitLabel}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
