import { type RefObject, useEffect } from 'react'

/** Closes what is open when the visitor presses Escape or points elsewhere. */
export function useDismiss(container: RefObject<HTMLElement | null>, open: boolean, close: (by: 'escape' | 'outside') => void) {
  useEffect(() => {
    if (!open) return
    const onPointer = (event: PointerEvent) => {
      if (event.target instanceof Node && !container.current?.contains(event.target)) close('outside')
    }
    const onKey = (event: KeyboardEvent) => {
      if (event.key === 'Escape') close('escape')
    }
    document.addEventListener('pointerdown', onPointer)
    document.addEventListener('keydown', onKey)
    return () => {
      document.removeEventListener('pointerdown', onPointer)
      document.removeEventListener('keydown', onKey)
    }
  }, [container, open, close])
}
