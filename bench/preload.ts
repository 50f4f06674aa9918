import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { brotliCompressSync, brotliDecompressSync } from 'node:zlib'
import type { Browser } from '@playwright/test'
import { phone, slowNetwork, withBrowser } from './browser.ts'
import { allCopiesMade, median, withSite } from './site.ts'

const runs = 7

/** What fetching the hero and the fonts ahead brings on slow 4G: the same page with and without those lines, in turn. */
export function benchPreload() {
  return withSite(async (site) => {
    await allCopiesMade(site.url)
    const ways = { asServed: await startCopy(site.url, (html) => html), withoutPreloads: await startCopy(site.url, strip) }
    const visits: Record<keyof typeof ways, Awaited<ReturnType<typeof visit>>[]> = { asServed: [], withoutPreloads: [] }
    await withBrowser(async (browser) => {
      for (let run = 0; run < runs; run += 1) {
        for (const way of ['asServed', 'withoutPreloads'] as const) visits[way].push(await visit(browser, ways[way].url))
      }
    })
    for (const { stop } of Object.values(ways)) stop()
    const summary = (made: typeof visits.asServed) => ({
      largestPaint: median(made.map(({ largestPaint }) => largestPaint)),
      fontsReady: median(made.map(({ fontsReady }) => fontsReady)),
    })
    return { asServed: summary(visits.asServed), withoutPreloads: summary(visits.withoutPreloads) }
  })
}

const strip = (html: string) => html.replaceAll(/<link rel="preload"[^>]*>/g, '')

/** The site, with its page changed on the way. */
async function startCopy(site: string, change: (html: string) => string) {
  const server = createServer((incoming, outgoing) => {
    const headers = { ...incoming.headers, 'accept-encoding': 'br' }
    request(new URL(incoming.url ?? '', site), { method: incoming.method, headers }, async (answer) => {
      const isPage = answer.headers['content-type']?.startsWith('text/html') && answer.statusCode === 200
      const body = await buffer(answer)
      const sent = isPage ? brotliCompressSync(change(brotliDecompressSync(body).toString())) : body
      outgoing.writeHead(answer.statusCode ?? 500, { ...answer.headers, 'content-length': sent.length }).end(sent)
    }).end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, stop: () => server.close().closeAllConnections() }
}

async function visit(browser: Browser, url: string) {
  const context = await browser.newContext(phone)
  const page = await context.newPage()
  const cdp = await context.newCDPSession(page)
  await cdp.send('Network.enable')
  await cdp.send('Network.emulateNetworkConditions', slowNetwork)
  await page.addInitScript(() => {
    const seen = { largestPaint: 0 }
    Object.assign(window, { seen })
    new PerformanceObserver((list) => {
      seen.largestPaint = list.getEntries().at(-1)?.startTime ?? 0
    }).observe({ type: 'largest-contentful-paint', buffered: true })
  })
  await page.goto(url, { waitUntil: 'networkidle' })
  const times = await page.evaluate(() => {
    const fonts = performance.getEntriesByType('resource').filter(({ name }) => name.endsWith('.woff2'))
    const { seen } = window as unknown as { seen: { largestPaint: number } }
    return {
      largestPaint: seen.largestPaint,
      fontsReady: Math.max(...fonts.map((font) => (font as PerformanceResourceTiming).responseEnd)),
    }
  })
  await context.close()
  return { largestPaint: Math.round(times.largestPaint), fontsReady: Math.round(times.fontsReady) }
}
