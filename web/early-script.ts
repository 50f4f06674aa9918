import { markFreshVisit } from './fresh-visit.ts'

/** Inlined into the page from the source of these functions: they must not use anything from outside. */
export const earlyScript = [markFreshVisit, keepTaps].map((each) => `(${each})()`).join(';')

/**
 * Holds a tap on a button or a project link until the page is hydrated, then repeats it. After 2.5 seconds it has its effect
 * without the script, if any. A link is held for half a second only, because the server answers it quickly, and not at all
 * while the page is loading, when web/start.ts has not requested the script yet.
 */
function keepTaps() {
  const { dataset } = document.documentElement
  let tapped: HTMLElement | undefined
  let waiting: ReturnType<typeof setTimeout>
  const keep = (event: MouseEvent) => {
    const { metaKey, ctrlKey, shiftKey, altKey, target } = event
    const pressed = target instanceof Element && target.closest<HTMLElement>('button, a[href*="project="]')
    if (!pressed || metaKey || ctrlKey || shiftKey || altKey) return
    const isLink = pressed instanceof HTMLAnchorElement
    // If the server answers, closing the model scrolls to its card.
    if (isLink) pressed.hash = pressed.closest('li')?.id ?? ''
    if (isLink && document.readyState !== 'complete') return
    event.preventDefault()
    tapped = pressed
    dataset.held = ''
    clearTimeout(waiting)
    if (isLink) waiting = setTimeout(release, 500)
    else if ((pressed as HTMLButtonElement).form?.method !== 'dialog') waiting = setTimeout(release, 2500)
  }
  const release = () => {
    removeEventListener('click', keep, true)
    clearTimeout(waiting)
    delete dataset.held
    const target = tapped
    tapped = undefined
    target?.click()
  }
  addEventListener('click', keep, true)
  addEventListener('alive', release, { once: true })
}
