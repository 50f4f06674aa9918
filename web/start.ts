import './styles.css'

/**
 * The page is complete as the server sends it. The script waits until the first photo has been painted, so that
 * it takes no bandwidth from it on a slow connection; unless the visitor touches something before.
 */
function begin() {
  void (document.documentElement.lang === 'es' ? import('#content/es.ts') : import('#content/en.ts'))
  void import('./entry.browser.tsx')
}

if (document.querySelector('#root > main')) {
  addEventListener('load', () => requestAnimationFrame(() => setTimeout(begin)), { once: true })
  for (const sign of ['pointerdown', 'keydown']) addEventListener(sign, begin, { once: true })
} else begin()
