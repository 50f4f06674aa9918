import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { promisify } from 'node:util'
import autocannon from 'autocannon'

type Load = { url: string; headers: Record<string, string>; connections: number; seconds: number }
type Sent = { requests: number; perSecond: number }

const run = promisify(execFile)

/** wrk where it is installed: a generator in JavaScript takes as long as the server, and both wait for it. */
export async function chooseGenerator() {
  const isThere = await run('wrk', ['-v']).then(
    () => true,
    (error: { code?: unknown }) => error.code !== 'ENOENT',
  )
  return isThere ? ({ name: 'wrk', send: byWrk } as const) : ({ name: 'autocannon', send: byAutocannon } as const)
}

export type Generator = Awaited<ReturnType<typeof chooseGenerator>>

async function byWrk({ url, headers, connections, seconds }: Load): Promise<Sent> {
  const given = Object.entries(headers).flatMap(([name, value]) => ['-H', `${name}: ${value}`])
  const { stdout } = await run('wrk', ['-t1', `-c${connections}`, `-d${seconds}s`, ...given, url])
  if (/Non-2xx or 3xx|Socket errors/.test(stdout)) throw new Error(`${url}: ${stdout}`)
  return {
    requests: Number(/(\d+) requests in/.exec(stdout)?.[1]),
    perSecond: Number(/Requests\/sec:\s+([\d.]+)/.exec(stdout)?.[1]),
  }
}

async function byAutocannon({ url, headers, connections, seconds }: Load): Promise<Sent> {
  const { errors, non2xx, requests, statusCodeStats = {} } = await autocannon({ url, headers, connections, duration: seconds })
  const unchanged = statusCodeStats['304']?.count ?? 0
  if (errors > 0 || non2xx > unchanged) throw new Error(`${url}: ${non2xx} refused, ${errors} failed`)
  return { requests: requests.total, perSecond: requests.average }
}

/** What a process has used of the processor so far, as the operating system counts it: in hundredths of a second. */
export function cpuMicroseconds(pid: number) {
  const [user = 0, system = 0] =
    readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ').slice(11, 13).map(Number) ?? []
  return (user + system) * 10_000
}
