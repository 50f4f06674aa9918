import { useRef } from 'react'

/**
 * Where the keyboard was before a dialog opened, and goes back to when it closes. If what opened it is gone by then (its
 * row was deleted), the nearest place that was marked with `data-focus-home` takes its part. `from` is where it was, when it
 * has left that place already. The dialog may mark with `data-focus-first` where the keyboard begins.
 */
export function useFocusReturn(from?: Element | null) {
  const opener = useRef<Element>(null)
  const home = useRef<HTMLElement>(null)
  return {
    onOpenAutoFocus(event: Event) {
      opener.current = from ?? document.activeElement
      home.current = opener.current?.closest<HTMLElement>('[data-focus-home]') ?? null
      const first = (event.target as Element).querySelector<HTMLElement>('[data-focus-first]')
      if (!first) return
      event.preventDefault()
      first.focus()
    },
    onCloseAutoFocus(event: Event) {
      event.preventDefault()
      const target = opener.current?.isConnected ? opener.current : home.current
      if (target instanceof HTMLElement) giveFocus(target, home.current)
    },
  }
}

/** A button that is busy takes the keyboard once it is not, unless that has gone elsewhere meanwhile. */
function giveFocus(target: HTMLElement, home: HTMLElement | null) {
  if (!target.matches(':disabled')) return target.focus()
  home?.focus()
  const waitingAt = document.activeElement
  const watch = new MutationObserver(() => {
    if (target.matches(':disabled')) return
    watch.disconnect()
    if (document.activeElement === waitingAt) target.focus()
  })
  watch.observe(target, { attributeFilter: ['disabled'] })
}
