import './styles.css'
import type { Language } from '#contract/languages.ts'
import { loadSite } from './language/load-site.ts'

let begun = false

/**
 * The page is complete as the server sends it. The script waits until the first photo has been painted, so that
 * it takes no bandwidth from it on a slow connection; unless the visitor touches something before.
 */
function begin() {
  if (begun) return
  begun = true
  // A browser that translates the page writes another language there.
  loadSite(document.documentElement.lang as Language).catch(() => {})
  void import('./entry.browser.tsx')
}

if (document.querySelector('#root > main')) {
  addEventListener('load', () => new PerformanceObserver(begin).observe({ type: 'paint', buffered: true }), { once: true })
  for (const sign of ['pointerdown', 'keydown']) {
    addEventListener(sign, ({ target }) => {
      const isModel = target instanceof Element && target.closest('a[href*="project="]')
      // Until the page has loaded, the server answers those sooner: web/early-script.ts.
      if (!isModel) begin()
      else if (begun) import('./site/model/project-dialog.tsx').catch(() => {})
    })
  }
} else begin()
