import type { FormEventHandler, ReactNode } from 'react'
import { Button } from '../ui/button.tsx'
import { Dialog, DialogActions, DialogBody } from '../ui/dialog.tsx'
import { DialogError } from './action-error.tsx'
import { useAdminTexts } from './texts.ts'

type Props = {
  title: string
  description: string
  submitLabel: string
  busy: boolean
  /** Why it was not done, when that is about no single field. */
  failure?: string | undefined
  /** The element that opened it, when it has lost the focus already. */
  opener?: Element | null
  onSubmit: FormEventHandler
  onClose(): void
  children: ReactNode
}

/** A few fields, sent by Enter or the button. It stays open while it is busy. */
export function FormDialog({ title, description, submitLabel, busy, failure, opener, onSubmit, onClose, children }: Props) {
  const { common } = useAdminTexts()
  const close = () => !busy && onClose()
  return (
    <Dialog open onClose={close} title={title} description={description} closeLabel={common.close} opener={opener ?? null}>
      <form onSubmit={onSubmit} noValidate className="contents">
        <DialogBody className="grid gap-6">{children}</DialogBody>
        <DialogError>{failure}</DialogError>
        <DialogActions>
          <Button size="small" onClick={close} disabled={busy}>
            {common.cancel}
          </Button>
          <Button type="submit" tone="brass" size="small" disabled={busy}>
            {submitLabel}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
