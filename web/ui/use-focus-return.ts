import { useRef } from 'react'

/**
 * Where the keyboard was before a dialog opened, and goes back to when it closes. If what opened it is gone by then (its
 * row was deleted), the nearest place that was marked with `data-focus-home` takes its part.
 */
export function useFocusReturn() {
  const opener = useRef<Element>(null)
  const home = useRef<HTMLElement>(null)
  return {
    onOpenAutoFocus() {
      opener.current = document.activeElement
      home.current = opener.current?.closest<HTMLElement>('[data-focus-home]') ?? null
    },
    onCloseAutoFocus(event: Event) {
      event.preventDefault()
      const target = opener.current?.isConnected ? opener.current : home.current
      if (target instanceof HTMLElement) target.focus()
    },
  }
}
