import { X } from 'lucide-react'
import { Toast } from 'radix-ui'
import { type RefObject, useEffect, useEffectEvent, useRef } from 'react'
import { createPortal } from 'react-dom'
import { cn } from './cn.ts'
import { dismissToast, useToasts } from './toast-store.ts'
import { closeTopLayer, noticesSlot } from './use-layer.ts'

/** For what asks to be read or answered, instead of the usual five seconds. */
const longDuration = 15_000

/** Where notices appear. F8 moves the focus there; a swipe to the right sends one away. */
export function Toaster({ label, closeLabel }: { label: string; closeLabel: string }) {
  const toasts = useToasts()
  const viewport = useRef<HTMLOListElement>(null)
  useHeightForDialogs(viewport)
  useKeyboardBesideDialogs(viewport, () => {
    for (const { id, open } of toasts) if (open) dismissToast(id)
  })
  // Beside the page, not in it: a dialog hides the page from assistive technology, and notices speak over dialogs.
  return createPortal(
    <Toast.Provider duration={5000} swipeDirection="right" swipeThreshold={50} label={label}>
      {toasts.map(({ id, title, description, note, action, tone, open }) => (
        <Toast.Root
          key={id}
          data-slot="toast"
          open={open}
          {...((note || action) && { duration: longDuration })}
          onOpenChange={(next) => !next && dismissToast(id)}
          onEscapeKeyDown={(event) => {
            // Pressed elsewhere it means the dialog, although the notice is the newer one of the two.
            if (!viewport.current?.contains(event.target as Node) && closeTopLayer()) event.preventDefault()
          }}
          className={cn(
            'on-ink pointer-events-auto relative flex w-full items-start gap-3 rounded-[3px] border border-l-4 border-ink-line p-4 pr-12 shadow-dialog',
            tone === 'destructive' ? 'border-l-oxide-light' : 'border-l-verdigris-light',
            'data-[state=open]:animate-[slide-in_220ms_var(--ease-settle)] data-[state=closed]:animate-[slide-out_160ms_ease-in_forwards]',
            'data-[swipe=move]:translate-x-(--radix-toast-swipe-move-x) data-[swipe=cancel]:translate-x-0 data-[swipe=cancel]:transition-transform',
            'data-[swipe=end]:animate-[slide-out_160ms_ease-in_forwards]',
          )}
        >
          <div className="grid min-w-0 gap-1 wrap-anywhere">
            <Toast.Title className="font-medium">{title}</Toast.Title>
            {description && <Toast.Description className="text-sm text-ink-quiet">{description}</Toast.Description>}
            {note && <p className="text-sm whitespace-pre-line">{note}</p>}
            {action && (
              <Toast.Action
                altText={action.hint}
                onClick={action.run}
                className="mt-2 min-h-11 justify-self-start rounded-[2px] border border-current/40 px-4 text-sm font-medium transition-colors hover:border-current"
              >
                {action.label}
              </Toast.Action>
            )}
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
        ref={viewport}
        data-slot={noticesSlot}
        hotkey={['F8']}
        // What is marked as live stays reachable under a dialog; "off", because each notice announces itself.
        aria-live="off"
        className="fixed right-0 z-100 cramped:top-0 roomy:bottom-0 flex w-full max-w-[420px] flex-col gap-2 p-4 outline-none"
      />
    </Toast.Provider>,
    document.body,
  )
}

/** Tells the dialogs how much room the notice takes, so that it need not lie over them. */
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
 * An open dialog takes the focus back wherever it goes, and F8 would do nothing. So it does not hear of focus that goes to
 * the notices. Escape there means the notice, and the keyboard goes back to where it was.
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
    // Below the document, where the dialogs listen, and above everything that draws the notices.
    documentElement.addEventListener('focusin', hide)
    documentElement.addEventListener('focusout', hide)
    list.addEventListener('keydown', onKey)
    return () => {
      documentElement.removeEventListener('focusin', hide)
      documentElement.removeEventListener('focusout', hide)
      list.removeEventListener('keydown', onKey)
    }
  }, [viewport])
}
