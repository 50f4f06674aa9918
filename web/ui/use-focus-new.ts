import { useEffect, useRef } from 'react'

/** For what stands below a list and lengthens it: the keyboard goes on at the first entry that is new. */
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
    /** Of the element right behind the list. */
    place,
    /** To be called before more is asked for. */
    awaitNew() {
      shownBefore.current = shown
    },
  }
}
