import { X } from 'lucide-react'
import { Toast } from 'radix-ui'
import { type RefObject, useEffect, useEffectEvent, useRef } from 'react'
import { createPortal } from 'react-dom'
import { cn } from './cn.ts'
import { dismissToast, useToast } from './toast-store.ts'
import { closeTopLayer, noticesSlot } from './use-layer.ts'

/** For notices with a second line or an action, instead of five seconds. */
const longDuration = 15_000

/** F8 moves the focus to the notices; a swipe to the right dismisses one. */
export function Toaster({ label, closeLabel }: { label: string; closeLabel: string }) {
  const toast = useToast()
  const viewport = useRef<HTMLOListElement>(null)
  useHeightForDialogs(viewport)
  useKeyboardBesideDialogs(viewport, () => toast && dismissToast(toast))
  // Outside #root, which an open dialog hides from assistive technology.
  return createPortal(
    <Toast.Provider duration={5000} swipeDirection="right" swipeThreshold={50} label={label}>
      {toast && (
        <Toast.Root
          key={toast.id}
          data-slot="toast"
          open={toast.open}
          {...((toast.note || toast.action) && { duration: longDuration })}
          onOpenChange={(next) => !next && dismissToast(toast)}
          onEscapeKeyDown={(event) => {
            // Something else has taken it: one Escape closes one thing.
            if (event.defaultPrevented) return
            // Escape outside the notices closes the dialog, although the notice is newer.
            if (!viewport.current?.contains(event.target as Node) && closeTopLayer()) event.preventDefault()
          }}
          className={cn(
            'on-ink pointer-events-auto relative flex w-full items-start gap-3 rounded-[3px] border border-l-4 border-ink-line p-4 pr-12 shadow-dialog',
            toast.tone === 'destructive' ? 'border-l-oxide-light' : 'border-l-verdigris-light',
            'data-[state=open]:animate-[slide-in_220ms_var(--ease-settle)] data-[state=closed]:animate-[slide-out_160ms_ease-in_forwards]',
            'data-[swipe=move]:translate-x-(--radix-toast-swipe-move-x) data-[swipe=cancel]:translate-x-0 data-[swipe=cancel]:transition-transform',
            'data-[swipe=end]:animate-[slide-out_160ms_ease-in_forwards]',
          )}
        >
          <div className="grid min-w-0 gap-1 wrap-anywhere">
            <Toast.Title className="font-medium">{toast.title}</Toast.Title>
            {toast.description && <Toast.Description className="text-sm text-ink-quiet">{toast.description}</Toast.Description>}
            {toast.note && <p className="text-sm whitespace-pre-line">{toast.note}</p>}
            {toast.action && (
              <Toast.Action
                altText={toast.action.hint}
                onClick={toast.action.run}
                className="mt-2 min-h-11 justify-self-start rounded-[2px] border border-current/40 px-4 text-sm font-medium transition-colors hover:border-current"
              >
                {toast.action.label}
              </Toast.Action>
            )}
          </div>
          <Toast.Close
            aria-label={closeLabel}
            className="absolute top-1 right-1 grid size-11 place-items-center rounded-[2px] text-ink-quiet hover:text-bone"
          >
            <X className="size-4" />
          </Toast.Close>
        </Toast.Root>
      )}
      <Toast.Viewport
        ref={viewport}
        data-slot={noticesSlot}
        hotkey={['F8']}
        // aria-live keeps it reachable while a dialog is open; "off", because each notice announces itself.
        aria-live="off"
        className="fixed right-0 z-100 cramped:top-0 roomy:bottom-0 flex w-full max-w-[420px] flex-col gap-2 p-4 outline-none"
      />
    </Toast.Provider>,
    document.body,
  )
}

/** Dialogs use the height to leave room for the notice. */
function useHeightForDialogs(viewport: RefObject<HTMLElement | null>) {
  useEffect(() => {
    const list = viewport.current
    if (!list) return
    const { style } = document.documentElement
    const observer = new ResizeObserver(() => {
      if (list.childElementCount > 0) style.setProperty('--notices', `${list.offsetHeight}px`)
      else style.removeProperty('--notices')
    })
    observer.observe(list)
    return () => observer.disconnect()
  }, [viewport])
}

/**
 * An open dialog traps the focus, and F8 would do nothing: focus events of the notices are hidden from it. Escape in the
 * notices dismisses one, and the focus returns to where it was.
 */
function useKeyboardBesideDialogs(viewport: RefObject<HTMLElement | null>, onEscape: () => void) {
  const dismiss = useEffectEvent(onEscape)
  useEffect(() => {
    const list = viewport.current
    if (!list) return
    const { documentElement } = document
    let cameFrom: EventTarget | null = null
    const hide = (event: FocusEvent) => {
      const next = event.type === 'focusin' ? event.target : event.relatedTarget
      if (!(next instanceof Node) || !list.contains(next)) return
      event.stopPropagation()
      if (event.target instanceof Node && !list.contains(event.target)) cameFrom = event.target
    }
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== 'Escape') return
      event.preventDefault()
      dismiss()
      if (cameFrom instanceof HTMLElement) cameFrom.focus()
    }
    // Below the document, where the dialogs listen.
    const closed = new AbortController()
    documentElement.addEventListener('focusin', hide, closed)
    documentElement.addEventListener('focusout', hide, closed)
    list.addEventListener('keydown', onKey, closed)
    return () => closed.abort()
  }, [viewport])
}
