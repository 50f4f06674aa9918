import type { UseMutationResult } from '@tanstack/react-query'
import { type ComponentProps, type FormEventHandler, type ReactNode, useState } from 'react'
import type { FieldValues, UseFormReturn } from 'react-hook-form'
import { Button } from '../ui/button.tsx'
import { showFieldFaults } from './action-error.tsx'
import { ConfirmDialog, Dialog, DialogActions, DialogBody, DialogError } from './dialog.tsx'
import { useNotices } from './notices.ts'
import { useAdminTexts } from './texts.ts'

type Props = Pick<ComponentProps<typeof Dialog>, 'title' | 'description' | 'width' | 'opener'> & {
  /** Without one there is nothing to submit. */
  submitLabel?: string | undefined
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
  const { children, ...dialog } = rest
  const [asking, setAsking] = useState(false)
  const close = () => {
    if (busy) return
    if (isDirty?.()) setAsking(true)
    else onClose()
  }
  return (
    <Dialog onClose={close} {...dialog}>
      <form onSubmit={onSubmit} noValidate className="contents">
        <DialogBody className="grid content-start gap-6">{children}</DialogBody>
        {status ?? <DialogError>{failure}</DialogError>}
        <DialogActions>
          {note}
          <Button onClick={close} disabled={busy}>
            {common.cancel}
          </Button>
          {buttons}
          {submitLabel && (
            <Button type="submit" tone="brass" disabled={busy}>
              {submitLabel}
            </Button>
          )}
        </DialogActions>
      </form>
      {asking && (
        <ConfirmDialog
          onCancel={() => setAsking(false)}
          onConfirm={onClose}
          title={t.leaveTitle}
          text={t.leaveText}
          cancelLabel={t.stay}
          confirmLabel={t.leave}
        />
      )}
    </Dialog>
  )
}

type Sending<Answer> = {
  done?: string
  failed: string
  /** Told when something is missing, beside what is said at the fields. */
  missing?: string
  onClose(answer: Answer): void
}

/** A form that closes when its values are saved. Faults are shown beside their fields, or as the `failure`. */
export function useSentForm<Values extends FieldValues, Answer>(
  form: UseFormReturn<Values>,
  call: UseMutationResult<Answer, Error, Values>,
  { done, failed, missing, onClose }: Sending<Answer>,
) {
  const t = useAdminTexts()
  const notices = useNotices()
  const [failure, setFailure] = useState<string>()
  const send = (entered: Values) =>
    call.mutate(entered, {
      onSuccess: (answer) => {
        if (done) notices.done(done)
        onClose(answer)
      },
      onError: (error) => {
        notices.refused(error, failed)
        setFailure(showFieldFaults(error, t, form) ? undefined : notices.lasting(error, failed))
      },
    })
  const onSubmit = form.handleSubmit(send, () => missing && notices.fail(missing))
  return { busy: call.isPending, failure: call.isError ? failure : undefined, onSubmit }
}
