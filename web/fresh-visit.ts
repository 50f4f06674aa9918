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
  // It goes to where the end is at that moment.
  addEventListener('keydown', ({ key }) => {
    if (key === 'End') delete dataset.fresh
  })
}

/** Lays out the whole page, before scrolling to a position in it. */
export function layOutAll() {
  delete document.documentElement.dataset.fresh
}

/** The same in small steps, from the first sign of use: whoever only looks at the first screen needs none of it. */
export function layOutWhenUsed() {
  // Safari does not have it, and lays everything out at once: see web/styles.css.
  if (!('requestIdleCallback' in window)) return
  const begun = new AbortController()
  const begin = () => {
    begun.abort()
    const parts = [...document.querySelectorAll<HTMLElement>('html[data-fresh] :is(.lazy, .masonry-card)')]
    const layOutNext = () => {
      const part = parts.shift()
      if (!part) return layOutAll()
      part.style.contentVisibility = 'visible'
      requestIdleCallback(layOutNext)
    }
    requestIdleCallback(layOutNext)
  }
  for (const sign of ['scroll', 'pointerdown', 'keydown']) addEventListener(sign, begin, { signal: begun.signal })
  if (scrollY > 0) begin()
}
