import { test as base, devices, expect, type Page } from '@playwright/test'
import type { Language } from '#contract/languages.ts'
import type { BucketSettings } from '#server/storage/s3.ts'
import { waitUntilAlive } from './alive.ts'
import { type AxeOptions, expectAccessible } from './axe.ts'
import { chooseLanguage } from './maker.ts'
import { toOlderSite } from './older-site.ts'
import { watchPage } from './page-faults.ts'
import { type Records, startDemo, startMakersSite, startSiteOfItsOwn } from './sites.ts'

type SiteOfItsOwn = Awaited<ReturnType<typeof startSiteOfItsOwn>>

type Fixtures = {
  /** Announces an answer of 400 or more that belongs to the story: `expectFailure(/\/admin\/login$/, 401)`. */
  expectFailure(path: RegExp, status: number): void
  /** Fails the test on accessibility faults of the page as it is now. */
  axe(page: Page, options?: AxeOptions): Promise<void>
  /** The address of a site that has just these records. Journeys share it, one after the other. */
  siteWith(records?: Records): Promise<string>
  /** The page is in the panel of such a site; its address. */
  panel(options?: Records & { language?: Language }): Promise<string>
  /** A site of the test's own, for who needs other settings or leaves it changed; gone when the test is over. */
  startSite(settings: Record<string, string>): Promise<SiteOfItsOwn>
  /** A demo of the test's own. */
  startDemo(): Promise<SiteOfItsOwn>
  /** Adds another page to those that must not complain, and that answer once they have arrived. */
  watch(page: Page): Promise<void>
  watched: ReturnType<typeof watchPage>[]
  started: SiteOfItsOwn[]
}

/** The address of the demo site that all tests share; the global set-up has put it there. */
const demoSite = process.env.DEMO_SITE_URL

type WorkerFixtures = {
  makersSite: Awaited<ReturnType<typeof startMakersSite>>
  /** A part of a bucket of the worker's own S3 server. */
  newBucket(): Promise<BucketSettings>
}

/**
 * A journey that is told in both languages is told in English on a desktop and in Spanish on a phone, where long words have
 * the least room. The others run on a desktop. One project for both: the second would start its own browsers and sites.
 */
const isOnPhone = ({ title }: { title: string }) => /\bin es, |^on a phone, /.test(title)

export const test = base.extend<Fixtures, WorkerFixtures>({
  baseURL: demoSite,
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads from the pattern what a fixture needs.
  isMobile: async ({}, use, info) => use(isOnPhone(info)),
  hasTouch: async ({ isMobile }, use) => use(isMobile),
  viewport: async ({ isMobile }, use) => use(isMobile ? { width: 390, height: 844 } : { width: 1440, height: 900 }),
  userAgent: async ({ isMobile, userAgent }, use) => use(isMobile ? userAgent : devices['Desktop Chrome'].userAgent),

  launchOptions: [
    async ({ launchOptions }, use) => use({ ...launchOptions, args: toOlderSite(process.env.OLDER_SITE_PORT ?? '') }),
    { scope: 'worker' },
  ],

  makersSite: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads from the pattern what a fixture needs.
    async ({}, use) => {
      const site = await startMakersSite()
      await use(site)
      await site.stop()
    },
    { scope: 'worker' },
  ],

  newBucket: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads from the pattern what a fixture needs.
    async ({}, use) => {
      // One journey needs it, and loading its client takes longer than some journeys.
      const { partOfBucket, startS3 } = await import('../s3.ts')
      const server = await startS3()
      await use(() => partOfBucket(server.endpoint))
      await server.stop()
    },
    { scope: 'worker', timeout: 120_000 },
  ],

  page: async ({ page }, use) => use(await waitUntilAlive(page)),

  siteWith: async ({ makersSite }, use) =>
    use(async (records = {}) => {
      await makersSite.hold(records)
      return makersSite.url
    }),

  panel: async ({ page, makersSite, siteWith }, use) =>
    use(async ({ language = 'en', ...records } = {}) => {
      const url = await siteWith(records)
      await chooseLanguage(page, url, language)
      await page.context().addCookies(makersSite.cookies)
      await page.goto(`${url}/admin`)
      return url
    }),

  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads from the pattern what a fixture needs.
  started: async ({}, use) => {
    const started: SiteOfItsOwn[] = []
    await use(started)
    for (const site of started) await site.stop()
  },

  startSite: async ({ started }, use) =>
    use(async (settings) => {
      const site = await startSiteOfItsOwn(settings)
      started.push(site)
      return site
    }),

  startDemo: async ({ started }, use) =>
    use(async () => {
      const site = await startDemo()
      started.push(site)
      return site
    }),

  // Every test has it, and it is taken down before the sites are: their end is no fault of the page.
  watched: [
    async ({ page, started: _sites }, use) => {
      const watched = [watchPage(page)]
      await use(watched)
      const faults = watched.flatMap((each) => each.faults)
      expect(faults, faults.join('\n')).toEqual([])
    },
    { auto: true },
  ],

  watch: async ({ watched }, use) =>
    use(async (page) => {
      watched.push(watchPage(await waitUntilAlive(page)))
    }),

  expectFailure: async ({ watched }, use) =>
    use((address, status) => {
      for (const each of watched) each.expectFailure(address, status)
    }),

  axe: async ({ page: _page }, use) => use(expectAccessible),
})
export { expect }
