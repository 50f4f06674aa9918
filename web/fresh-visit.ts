/**
 * Marks a page that begins at its top: what is below the first screen need not be laid out yet (`later` in web/styles.css). One
 * that is loaded again, gone back to or asked for with a `#` begins elsewhere, which is found only when everything has its height.
 */
export function markFreshVisit() {
  const [visit] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[]
  if (visit?.type !== 'navigate' || location.hash) return
  const { dataset } = document.documentElement
  // The first screen has the line to itself until it has been painted, for two seconds, or until the visitor goes on.
  dataset.fresh = 'first'
  const goOn = () => {
    if (dataset.fresh) dataset.fresh = 'rest'
  }
  addEventListener('load', () => new PerformanceObserver(goOn).observe({ type: 'paint', buffered: true }), { once: true })
  setTimeout(goOn, 2000)
  for (const sign of ['scroll', 'wheel', 'touchstart', 'pointerdown', 'keydown']) {
    addEventListener(sign, goOn, { once: true, passive: true })
  }
}

/** Gives everything its height, before a place on the page is looked for. */
export function layOutAll() {
  delete document.documentElement.dataset.fresh
}

/** Does the same a part at a time, when the browser has nothing else to do. */
export function layOutWhenIdle() {
  const parts = [...document.querySelectorAll<HTMLElement>('html[data-fresh] :is(.below-fold, .masonry-card)')]
  const layOutNext = () => {
    const part = parts.shift()
    if (!part) return layOutAll()
    part.style.contentVisibility = 'visible'
    requestIdleCallback(layOutNext)
  }
  // Safari has it not yet, and lays everything out at once: see web/styles.css.
  if ('requestIdleCallback' in window) requestIdleCallback(layOutNext)
}
