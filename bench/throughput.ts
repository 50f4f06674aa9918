import { variantAddress } from '#contract/image-addresses.ts'
import { homePage } from '#contract/pages.ts'
import { listProjects } from '#contract/projects.ts'
import { type BuiltSite, startBuiltSite } from '#tests/built-site.ts'
import { compareWithBare } from './against-bare.ts'
import { allCopiesMade, withSite } from './site.ts'

const br = { 'accept-encoding': 'br' }

/** What visitors ask for most, beside what node:http alone takes for the same. */
export function benchThroughput() {
  return withSite(async (first, dataDir) => {
    const [newest] = await allCopiesMade(first.url)
    await first.stop()
    // Started anew, as sites are that visitors come to: the first start has filled it and leaves a larger heap.
    const site = await startBuiltSite({ DATA_DIR: dataDir, RATE_LIMITS: 'off' })
    try {
      return await measure(site, newest?.imageUrl ?? '')
    } finally {
      await site.stop()
    }
  })
}

async function measure(site: BuiltSite, photo: string) {
  const page = await fetch(site.url, { headers: br })
  const script = /src="(\/assets\/[^"]+\.js)"/.exec(await page.text())?.[1] ?? ''
  return {
    page: await compareWithBare(site, homePage.path, br),
    'page, unchanged': await compareWithBare(site, homePage.path, { ...br, 'if-none-match': page.headers.get('etag') ?? '' }),
    'page, not compressed': await compareWithBare(site, homePage.path),
    projects: await compareWithBare(site, listProjects.path, br),
    photo: await compareWithBare(site, variantAddress(photo, 480, 'avif')),
    script: await compareWithBare(site, script, br),
    'invented host': await costOfInventedHosts(site.url),
  }
}

/** Without PUBLIC_URL: the slowest answer of a hundred, each to another name. */
async function costOfInventedHosts(url: string) {
  const times: number[] = []
  for (let number = 0; number < 100; number += 1) {
    const began = performance.now()
    await fetch(url, { headers: { ...br, host: `name-${number}.example` } }).then((answer) => answer.arrayBuffer())
    times.push(performance.now() - began)
  }
  return { slowestMilliseconds: Math.round(Math.max(...times) * 10) / 10 }
}
