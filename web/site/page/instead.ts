import type { MouseEvent } from 'react'

/** What a link or a submit button does with the script. With a key held down it does its own, in another tab or window. */
export function instead(act: (event: MouseEvent<HTMLElement>) => void) {
  return (event: MouseEvent<HTMLElement>) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
    event.preventDefault()
    act(event)
  }
}
