/**
 * Buttons and links to projects work without the script, but better with it: a tap is kept until it is there, and repeated
 * once. One that has waited for 2.5 seconds goes its own way, if it has one.
 *
 * It stands in the page as text, so that no tap is too early for it, and may therefore use nothing from around it.
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
