import { markFreshVisit } from './fresh-visit.ts'

/** Stands in the page itself, made of the texts of these functions: they may use nothing from outside. */
export const earlyScript = [markFreshVisit, keepTaps].map((each) => `(${each})()`).join(';')

/**
 * Buttons and links to projects work without the script, but better with it: a tap is held until the page is hydrated, and
 * then repeated. After 2.5 seconds it does what it does without the script, if anything. The server is quick to answer a link:
 * that waits for half a second only, and not at all while the page is loading, when web/start.ts has not asked for the script.
 * Part of web/early-script.ts, so that no tap comes too early.
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
    // Should the server answer, the card is in view when its model is closed.
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
