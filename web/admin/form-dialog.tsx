import { type ComponentProps, type FormEventHandler, type ReactNode, useState } from 'react'
import { Button } from '../ui/button.tsx'
import { ConfirmDialog, Dialog, DialogActions, DialogBody } from '../ui/dialog.tsx'
import { DialogError } from './action-error.tsx'
import { useAdminTexts } from './texts.ts'

type Props = Pick<ComponentProps<typeof Dialog>, 'title' | 'description' | 'width' | 'opener'> & {
  submitLabel?: string
  busy: boolean
  /** Why it was not done, when that is about no single field. */
  failure?: ReactNode
  /** Above the buttons, instead of the failure. */
  status?: ReactNode
  /** Beside the buttons. */
  note?: ReactNode
  /** Instead of the one that submits. */
  buttons?: ReactNode
  /** Whether closing it would lose something: then it asks first. */
  isDirty?(): boolean
  onSubmit: FormEventHandler
  onClose(): void
  children: ReactNode
}

/** A form, sent by Enter or the button. It stays open while it is busy. */
export function FormDialog({ submitLabel, busy, failure, status, note, buttons, isDirty, onSubmit, onClose, ...rest }: Props) {
  const { common, projectForm: t } = useAdminTexts()
  const { children, opener = null, ...dialog } = rest
  const [asking, setAsking] = useState(false)
  const close = () => {
    if (busy) return
    if (isDirty?.()) setAsking(true)
    else onClose()
  }
  return (
    <Dialog open onClose={close} closeLabel={common.close} opener={opener} {...dialog}>
      <form onSubmit={onSubmit} noValidate className="contents">
        <DialogBody className="grid content-start gap-6">{children}</DialogBody>
        {status ?? <DialogError>{failure}</DialogError>}
        <DialogActions>
          {note}
          <Button size="small" onClick={close} disabled={busy}>
            {common.cancel}
          </Button>
          {buttons ?? (
            <Button type="submit" tone="brass" size="small" disabled={busy}>
              {submitLabel}
            </Button>
          )}
        </DialogActions>
      </form>
      <ConfirmDialog
        open={asking}
        onCancel={() => setAsking(false)}
        onConfirm={onClose}
        title={t.leaveTitle}
        text={t.leaveText}
        cancelLabel={t.stay}
        confirmLabel={t.leave}
      />
    </Dialog>
  )
}
