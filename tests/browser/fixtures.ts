import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { test as base, expect, type Page } from '@playwright/test'
import type { BucketSettings } from '#server/storage/s3.ts'
import { type BuiltSite, startBuiltSite } from '../built-site.ts'
import { partOfBucket, startS3 } from '../s3.ts'
import { waitUntilAlive } from './alive.ts'
import { expectAccessible } from './axe.ts'
import { watchPage } from './page-faults.ts'

type Fixtures = {
  /** Announces an answer of 400 or more that belongs to the story: `expectFailure(/\/admin\/login$/, 401)`. */
  expectFailure(path: RegExp, status: number): void
  /** Fails the test on accessibility faults of the page as it is now. */
  axe(page: Page): Promise<void>
  /** A site of the test's own, in a new data folder; gone when the test is over. Without settings it is the demo. */
  startSite(settings?: Record<string, string>): Promise<BuiltSite>
  /** Adds another page to those that must not complain, and that answer once they have arrived. */
  watch(page: Page): void
  watched: ReturnType<typeof watchPage>[]
}

/** The address of the demo site that all tests share; the global set-up has put it there. */
const demoSite = process.env.DEMO_SITE_URL

type WorkerFixtures = {
  /** A part of a bucket of the worker's own S3 server. */
  newBucket(): Promise<BucketSettings>
}

export const test = base.extend<Fixtures, WorkerFixtures>({
  baseURL: demoSite,

  newBucket: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads from the pattern what a fixture needs.
    async ({}, use) => {
      const server = await startS3()
      await use(() => partOfBucket(server.endpoint))
      await server.stop()
    },
    { scope: 'worker', timeout: 120_000 },
  ],

  page: async ({ page }, use) => use(waitUntilAlive(page)),

  startSite: async ({ baseURL: _demo }, use) => {
    const started: { site: BuiltSite; dataDir: string }[] = []
    await use(async (settings = {}) => {
      const dataDir = await mkdtemp(path.join(tmpdir(), 'vitrina-browser-'))
      const site = await startBuiltSite({ DATA_DIR: dataDir, RATE_LIMITS: 'off', ...settings })
      started.push({ site, dataDir })
      return site
    })
    for (const { site, dataDir } of started) {
      await site.stop()
      await rm(dataDir, { recursive: true, force: true })
    }
  },

  // Every test has it, and it is taken down before the sites are: their end is no fault of the page.
  watched: [
    async ({ page, startSite: _sites }, use) => {
      const watched = [watchPage(page)]
      await use(watched)
      const faults = watched.flatMap((each) => each.faults)
      expect(faults, faults.join('\n')).toEqual([])
    },
    { auto: true },
  ],

  watch: async ({ watched }, use) => use((page) => void watched.push(watchPage(waitUntilAlive(page)))),

  expectFailure: async ({ watched }, use) =>
    use((address, status) => {
      for (const each of watched) each.expectFailure(address, status)
    }),

  axe: async ({ page: _page }, use) => use(expectAccessible),
})
export { expect }
