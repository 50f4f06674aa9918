import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import path from 'node:path'
import { buffer } from 'node:stream/consumers'
import autocannon from 'autocannon'
import { median } from './site.ts'

const rounds = 3
const seconds = 4

type Comparison = { requestsPerSecond: number; bareRequestsPerSecond: number; ratio: number; bytes: number }

/**
 * How many requests a second an address answers, as a part of what node:http alone answers with the same bytes and the
 * same headers. Both are measured in turn, several times: machines are noisy, and a ratio is not.
 */
export async function compareWithBare(url: string, headers: Record<string, string> = {}): Promise<Comparison> {
  const answer = await fetchRaw(url, headers)
  const bare = await startBare(answer)
  try {
    const pairs: { site: number; bare: number }[] = []
    await measure(url, headers, 1)
    await measure(bare.url, headers, 1)
    for (let round = 0; round < rounds; round += 1) {
      pairs.push({ bare: await measure(bare.url, headers, seconds), site: await measure(url, headers, seconds) })
    }
    return {
      requestsPerSecond: Math.round(median(pairs.map(({ site }) => site))),
      bareRequestsPerSecond: Math.round(median(pairs.map((pair) => pair.bare))),
      ratio: Math.round(median(pairs.map((pair) => pair.site / pair.bare)) * 100) / 100,
      bytes: answer.body.length,
    }
  } finally {
    bare.stop()
  }
}

async function measure(url: string, headers: Record<string, string>, duration: number) {
  const result = await autocannon({ url, headers, duration, connections: 20 })
  if (result.non2xx > 0 || result.errors > 0) throw new Error(`${url}: ${result.non2xx} refused, ${result.errors} failed`)
  return result.requests.average
}

async function fetchRaw(url: string, headers: Record<string, string>) {
  const [response] = (await once(get(url, { headers }), 'response')) as [IncomingMessage]
  return { headers: response.headers, body: await buffer(response) }
}

async function startBare({ headers, body }: Awaited<ReturnType<typeof fetchRaw>>) {
  const child = spawn(process.execPath, [path.join(import.meta.dirname, 'bare-server.mjs')], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  // Set by node:http itself, for either server.
  const { date: _date, connection: _connection, 'keep-alive': _keepAlive, ...same } = headers
  child.stdin.end(JSON.stringify({ body: body.toString('base64'), headers: same }))
  const [port] = (await once(child.stdout, 'data')) as [Buffer]
  return { url: `http://127.0.0.1:${String(port).trim()}/`, stop: () => child.kill('SIGTERM') }
}
