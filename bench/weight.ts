import type { Page } from '@playwright/test'
import { phone, withBrowser } from './browser.ts'
import { allCopiesMade, withSite } from './site.ts'

/** The style stands in the document. */
const limits = { script: 88_000, document: 45_000 } as const

/** What a phone's first visit transfers, whether anything moves meanwhile, and what its largest paint is. */
export function benchWeight() {
  return withSite(async (site) => {
    await allCopiesMade(site.url)
    return withBrowser(async (browser) => {
      const page = await browser.newPage(phone)
      const transferred = await countBytes(page)
      await page.addInitScript(observe)
      await page.goto(site.url, { waitUntil: 'networkidle' })
      const { shift, largest } = await page.evaluate(
        () => (window as unknown as { seen: { shift: number; largest: string } }).seen,
      )
      const within = Object.fromEntries(Object.entries(limits).map(([kind, most]) => [kind, (transferred[kind] ?? 0) <= most]))
      return { bytes: transferred, withinLimits: within, layoutShift: shift, largestPaint: largest }
    })
  })
}

async function countBytes(page: Page) {
  const bytes: Record<string, number> = {}
  page.on('requestfinished', async (request) => {
    const { responseBodySize } = await request.sizes()
    bytes[request.resourceType()] = (bytes[request.resourceType()] ?? 0) + responseBodySize
  })
  return bytes
}

function observe() {
  const seen = { shift: 0, largest: '' }
  Object.assign(window, { seen })
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries() as (PerformanceEntry & { value: number })[]) seen.shift += entry.value
  }).observe({ type: 'layout-shift', buffered: true })
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries() as (PerformanceEntry & { element?: Element; url?: string })[]) {
      seen.largest = entry.url ? new URL(entry.url).pathname : (entry.element?.tagName ?? '')
    }
  }).observe({ type: 'largest-contentful-paint', buffered: true })
}
