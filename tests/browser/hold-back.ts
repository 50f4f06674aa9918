import type { Page, Route } from '@playwright/test'

/** The answers of a call wait until the test lets them go; then they are the site's, or what the test has in their place. */
export async function holdBack(page: Page, calls: string | RegExp, instead?: Parameters<Route['fulfill']>[0]) {
  let release = () => {}
  const held = new Promise<void>((resolve) => {
    release = resolve
  })
  await page.route(calls, async (route) => {
    await held
    await (instead ? route.fulfill(instead) : route.continue())
  })
  return release
}

/** Somebody else is faster: their work is done when the page has sent its call, and before the site gets it. */
export async function doFirst(page: Page, call: string | RegExp, work: () => Promise<unknown>) {
  const outrun = async (route: Route) => {
    await work()
    await route.continue()
  }
  await page.route(call, outrun, { times: 1 })
}
