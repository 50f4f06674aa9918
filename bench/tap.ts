import type { Browser } from '@playwright/test'
import { phone, slowdown, slowNetwork, withBrowser } from './browser.ts'
import { allCopiesMade, median, withSite } from './site.ts'

const runs = 5

/** How long a first visitor waits who taps a card as soon as there is something to see. */
export function benchTap() {
  return withSite(async (site) => {
    await allCopiesMade(site.url)
    return withBrowser(async (browser) => {
      const visits: Awaited<ReturnType<typeof tapAtFirstPaint>>[] = []
      for (let run = 0; run < runs; run += 1) visits.push(await tapAtFirstPaint(browser, site.url))
      return {
        visits,
        firstPaintToModel: median(visits.map(({ firstPaintToModel }) => firstPaintToModel)),
        tapToModel: median(visits.map(({ tapToModel }) => tapToModel)),
        aim: 1000,
      }
    })
  })
}

async function tapAtFirstPaint(browser: Browser, url: string) {
  const context = await browser.newContext(phone)
  const page = await context.newPage()
  const cdp = await context.newCDPSession(page)
  await cdp.send('Network.enable')
  await cdp.send('Network.emulateNetworkConditions', slowNetwork)
  await cdp.send('Emulation.setCPUThrottlingRate', { rate: slowdown })
  // In the browser's own time, and across documents: a tap may be answered by the next page.
  const seen = new Map<string, number>()
  const opened = new Promise<void>((resolve, reject) => {
    setTimeout(() => reject(new Error('The model was not open after half a minute.')), 30_000).unref()
    void page.exposeFunction('mark', (name: string, time: number) => {
      if (!seen.has(name)) seen.set(name, time)
      if (name === 'opened') resolve()
    })
  })
  await page.exposeFunction('tap', (x: number, y: number) => page.touchscreen.tap(x, y))
  await page.addInitScript(tapAndObserve)
  await page.goto(url, { waitUntil: 'commit' })
  await opened
  await context.close()
  const [painted = 0, tapped = 0, shown = 0] = ['painted', 'tapped', 'opened'].map((name) => seen.get(name))
  return { firstPaintToModel: Math.round(shown - painted), tapToModel: Math.round(shown - tapped) }
}

/** Runs in each document. No function in it has a name: tsx would add a helper that is not there. */
function tapAndObserve() {
  const { mark, tap } = window as unknown as { mark(name: string, time: number): void; tap(x: number, y: number): void }
  const origin = performance.timeOrigin
  addEventListener('pointerdown', () => mark('tapped', origin + performance.now()), true)
  new PerformanceObserver((list) => {
    const painted = list.getEntriesByName('first-contentful-paint')[0]
    if (!painted || location.search) return
    mark('painted', origin + painted.startTime)
    const waiting = setInterval(() => {
      const card = document.querySelector('#gallery article')
      if (!card) return
      clearInterval(waiting)
      card.scrollIntoView({ behavior: 'instant', block: 'center' })
      const { left, top, width, height } = card.getBoundingClientRect()
      tap(left + width / 2, top + height / 2)
    }, 10)
  }).observe({ type: 'paint', buffered: true })
  new MutationObserver((_, observer) => {
    if (!document.querySelector('[role="dialog"]')) return
    observer.disconnect()
    // The frame that shows it has been made when the next task begins.
    requestAnimationFrame(() => setTimeout(() => mark('opened', origin + performance.now())))
  }).observe(document, { childList: true, subtree: true })
}
