import { AlertDialog } from 'radix-ui'
import type { ReactNode } from 'react'
import { Button } from './button.tsx'
import { overlayLooks } from './dialog.tsx'
import { useFocusReturn } from './use-focus-return.ts'

type Props = {
  open: boolean
  onCancel(): void
  onConfirm(): void
  title: string
  text: string
  cancelLabel: string
  confirmLabel: string
  /** While it is being done. */
  busy?: boolean
  /** What it is about, shown between the question and the answers. */
  children?: ReactNode
}

/** Asks before something is lost. The harmless answer has the focus; a click beside it answers nothing. */
export function ConfirmDialog(props: Props) {
  const { open, onCancel, onConfirm, title, text, cancelLabel, confirmLabel, busy = false, children } = props
  const focusReturn = useFocusReturn()
  return (
    <AlertDialog.Root open={open} onOpenChange={(next) => !next && !busy && onCancel()}>
      <AlertDialog.Portal>
        <AlertDialog.Overlay className={overlayLooks} />
        <AlertDialog.Content
          data-slot="confirm-dialog"
          {...focusReturn}
          className="on-bone fixed inset-x-4 bottom-4 z-50 mx-auto max-w-md animate-[rise_200ms_var(--ease-settle)] rounded-[3px] border-t-4 border-oxide p-6 shadow-dialog outline-none sm:inset-y-0 sm:my-auto sm:h-fit sm:p-8"
        >
          <AlertDialog.Title className="text-2xl">{title}</AlertDialog.Title>
          <AlertDialog.Description className="mt-3 text-(--quiet)">{text}</AlertDialog.Description>
          {children}
          <div className="mt-7 flex flex-wrap justify-end gap-3 max-sm:*:flex-1">
            <AlertDialog.Cancel asChild>
              <Button size="small" disabled={busy}>
                {cancelLabel}
              </Button>
            </AlertDialog.Cancel>
            <Button tone="danger" size="small" disabled={busy} onClick={onConfirm}>
              {confirmLabel}
            </Button>
          </div>
        </AlertDialog.Content>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  )
}
