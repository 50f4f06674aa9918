/**
 * Marks a visit that begins at the top: what is below the fold is not laid out yet (`lazy` in web/styles.css). A reload,
 * a step back and an address with `#` begin at another position, which needs the height of everything above it.
 */
export function markFreshVisit() {
  const [visit] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[]
  if (visit?.type !== 'navigate' || location.hash) return
  const { dataset } = document.documentElement
  // `first` hides the rest until the first screen is painted, two seconds have passed, or the visitor scrolls or taps.
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

/** Lays out the whole page, before scrolling to a position in it. */
export function layOutAll() {
  delete document.documentElement.dataset.fresh
}

/** The same in small steps, when the browser is idle. */
export function layOutWhenIdle() {
  const parts = [...document.querySelectorAll<HTMLElement>('html[data-fresh] :is(.lazy, .masonry-card)')]
  const layOutNext = () => {
    const part = parts.shift()
    if (!part) return layOutAll()
    part.style.contentVisibility = 'visible'
    requestIdleCallback(layOutNext)
  }
  // Safari does not have it, and lays everything out at once: see web/styles.css.
  if ('requestIdleCallback' in window) requestIdleCallback(layOutNext)
}
