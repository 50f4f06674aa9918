import { type RefObject, useEffect } from 'react'

/** Closes what is open when the visitor presses Escape, points elsewhere or moves on with the keyboard. */
export function useDismiss(container: RefObject<HTMLElement | null>, open: boolean, close: (by: 'escape' | 'outside') => void) {
  useEffect(() => {
    if (!open) return
    const onElsewhere = (event: Event) => {
      if (event.target instanceof Node && !container.current?.contains(event.target)) close('outside')
    }
    const onKey = (event: KeyboardEvent) => {
      if (event.key === 'Escape') close('escape')
    }
    document.addEventListener('pointerdown', onElsewhere)
    document.addEventListener('focusin', onElsewhere)
    document.addEventListener('keydown', onKey)
    return () => {
      document.removeEventListener('pointerdown', onElsewhere)
      document.removeEventListener('focusin', onElsewhere)
      document.removeEventListener('keydown', onKey)
    }
  }, [container, open, close])
}
