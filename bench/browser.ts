import { type Browser, chromium } from '@playwright/test'
import { findChromium } from '../scripts/test-tools.ts'
import { allVariantsMade, median, withSite } from './site.ts'

type LayoutShift = PerformanceEntry & { value: number }
declare const window: Window & { shift: number; largestPaint: number }

/** The phone on which first visits are measured. */
export const phone = { viewport: { width: 390, height: 844 }, deviceScaleFactor: 2.6, isMobile: true, hasTouch: true }

/** A slow phone on slow 4G, as Lighthouse imitates them. */
const slowdown = 4
const slowNetwork = { offline: false, latency: 150, downloadThroughput: 1_600_000 / 8, uploadThroughput: 750_000 / 8 }

/** Does the work with a browser of its own. */
export async function withBrowser<T>(work: (browser: Browser) => Promise<T>) {
  const executablePath = findChromium()
  if (!executablePath) throw new Error('Chromium was not found. npm test finds or installs it, or says how.')
  const browser = await chromium.launch({ executablePath, args: process.getuid?.() === 0 ? ['--no-sandbox'] : [] })
  try {
    return await work(browser)
  } finally {
    await browser.close()
  }
}

function withVisitor<T>(work: (browser: Browser, url: string) => Promise<T>) {
  return withSite(async ({ url }) => {
    await allVariantsMade(url)
    return withBrowser((browser) => work(browser, url))
  })
}

/** What a phone's first visit transfers, and how far anything moves meanwhile. */
export function benchWeight() {
  return withVisitor(async (browser, url) => {
    const page = await browser.newPage(phone)
    const bytes: Record<string, number> = {}
    page.on('requestfinished', async (request) => {
      const { responseBodySize } = await request.sizes()
      bytes[request.resourceType()] = (bytes[request.resourceType()] ?? 0) + responseBodySize
    })
    await page.addInitScript(() => {
      Object.assign(window, { shift: 0 })
      new PerformanceObserver((list) => {
        for (const entry of list.getEntries()) Object.assign(window, { shift: window.shift + (entry as LayoutShift).value })
      }).observe({ type: 'layout-shift', buffered: true })
    })
    await page.goto(url, { waitUntil: 'networkidle' })
    return { bytes, layoutShift: await page.evaluate(() => window.shift) }
  })
}

/** How long a first visitor waits who taps a card as soon as there is something to see; the aim is 1,000 ms. */
export function benchTap() {
  return withVisitor(async (browser, url) => {
    const visits: Awaited<ReturnType<typeof tapAtFirstPaint>>[] = []
    for (let run = 0; run < 5; run += 1) visits.push(await tapAtFirstPaint(browser, url))
    const medianOf = (part: 'firstPaintToModel' | 'tapToModel') => median(visits.map((visit) => visit[part]))
    return { firstPaintToModel: medianOf('firstPaintToModel'), tapToModel: medianOf('tapToModel') }
  })
}

/** A page of a new profile on the slow phone. */
async function openSlowPhone(browser: Browser) {
  const context = await browser.newContext(phone)
  const page = await context.newPage()
  const cdp = await context.newCDPSession(page)
  await cdp.send('Network.enable')
  await cdp.send('Network.emulateNetworkConditions', slowNetwork)
  await cdp.send('Emulation.setCPUThrottlingRate', { rate: slowdown })
  return { context, page, cdp }
}

/** In which face a first visit's title is drawn after two seconds, when the largest paint was, and how far anything moved. */
export function benchFonts() {
  return withVisitor(async (browser, url) => {
    const visits: Awaited<ReturnType<typeof lookAfterTwoSeconds>>[] = []
    for (let run = 0; run < 10; run += 1) visits.push(await lookAfterTwoSeconds(browser, url))
    return {
      faces: visits.map(({ face }) => face),
      largestPaint: median(visits.map(({ largestPaint }) => largestPaint)),
      layoutShift: Math.max(...visits.map(({ shift }) => shift)),
    }
  })
}

async function lookAfterTwoSeconds(browser: Browser, url: string) {
  const { context, page, cdp } = await openSlowPhone(browser)
  await page.addInitScript(() => {
    Object.assign(window, { shift: 0, largestPaint: 0 })
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries())
        if (entry.entryType === 'layout-shift') window.shift += (entry as LayoutShift).value
        else window.largestPaint = entry.startTime
    }).observe({ entryTypes: ['layout-shift', 'largest-contentful-paint'] })
  })
  await page.goto(url, { waitUntil: 'commit' })
  await page.waitForFunction(() => performance.now() > 2_000, undefined, { polling: 10 })
  await cdp.send('DOM.enable')
  await cdp.send('CSS.enable')
  const { root } = await cdp.send('DOM.getDocument')
  const { nodeId } = await cdp.send('DOM.querySelector', { nodeId: root.nodeId, selector: 'h1' })
  const { fonts } = await cdp.send('CSS.getPlatformFontsForNode', { nodeId })
  await page.waitForLoadState('networkidle')
  const { shift, largestPaint } = await page.evaluate(() => ({ shift: window.shift, largestPaint: window.largestPaint }))
  await context.close()
  return { face: fonts.map(({ familyName }) => familyName).join(', '), largestPaint: Math.round(largestPaint), shift }
}

async function tapAtFirstPaint(browser: Browser, url: string) {
  const { context, page } = await openSlowPhone(browser)
  await page.goto(url, { waitUntil: 'commit' })
  const isPainted = () => performance.getEntriesByName('first-contentful-paint').length > 0
  await page.waitForFunction(isPainted, undefined, { polling: 10 })
  const painted = performance.now()
  const card = page.locator('#gallery article').first()
  const { x, y } = await card.evaluate((element) => {
    element.scrollIntoView({ behavior: 'instant', block: 'center' })
    const { left, top, width, height } = element.getBoundingClientRect()
    return { x: left + width / 2, y: top + height / 2 }
  })
  const tapped = performance.now()
  await page.touchscreen.tap(x, y)
  await page.getByRole('dialog').waitFor()
  const shown = performance.now()
  await context.close()
  return { firstPaintToModel: Math.round(shown - painted), tapToModel: Math.round(shown - tapped) }
}
