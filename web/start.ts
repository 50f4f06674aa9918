import './styles.css'

/**
 * The page is complete as the server sends it. What brings it to life waits until the first photo has been painted, so
 * that it takes nothing from it on a slow line; unless the visitor is faster.
 */
function begin() {
  // One after the other rather than all at once: a slow phone can answer a finger in between. Each names one file of the
  // build: React, what all pages share, the words, the page.
  void import('react-dom/client')
  void import('./api/query-client.ts')
  void (document.documentElement.lang === 'es' ? import('#content/es.ts') : import('#content/en.ts'))
  void import('./entry.browser.tsx')
}

/** How long a tap waits for the script before it goes its own way. */
const patience = 2_500

/** Buttons and links to projects work without the script, but better with it: a tap is kept until it is there. */
function keepTaps() {
  const held = document.documentElement.dataset
  let tapped: HTMLElement | undefined
  let waiting: ReturnType<typeof setTimeout>
  const keep = (event: MouseEvent) => {
    const { metaKey, ctrlKey, shiftKey, altKey, target } = event
    const pressed = target instanceof Element && target.closest<HTMLElement>('button, a[href*="project="]')
    if (!pressed || metaKey || ctrlKey || shiftKey || altKey) return
    event.preventDefault()
    tapped = pressed
    held.held = ''
    clearTimeout(waiting)
    if (!(pressed instanceof HTMLButtonElement) || pressed.form?.method === 'get') waiting = setTimeout(letGo, patience)
  }
  const letGo = () => {
    removeEventListener('click', keep, true)
    clearTimeout(waiting)
    delete held.held
    const target = tapped
    tapped = undefined
    target?.click()
  }
  addEventListener('click', keep, true)
  addEventListener('alive', letGo, { once: true })
}

if (document.querySelector('#root > main')) {
  keepTaps()
  addEventListener('load', () => requestAnimationFrame(() => setTimeout(begin)), { once: true })
  for (const sign of ['pointerdown', 'keydown']) addEventListener(sign, begin, { once: true })
} else begin()
