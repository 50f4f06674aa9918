import { type RefObject, useEffect, useEffectEvent } from 'react'

/** Open elements, the latest last. */
const opened: object[] = []

/** Closes on Escape, on a click outside, and when the focus leaves. */
export function useDismiss(container: RefObject<HTMLElement | null>, open: boolean, close: (by: 'escape' | 'outside') => void) {
  const onClose = useEffectEvent(close)
  useEffect(() => {
    if (!open) return
    const onOutside = (event: Event) => {
      if (event.target instanceof Node && !container.current?.contains(event.target)) onClose('outside')
    }
    const self = {}
    opened.push(self)
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== 'Escape' || event.defaultPrevented || opened.at(-1) !== self) return
      // One Escape closes one thing: dialogs and notices ignore it then.
      event.preventDefault()
      onClose('escape')
    }
    // On the window: Radix listens on the document and would handle a key first, and React stops events in parts that are not
    // hydrated yet.
    const closed = new AbortController()
    const early = { capture: true, signal: closed.signal }
    addEventListener('pointerdown', onOutside, early)
    addEventListener('focusin', onOutside, early)
    addEventListener('keydown', onKey, early)
    return () => {
      opened.splice(opened.indexOf(self), 1)
      closed.abort()
    }
  }, [container, open])
}
