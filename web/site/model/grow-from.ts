import { flushSync } from 'react-dom'

/** A view transition from the card's photo to the open project's, unless the visitor prefers reduced motion. */
export function growFrom(photo: HTMLImageElement, open: () => void) {
  const still = matchMedia('(prefers-reduced-motion: reduce)').matches
  if (still || !document.startViewTransition) return open()
  photo.style.viewTransitionName = 'model'
  document.startViewTransition(() => {
    photo.style.viewTransitionName = ''
    flushSync(open)
    // The loaded small copy is shown until the large one has loaded.
    const grown = document.querySelector<HTMLElement>('[role="dialog"] img')
    if (grown) grown.style.backgroundImage = `url("${photo.currentSrc}")`
  })
}
