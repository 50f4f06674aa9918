/**
 * Buttons and links to projects work without the script, but better with it: a tap is held until the page is hydrated, and
 * then repeated. After 2.5 seconds it does what it does without the script, if anything; so does a link at once while the page
 * is still loading, because web/start.ts has not asked for the script then.
 * Part of web/early-script.ts, so that no tap comes too early.
 */
export function keepTaps() {
  const { dataset } = document.documentElement
  let tapped: HTMLElement | undefined
  let waiting: ReturnType<typeof setTimeout>
  const keep = (event: MouseEvent) => {
    const { metaKey, ctrlKey, shiftKey, altKey, target } = event
    const pressed = target instanceof Element && target.closest<HTMLElement>('button, a[href*="project="]')
    if (!pressed || metaKey || ctrlKey || shiftKey || altKey) return
    if (pressed instanceof HTMLAnchorElement && document.readyState !== 'complete') {
      // When the model is closed, its card is in view.
      pressed.hash = pressed.closest('li')?.id ?? ''
      return
    }
    event.preventDefault()
    tapped = pressed
    dataset.held = ''
    clearTimeout(waiting)
    if (!(pressed instanceof HTMLButtonElement) || pressed.form?.method === 'get') waiting = setTimeout(letGo, 2500)
  }
  const letGo = () => {
    removeEventListener('click', keep, true)
    clearTimeout(waiting)
    delete dataset.held
    const target = tapped
    tapped = undefined
    target?.click()
  }
  addEventListener('click', keep, true)
  addEventListener('alive', letGo, { once: true })
}
