import { type RefObject, useEffect } from 'react'

/** What is open, the latest last. */
const opened: object[] = []

/** Closes what is open when the visitor presses Escape, points elsewhere or moves on with the keyboard. */
export function useDismiss(container: RefObject<HTMLElement | null>, open: boolean, close: (by: 'escape' | 'outside') => void) {
  useEffect(() => {
    if (!open) return
    const onElsewhere = (event: Event) => {
      if (event.target instanceof Node && !container.current?.contains(event.target)) close('outside')
    }
    const self = {}
    opened.push(self)
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== 'Escape' || event.defaultPrevented || opened.at(-1) !== self) return
      // One Escape, one thing: dialogs and notices leave it alone then.
      event.preventDefault()
      close('escape')
    }
    // On the window: Radix listens on the document and would hear a key first, and React stops what happens in parts of the
    // page that it has not taken over.
    const early = { capture: true }
    addEventListener('pointerdown', onElsewhere, early)
    addEventListener('focusin', onElsewhere, early)
    addEventListener('keydown', onKey, early)
    return () => {
      opened.splice(opened.indexOf(self), 1)
      removeEventListener('pointerdown', onElsewhere, early)
      removeEventListener('focusin', onElsewhere, early)
      removeEventListener('keydown', onKey, early)
    }
  }, [container, open, close])
}
