import { randomUUID } from 'node:crypto'
import type { Browser } from '@playwright/test'
import { adminPage, homePage } from '#contract/pages.ts'
import { demoAdmin } from '#demo/admin.ts'
import { openDatabase } from '#server/database/open.ts'
import { allProjects } from '#tests/all-records.ts'
import { startBuiltSite } from '#tests/built-site.ts'
import { signInAt } from '#tests/calls.ts'
import { storeProject } from '#tests/factories.ts'
import { withBrowser } from './browser.ts'
import { median, withSite } from './site.ts'

const sizes = [12, 1_000, 10_000]
const rounds = 5

/** Panels with few and many models: how long until one can be used, what it keeps in memory, and how large the home page is. */
export function benchPanel() {
  return withBrowser(async (browser) => {
    const measured: Record<string, Awaited<ReturnType<typeof measure>>> = {}
    for (const size of sizes) measured[size] = await measure(browser, size)
    const [first, ...others] = sizes
    const few = measured[String(first)]?.milliseconds ?? Number.NaN
    const ratios = others.map((size) => [size, rounded((measured[size]?.milliseconds ?? Number.NaN) / few)])
    return { measured, besideTwelve: Object.fromEntries(ratios) }
  })
}

function measure(browser: Browser, size: number) {
  return withSite(async (demo, dataDir) => {
    await demo.stop()
    await addProjects(dataDir, size)
    const site = await startBuiltSite({ DATA_DIR: dataDir, RATE_LIMITS: 'off' })
    try {
      const home = await fetch(new URL(homePage.path, site.url))
      const homeKilobytes = Math.round((await home.text()).length / 1024)
      const [name = '', value = ''] = (await signInAt(site.url, demoAdmin)).split('=')
      const times: number[] = []
      const heaps: number[] = []
      for (let round = 0; round < rounds; round += 1) {
        const context = await browser.newContext()
        await context.addCookies([{ name, value, url: site.url }])
        const page = await context.newPage()
        const began = performance.now()
        await page.goto(new URL(adminPage.path, site.url).href)
        await page.getByRole('region', { name: 'Manage Projects' }).getByRole('listitem').first().waitFor()
        await page.getByRole('definition').first().filter({ hasText: /\d/ }).waitFor()
        times.push(performance.now() - began)
        const session = await context.newCDPSession(page)
        await session.send('HeapProfiler.collectGarbage')
        const { usedSize } = (await session.send('Runtime.getHeapUsage')) as { usedSize: number }
        heaps.push(usedSize / 1024 / 1024)
        await context.close()
      }
      return { milliseconds: Math.round(median(times)), heapMegabytes: rounded(median(heaps)), homeKilobytes }
    } finally {
      await site.stop()
    }
  })
}

/** Copies of the demo's models, until there are so many. */
async function addProjects(dataDir: string, size: number) {
  const { db, close } = await openDatabase({ dataDir })
  const demo = await allProjects(db)
  await db.transaction().execute(async (tx) => {
    for (let index = demo.length; index < size; index += 1) {
      const copied = demo[index % demo.length]
      if (!copied) throw new Error('The demo has no models.')
      const { version: _version, image: _image, beforeImage: _before, afterImage: _after, ...model } = copied
      const createdAt = new Date(Date.UTC(2025, 0, 1) + index * 60_000).toISOString()
      await storeProject(tx, { ...model, id: randomUUID(), createdAt, title: `${model.title} ${index}` })
    }
  })
  await close()
}

function rounded(number: number) {
  return Math.round(number * 100) / 100
}
