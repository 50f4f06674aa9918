import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import path from 'node:path'
import { buffer } from 'node:stream/consumers'
import type { BuiltSite } from '#tests/built-site.ts'
import { chooseGenerator, cpuMicroseconds, type Generator } from './load.ts'
import { median } from './site.ts'

const rounds = 3
const seconds = 2

type Headers = Record<string, string>
type Server = { url: string; pid: number }

/**
 * What a request to an address costs the site, and how many it answers in a second, beside node:http alone with the same
 * bytes and the same headers. Both are measured in turn, several times: machines are noisy, and a ratio is less so.
 */
export async function compareWithBare({ url, pid }: Pick<BuiltSite, 'url' | 'pid'>, address: string, headers: Headers = {}) {
  const generator = await chooseGenerator()
  const site = { url: new URL(address, url).href, pid }
  const answer = await fetchRaw(site.url, headers)
  const bare = await startBare(answer)
  try {
    const measured: Record<string, unknown> = {}
    for (const connections of [8, 32]) {
      const pairs: { site: Cost; bare: Cost }[] = []
      for (let round = 0; round <= rounds; round += 1) {
        const pair = {
          bare: await measure(generator, bare, headers, connections),
          site: await measure(generator, site, headers, connections),
        }
        // The first warms both up.
        if (round > 0) pairs.push(pair)
      }
      const of = (what: keyof Cost, which: 'site' | 'bare') => median(pairs.map((pair) => pair[which][what]))
      measured[`${connections} connections`] = {
        cpuMicroseconds: Math.round(of('cpu', 'site')),
        bareCpuMicroseconds: Math.round(of('cpu', 'bare')),
        cpuRatio: rounded(median(pairs.map((pair) => pair.bare.cpu / pair.site.cpu))),
        requestsPerSecond: Math.round(of('perSecond', 'site')),
        bareRequestsPerSecond: Math.round(of('perSecond', 'bare')),
        requestsRatio: rounded(median(pairs.map((pair) => pair.site.perSecond / pair.bare.perSecond))),
      }
    }
    return { status: answer.status, bytes: answer.body.length, by: generator.name, ...measured }
  } finally {
    bare.stop()
  }
}

type Cost = { cpu: number; perSecond: number }

async function measure({ send }: Generator, { url, pid }: Server, headers: Headers, connections: number): Promise<Cost> {
  const before = cpuMicroseconds(pid)
  const { requests, perSecond } = await send({ url, headers, connections, seconds })
  return { cpu: (cpuMicroseconds(pid) - before) / requests, perSecond }
}

function rounded(number: number) {
  return Math.round(number * 100) / 100
}

async function fetchRaw(url: string, headers: Headers) {
  const [response] = (await once(get(url, { headers }), 'response')) as [IncomingMessage]
  return { status: response.statusCode ?? 0, headers: response.headers, body: await buffer(response) }
}

async function startBare({ status, headers, body }: Awaited<ReturnType<typeof fetchRaw>>) {
  const child = spawn(process.execPath, [path.join(import.meta.dirname, 'bare-server.mjs')], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  // Set by node:http itself, for either server.
  const { date: _date, connection: _connection, 'keep-alive': _keepAlive, ...same } = headers
  child.stdin.end(JSON.stringify({ status, body: body.toString('base64'), headers: same }))
  const [port] = (await once(child.stdout, 'data')) as [Buffer]
  return { url: `http://127.0.0.1:${String(port).trim()}/`, pid: child.pid ?? 0, stop: () => child.kill('SIGTERM') }
}
