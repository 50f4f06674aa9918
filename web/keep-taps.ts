/**
 * Buttons and links to projects work without the script, but better with it: a tap is held until the page is hydrated, and
 * then repeated. After 2.5 seconds it does what it does without the script, if anything.
 *
 * It is an inline script made of this function's text, so that no tap comes too early: it may use nothing from outside.
 */
function keepTaps() {
  const { dataset } = document.documentElement
  let tapped: HTMLElement | undefined
  let waiting: ReturnType<typeof setTimeout>
  const keep = (event: MouseEvent) => {
    const { metaKey, ctrlKey, shiftKey, altKey, target } = event
    const pressed = target instanceof Element && target.closest<HTMLElement>('button, a[href*="project="]')
    if (!pressed || metaKey || ctrlKey || shiftKey || altKey) return
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

export const keptTaps = `(${keepTaps})()`
