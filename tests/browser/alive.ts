import type { Page } from '@playwright/test'

/**
 * Resolves when the script has taken over what the server sent: before that, a click is a click on paper. And when the
 * panel's lists have arrived: what is pressed while they push it down the page is let go beside it, and no click at all.
 * Other pages are as they are.
 */
export async function alive(page: Page) {
  await page.waitForFunction(() => {
    const root = document.getElementById('root')
    if (!root) return true
    if (document.querySelector('#root > :is([aria-busy], noscript), [data-slot="loading"]')) return false
    // Parts that only tell something have no script: see web/site/told.tsx.
    const parts = [...document.querySelectorAll('#root > header, #gallery, #contact, footer')]
    return parts.every((part) => Object.keys(part).some((key) => key.startsWith('__reactFiber$')))
  })
}

/** Makes a page that arrives somewhere wait until it answers. */
export function waitUntilAlive(page: Page) {
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
