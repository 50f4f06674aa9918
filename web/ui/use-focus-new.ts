import { useEffect, useRef } from 'react'

/** For "show more" buttons: focuses the first new entry. */
export function useFocusNew(shown: number) {
  const place = useRef<HTMLDivElement>(null)
  const shownBefore = useRef<number>(undefined)
  useEffect(() => {
    if (shownBefore.current === undefined || shownBefore.current >= shown) return
    const entry = place.current?.previousElementSibling?.children[shownBefore.current]
    entry?.querySelector<HTMLElement>('button, a')?.focus()
    shownBefore.current = undefined
  }, [shown])
  return {
    /** The ref of the element after the list. */
    place,
    /** To be called before loading more. */
    awaitNew() {
      shownBefore.current = shown
    },
  }
}
