import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import path from 'node:path'
import { buffer } from 'node:stream/consumers'
import { variantAddress } from '#contract/first-visit.ts'
import { homePage } from '#contract/pages.ts'
import { listProjects, type Project } from '#contract/projects.ts'
import type { BuiltSite } from '#tests/built-site.ts'
import { type Headers, load } from './load.ts'
import { allVariantsMade, br, call, cpuMicroseconds, median, rounded, withSite } from './site.ts'

const rounds = 3
const seconds = 2

/** What visitors ask for most, beside what node:http alone takes for the same. */
export function benchThroughput() {
  const work = async (site: BuiltSite) => {
    const [newest] = JSON.parse(await call(site.url, listProjects)) as Project[]
    const page = await fetch(site.url, { headers: br })
    const unchanged = { ...br, 'if-none-match': page.headers.get('etag') ?? '' }
    const script = /src="(\/assets\/[^"]+\.js)"/.exec(await page.text())?.[1] ?? ''
    return {
      page: await compareWithBare(site, homePage.path, br),
      'page, unchanged': await compareWithBare(site, homePage.path, unchanged),
      'page, not compressed': await compareWithBare(site, homePage.path),
      projects: await compareWithBare(site, listProjects.path, br),
      photo: await compareWithBare(site, variantAddress(newest?.imageUrl ?? '', 480, 'avif')),
      script: await compareWithBare(site, script, br),
    }
  }
  // Started anew, as sites are that visitors come to: a first start leaves a larger heap.
  return withSite(work, { firstStart: ({ url }) => allVariantsMade(url) })
}

/**
 * What a request costs the site, and how many it answers in a second, beside node:http alone with the same bytes and headers.
 * Both are measured in turn, several times: machines are noisy, and a ratio is less so.
 */
async function compareWithBare({ url, pid }: BuiltSite, address: string, headers: Headers = {}) {
  const site = { url: new URL(address, url).href, pid }
  const [response] = (await once(get(site.url, { headers }), 'response')) as [IncomingMessage]
  const body = await buffer(response)
  const bare = await startBare(response, body)
  const measure = async (server: { url: string; pid: number }, connections: number) => {
    const before = cpuMicroseconds(server.pid)
    const { requests, perSecond } = await load({ url: server.url, headers, connections, seconds })
    return { cpu: (cpuMicroseconds(server.pid) - before) / requests, perSecond }
  }
  const measured: Record<string, unknown> = {}
  for (const connections of [8, 32]) {
    const pairs = []
    for (let round = 0; round <= rounds; round += 1)
      pairs.push({ bare: await measure(bare, connections), site: await measure(site, connections) })
    // The first warms both up.
    pairs.shift()
    measured[`${connections} connections`] = {
      cpuMicroseconds: Math.round(median(pairs.map((pair) => pair.site.cpu))),
      bareCpuMicroseconds: Math.round(median(pairs.map((pair) => pair.bare.cpu))),
      cpuRatio: rounded(median(pairs.map((pair) => pair.bare.cpu / pair.site.cpu))),
      requestsRatio: rounded(median(pairs.map((pair) => pair.site.perSecond / pair.bare.perSecond))),
    }
  }
  bare.stop()
  return { status: response.statusCode, bytes: body.length, ...measured }
}

async function startBare({ statusCode: status, headers }: IncomingMessage, body: Buffer) {
  const child = spawn(process.execPath, [path.join(import.meta.dirname, 'bare-server.mjs')], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  // Set by node:http itself, for either server.
  const { date: _date, connection: _connection, 'keep-alive': _keepAlive, ...same } = headers
  child.stdin.end(JSON.stringify({ status, body: body.toString('base64'), headers: same }))
  const [port] = (await once(child.stdout, 'data')) as [Buffer]
  return { url: `http://127.0.0.1:${String(port).trim()}/`, pid: child.pid ?? 0, stop: () => child.kill('SIGTERM') }
}
