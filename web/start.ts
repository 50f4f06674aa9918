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

if (document.querySelector('#root > main')) {
  addEventListener('load', () => requestAnimationFrame(() => setTimeout(begin)), { once: true })
  for (const sign of ['pointerdown', 'keydown']) addEventListener(sign, begin, { once: true })
} else begin()
