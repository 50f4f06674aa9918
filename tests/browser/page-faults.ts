import type { Page } from '@playwright/test'

type ExpectedFailure = { path: RegExp; status: number }

/** Collects everything that goes wrong in a page behind the visitor's back, but for the answers a test has announced. */
export function watchPage(page: Page) {
  const faults: string[] = []
  const expected: ExpectedFailure[] = []
  const isExpected = (address: string, status?: number) =>
    expected.some((failure) => failure.path.test(new URL(address).pathname) && (status ?? failure.status) === failure.status)

  page.on('pageerror', (error) => faults.push(`uncaught: ${error.stack ?? error.message}`))
  page.on('console', (message) => {
    if (message.type() !== 'error' && message.type() !== 'warning') return
    const { url } = message.location()
    // Chromium repeats each failed answer on the console.
    if (message.text().startsWith('Failed to load resource') && url && isExpected(url)) return
    faults.push(`console ${message.type()}: ${message.text()} (${url})`)
  })
  page.on('response', (response) => {
    if (response.status() < 400 || !isOwn(page, response.url()) || isExpected(response.url(), response.status())) return
    faults.push(`${response.request().method()} ${response.url()} answered ${response.status()}`)
  })
  page.on('requestfailed', (request) => {
    const reason = request.failure()?.errorText ?? 'unknown'
    // A page that is left lets go of what it was loading.
    if (reason === 'net::ERR_ABORTED' || !isOwn(page, request.url()) || isExpected(request.url())) return
    faults.push(`${request.method()} ${request.url()} failed: ${reason}`)
  })
  return { faults, expectFailure: (path: RegExp, status: number) => void expected.push({ path, status }) }
}

/** Photos of an older site live elsewhere, and what happens there is not ours. The first request belongs to no page yet. */
function isOwn(page: Page, address: string) {
  const here = new URL(page.url())
  return here.protocol === 'about:' || new URL(address).origin === here.origin
}
