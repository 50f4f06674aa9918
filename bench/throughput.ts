import autocannon from 'autocannon'
import { checkSession } from '#contract/accounts.ts'
import { categories, variantAddress } from '#contract/first-visit.ts'
import { homePage } from '#contract/pages.ts'
import { listProjects, type Project } from '#contract/projects.ts'
import { type BuiltSite, startBuiltSite } from '#tests/built-site.ts'
import { compareWithBare } from './against-bare.ts'
import { fill } from './fill.ts'
import { allCopiesMade, median, withSite } from './site.ts'

const owner = { ADMIN_USERNAME: 'bench', ADMIN_PASSWORD: 'brass and pear' }
const measuredSeconds = 20
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

/** How much longer a small call takes while strangers ask for pages that are not kept, and send forms that are refused. */
export function benchStrangers() {
  return withSite(async (first, dataDir) => {
    await first.stop()
    await fill(dataDir, { models: 200, messages: 0 })
    const site = await startBuiltSite({ DATA_DIR: dataDir, TRUST_PROXY: '1', ...owner })
    try {
      return await measureStrangers(site.url)
    } finally {
      await site.stop()
    }
  }, owner)
}

async function measureStrangers(url: string) {
  await fetch(url)
  const projects = (await (await fetch(new URL(listProjects.path, url))).json()) as Project[]
  const quiet = median(await smallCalls(url))
  const slowed = async (addresses: number) => {
    const requests = Array.from({ length: 600 }, (_, number) => requestOf(number, projects, addresses))
    // In a thread of its own, which the small calls do not wait for.
    const load = autocannon({ url, requests, connections: 6, duration: measuredSeconds, workers: 1 })
    const busy = median(await smallCalls(url))
    const { requests: sent, statusCodeStats = {} } = await load
    const refused = statusCodeStats['429']?.count ?? 0
    return { ratio: Math.round((busy / quiet) * 100) / 100, requests: sent.total, rendered: sent.total - refused }
  }
  return {
    quietMilliseconds: Math.round(quiet * 100) / 100,
    'six connections of one address': await slowed(1),
    'six addresses': await slowed(6),
  }
}

async function smallCalls(url: string) {
  const times: number[] = []
  for (const end = performance.now() + measuredSeconds * 1_000; performance.now() < end; ) {
    const began = performance.now()
    await fetch(new URL(checkSession.path, url)).then((answer) => answer.arrayBuffer())
    times.push(performance.now() - began)
  }
  return times
}

/** Each page another one; every tenth request is a form. */
function requestOf(number: number, projects: Project[], addresses: number): autocannon.Request {
  const headers = { ...br, 'x-forwarded-for': `203.0.113.${addresses * 10 + (number % addresses)}` }
  if (number % 10 === 9) {
    const type = { 'content-type': 'application/x-www-form-urlencoded' }
    return { method: 'POST', path: '/', headers: { ...headers, ...type }, body: 'name=x' }
  }
  const query = new URLSearchParams({
    project: projects[number % projects.length]?.slug ?? '',
    about: projects[number % 7]?.slug ?? '',
    category: categories[number % categories.length] ?? '',
    shown: String(24 * (1 + (number % 10))),
  })
  return { method: 'GET', path: `/?${query}`, headers }
}
