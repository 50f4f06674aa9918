import type { Page } from '@playwright/test'

/**
 * Resolves when the script has taken over what the server sent: before that, nothing answers. And when the panel's lists
 * have arrived: what is pressed while they push it down the page is let go beside it, and no click at all.
 * Other pages are as they are.
 */
export async function alive(page: Page) {
  await page.waitForFunction(() => {
    const { dataset } = document.documentElement
    if (!document.getElementById('root')) return true
    if (!('alive' in dataset)) return false
    if (document.querySelector('#root > :is([aria-busy], noscript), [data-slot="loading"]')) return false
    // React takes a part of the page over at once when an event reaches it. One frame later its effects have run, too.
    if ('touched' in dataset) return true
    // A press jumps to its target from the top of the page: a section that is laid out only there would move it away again.
    delete dataset.fresh
    for (const part of document.querySelectorAll('#root > *, main > *')) {
      part.dispatchEvent(new Event('input', { bubbles: true }))
    }
    dataset.touched = ''
    return false
  })
}

/** Makes a page that arrives somewhere wait until it answers. */
export async function waitUntilAlive(page: Page) {
  // The page tells itself when what was pressed too early can be answered.
  await page.addInitScript(() => {
    addEventListener('alive', () => Object.assign(document.documentElement.dataset, { alive: '' }), { once: true })
  })
  const { goto, reload } = page
  page.goto = async (...where) => {
    const answer = await goto.apply(page, where)
    await alive(page)
    return answer
  }
  page.reload = async (...how) => {
    const answer = await reload.apply(page, how)
    await alive(page)
    return answer
  }
  return page
}
