import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { brotliCompressSync, brotliDecompressSync } from 'node:zlib'
import type { Browser } from '@playwright/test'
import { phone, slowdown, slowNetwork, withBrowser } from './browser.ts'
import { allCopiesMade, median, withSite } from './site.ts'

const runs = 7

const networks = {
  slow: slowNetwork,
  good: { offline: false, latency: 40, downloadThroughput: 10_000_000 / 8, uploadThroughput: 5_000_000 / 8 },
}

/** The lines of the page's head that are left out. */
const leftOut = {
  'as served': /(?!)/g,
  'hero not ahead': /<link rel="preload" as="image"[^>]*>/g,
  'fonts not ahead': /<link rel="preload" as="font"[^>]*>/g,
}

/** What fetching the hero and the fonts ahead brings on a slow phone: the same page with and without those lines, in turn. */
export function benchPreload() {
  return withSite(async (site) => {
    await allCopiesMade(site.url)
    const ways = await Promise.all(
      Object.entries(networks).flatMap(([network, conditions]) =>
        Object.entries(leftOut).map(async ([page, lines]) => {
          const visits: Awaited<ReturnType<typeof visit>>[] = []
          return { network, page, conditions, visits, ...(await startWithout(lines, site.url)) }
        }),
      ),
    )
    await withBrowser(async (browser) => {
      for (let run = 0; run < runs; run += 1) {
        for (const { url, conditions, visits } of ways) visits.push(await visit(browser, url, conditions))
      }
    })
    for (const { stop } of ways) stop()
    return ways.map(({ network, page, visits }) => ({
      network,
      page,
      firstPaint: median(visits.map(({ firstPaint }) => firstPaint)),
      largestPaint: median(visits.map(({ largestPaint }) => largestPaint)),
      inItsTypeface: `${visits.filter(({ typeface }) => typeface === 'Fraunces').length} of ${runs}`,
    }))
  })
}

/** The site, with its page changed on the way. */
async function startWithout(lines: RegExp, site: string) {
  const server = createServer((incoming, outgoing) => {
    const headers = { ...incoming.headers, 'accept-encoding': 'br' }
    request(new URL(incoming.url ?? '', site), { method: incoming.method, headers }, async (answer) => {
      const isPage = answer.headers['content-type']?.startsWith('text/html')
      const body = await buffer(answer)
      const sent = isPage ? brotliCompressSync(brotliDecompressSync(body).toString().replaceAll(lines, '')) : body
      outgoing.writeHead(answer.statusCode ?? 500, { ...answer.headers, 'content-length': sent.length }).end(sent)
    }).end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    stop: () => server.close().closeAllConnections(),
  }
}

async function visit(browser: Browser, url: string, conditions: typeof slowNetwork) {
  const context = await browser.newContext(phone)
  const page = await context.newPage()
  const cdp = await context.newCDPSession(page)
  for (const part of ['Network', 'DOM', 'CSS'] as const) await cdp.send(`${part}.enable`)
  await cdp.send('Network.emulateNetworkConditions', conditions)
  await cdp.send('Emulation.setCPUThrottlingRate', { rate: slowdown })
  await page.addInitScript(() => {
    new PerformanceObserver((list) => {
      Object.assign(window, { largestPaint: list.getEntries().at(-1)?.startTime })
    }).observe({ type: 'largest-contentful-paint', buffered: true })
  })
  await page.goto(url, { waitUntil: 'networkidle' })
  const paints = await page.evaluate(() => ({
    firstPaint: Math.round(performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? 0),
    largestPaint: Math.round((window as unknown as { largestPaint: number }).largestPaint),
  }))
  const { root } = await cdp.send('DOM.getDocument')
  const { nodeId } = await cdp.send('DOM.querySelector', { nodeId: root.nodeId, selector: 'h1' })
  const { fonts } = await cdp.send('CSS.getPlatformFontsForNode', { nodeId })
  await context.close()
  return { ...paints, typeface: fonts[0]?.familyName }
}
