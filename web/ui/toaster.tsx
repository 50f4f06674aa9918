import { X } from 'lucide-react'
import { Toast } from 'radix-ui'
import { createPortal } from 'react-dom'
import { cn } from './cn.ts'
import { dismissToast, useToasts } from './toast-store.ts'

/** Where notices appear. F8 moves the focus there; a swipe to the right sends one away. */
export function Toaster({ label, closeLabel }: { label: string; closeLabel: string }) {
  const toasts = useToasts()
  // Beside the page, not in it: a dialog hides the page from assistive technology, and notices speak over dialogs.
  return createPortal(
    <Toast.Provider duration={5000} swipeDirection="right" swipeThreshold={50} label={label}>
      {toasts.map(({ id, title, description, tone, open }) => (
        <Toast.Root
          key={id}
          data-slot="toast"
          open={open}
          onOpenChange={(next) => !next && dismissToast(id)}
          className={cn(
            'on-ink pointer-events-auto relative flex w-full items-start gap-3 rounded-[3px] border border-l-4 border-ink-line p-4 pr-12 shadow-dialog',
            tone === 'destructive' ? 'border-l-oxide-light' : 'border-l-verdigris-light',
            'data-[state=open]:animate-[slide-in_220ms_var(--ease-settle)] data-[state=closed]:animate-[slide-out_160ms_ease-in_forwards]',
            'data-[swipe=move]:translate-x-(--radix-toast-swipe-move-x) data-[swipe=cancel]:translate-x-0 data-[swipe=cancel]:transition-transform',
            'data-[swipe=end]:animate-[slide-out_160ms_ease-in_forwards]',
          )}
        >
          <div className="grid gap-1">
            <Toast.Title className="font-medium">{title}</Toast.Title>
            {description && <Toast.Description className="text-sm text-ink-quiet">{description}</Toast.Description>}
          </div>
          <Toast.Close
            aria-label={closeLabel}
            className="absolute top-1 right-1 grid size-11 place-items-center rounded-[2px] text-ink-quiet hover:text-bone"
          >
            <X className="size-4" aria-hidden />
          </Toast.Close>
        </Toast.Root>
      ))}
      <Toast.Viewport
        hotkey={['F8']}
        // What is marked as live stays reachable under a dialog; "off", because each notice announces itself.
        aria-live="off"
        className="fixed right-0 z-100 max-sm:top-0 sm:bottom-0 flex w-full max-w-[420px] flex-col gap-2 p-4 outline-none"
      />
    </Toast.Provider>,
    document.body,
  )
}
