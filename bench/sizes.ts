import type { Browser } from '@playwright/test'
import { adminPage, homePage } from '#contract/pages.ts'
import { listProjects } from '#contract/projects.ts'
import { type BuiltSite, startBuiltSite } from '#tests/built-site.ts'
import { signInAt } from '#tests/calls.ts'
import { withBrowser } from './browser.ts'
import { type Crowd, fill } from './fill.ts'
import { load } from './load.ts'
import { account, br, call, cpuMicroseconds, median, owner, residentMegabytes, rounded, timeOf, withSite } from './site.ts'

const crowds: Crowd[] = [
  { models: 12, messages: 12 },
  { models: 1_000, messages: 1_000 },
  { models: 10_000, messages: 100_000 },
]

async function measureEach(measure: (site: BuiltSite, dataDir: string) => Promise<object>) {
  const measured: Record<string, object> = {}
  for (const crowd of crowds) {
    const options = { settings: owner, prepare: (dataDir: string) => fill(dataDir, crowd) }
    measured[`${crowd.models} models, ${crowd.messages} messages`] = await withSite(measure, options)
  }
  return measured
}

/** What a visitor gets of few and of many models: nothing of it should grow with them. */
export function benchSizes() {
  return measureEach(async ({ url, pid, stop }, dataDir) => {
    const answers: Record<string, object> = {}
    for (const address of [homePage.path, `${listProjects.path}?limit=24`]) {
      const asked = { url: new URL(address, url).href, headers: br }
      const milliseconds = await timeOf(async () => (await fetch(asked.url, asked)).arrayBuffer())
      const { headers } = await fetch(asked.url, asked)
      await load({ ...asked, connections: 8, seconds: 1 })
      const before = cpuMicroseconds(pid)
      const { requests } = await load({ ...asked, connections: 8, seconds: 2 })
      const again = Math.round((cpuMicroseconds(pid) - before) / requests)
      const bytes = Number(headers.get('content-length'))
      answers[address] = { bytes, milliseconds: Math.round(milliseconds), cpuMicrosecondsAgain: again }
    }
    const megabytes = Math.round(residentMegabytes(pid))
    await stop()
    const ready: number[] = []
    for (let round = 0; round < 5; round += 1) {
      const began = performance.now()
      const site = await startBuiltSite({ DATA_DIR: dataDir })
      ready.push(performance.now() - began)
      await site.stop()
    }
    return { readyMilliseconds: Math.round(median(ready)), megabytes, ...answers }
  })
}

/** How long until a panel with few and with many models can be used, what it keeps in memory, and how large the home page is. */
export function benchPanel() {
  return withBrowser((browser) =>
    measureEach(async ({ url }) => {
      const homeKilobytes = Math.round((await call(url, homePage)).length / 1024)
      const cookie = await signInAt(url, account)
      const visits = []
      for (let round = 0; round < 5; round += 1) visits.push(await openPanel(browser, url, cookie))
      const milliseconds = Math.round(median(visits.map((visit) => visit.milliseconds)))
      return { milliseconds, heapMegabytes: rounded(median(visits.map((visit) => visit.megabytes)), 1), homeKilobytes }
    }),
  )
}

async function openPanel(browser: Browser, url: string, cookie: string) {
  const context = await browser.newContext()
  const [name = '', value = ''] = cookie.split('=')
  await context.addCookies([{ name, value, url }])
  const page = await context.newPage()
  const milliseconds = await timeOf(async () => {
    await page.goto(new URL(adminPage.path, url).href)
    await page.getByRole('region', { name: 'Manage Projects' }).getByRole('listitem').first().waitFor()
    await page.getByRole('definition').first().filter({ hasText: /\d/ }).waitFor()
  })
  const session = await context.newCDPSession(page)
  await session.send('HeapProfiler.collectGarbage')
  const { usedSize } = (await session.send('Runtime.getHeapUsage')) as { usedSize: number }
  await context.close()
  return { milliseconds, megabytes: usedSize / 1024 / 1024 }
}
