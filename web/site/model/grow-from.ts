import { flushSync } from 'react-dom'

/** The photo grows into the one of the open project, where the browser can do that and the visitor likes motion. */
export function growFrom(photo: HTMLImageElement, open: () => void) {
  const still = matchMedia('(prefers-reduced-motion: reduce)').matches
  if (still || !document.startViewTransition) return open()
  photo.style.viewTransitionName = 'model'
  document.startViewTransition(() => {
    photo.style.viewTransitionName = ''
    flushSync(open)
    // The small copy is there already: it stands in for the large one until that has arrived.
    const grown = document.querySelector<HTMLElement>('[role="dialog"] img')
    if (grown) grown.style.backgroundImage = `url("${photo.currentSrc}")`
  })
}
