import { AlertDialog } from 'radix-ui'
import type { ReactNode } from 'react'
import { Button } from './button.tsx'
import { cn } from './cn.ts'
import { dialogPlace, overlayLooks } from './dialog.tsx'
import { useFocusReturn } from './use-focus-return.ts'
import { useLayer } from './use-layer.ts'

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
  /** Whether everything that has to be said first was said. */
  ready?: boolean
  /** What it is about, and why it was not done, shown between the question and the answers. */
  children?: ReactNode
}

/** Asks before something is lost. The harmless answer has the focus; a click beside it answers nothing. */
export function ConfirmDialog(props: Props) {
  const { open, onCancel, onConfirm, title, text, cancelLabel, confirmLabel, busy = false, ready = true, children } = props
  const focusReturn = useFocusReturn()
  const cancel = () => !busy && onCancel()
  const layer = useLayer(open, cancel)
  return (
    <AlertDialog.Root open={open} onOpenChange={(next) => !next && cancel()}>
      <AlertDialog.Portal>
        <AlertDialog.Overlay className={overlayLooks} />
        <AlertDialog.Content
          data-slot="confirm-dialog"
          data-focus-home
          {...focusReturn}
          {...layer}
          className={cn(
            'on-bone inset-x-4 max-w-md rounded-[3px] border-t-4 border-oxide py-6 sm:py-8',
            'cramped:bottom-4 cramped:max-h-[calc(100dvh-1rem-max(1rem,var(--notices,0px)))]',
            dialogPlace,
          )}
        >
          <AlertDialog.Title className="shrink-0 px-6 text-2xl sm:px-8">{title}</AlertDialog.Title>
          <div className="grid min-h-0 gap-4 overflow-y-auto px-6 pt-3 wrap-anywhere sm:px-8">
            <AlertDialog.Description className="text-(--quiet)">{text}</AlertDialog.Description>
            {children}
          </div>
          <div className="mt-7 flex shrink-0 flex-wrap justify-end gap-3 px-6 sm:px-8 max-sm:*:flex-auto">
            <AlertDialog.Cancel asChild>
              <Button size="small" disabled={busy}>
                {cancelLabel}
              </Button>
            </AlertDialog.Cancel>
            {/* The second half of a double click means nothing new. */}
            <Button tone="danger" size="small" disabled={busy || !ready} onClick={({ detail }) => detail < 2 && onConfirm()}>
              {confirmLabel}
            </Button>
          </div>
        </AlertDialog.Content>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  )
}
