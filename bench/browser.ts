import { type Browser, chromium } from '@playwright/test'
import { findChromium } from '../scripts/test-tools.ts'

/** The phone on which first visits are measured. */
export const phone = { viewport: { width: 390, height: 844 }, deviceScaleFactor: 2.6, isMobile: true, hasTouch: true }

/** A slow phone on slow 4G, as Lighthouse imitates them. */
export const slowdown = 4
export const slowNetwork = {
  offline: false,
  latency: 150,
  downloadThroughput: 1_600_000 / 8,
  uploadThroughput: 750_000 / 8,
}

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
