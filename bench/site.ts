import { readdirSync, readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { AnyEndpoint } from '#contract/endpoint.ts'
import { shownWidths, variantAddress } from '#contract/first-visit.ts'
import { listProjects, type Project } from '#contract/projects.ts'
import { type BuiltSite, startBuiltSite } from '#tests/built-site.ts'
import { openToVisitors } from '#tests/calls.ts'

export const account = { username: 'bench', password: 'only for this' }
/** With an owner a site starts without the demo's models. */
export const owner = { ADMIN_USERNAME: account.username, ADMIN_PASSWORD: account.password }
export const br = { 'accept-encoding': 'br' }

type Options = {
  settings?: Record<string, string>
  /** What a first start of the site does, and what is done to its folder before the start that is measured. */
  firstStart?: (site: BuiltSite) => Promise<unknown>
  prepare?: (dataDir: string) => Promise<unknown>
}

export async function withFolder<T>(work: (folder: string) => Promise<T>) {
  const folder = await mkdtemp(path.join(tmpdir(), 'vitrina-bench-'))
  try {
    return await work(folder)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Runs the work against a built site of its own, and leaves nothing behind. */
export function withSite<T>(
  work: (site: BuiltSite, dataDir: string) => Promise<T>,
  { settings: more = {}, firstStart, prepare }: Options = {},
) {
  return withFolder(async (dataDir) => {
    const settings = { DATA_DIR: dataDir, RATE_LIMITS: 'off', MALLOC_ARENA_MAX: '2', ...more }
    if (firstStart || prepare) {
      const first = await startBuiltSite(settings)
      await firstStart?.(first)
      await first.stop()
      await prepare?.(dataDir)
    }
    const site = await startBuiltSite(settings)
    if ('ADMIN_USERNAME' in more) await openToVisitors(site.url, account)
    try {
      return await work(site, dataDir)
    } finally {
      await site.stop()
    }
  })
}

/** Resolves when a new site has made the variants of its photos that browsers of today ask for. */
export async function allVariantsMade(url: string) {
  const projects = (await (await fetch(new URL(listProjects.path, url))).json()) as Project[]
  for (const { imageUrl } of projects) {
    for (const width of shownWidths) {
      const isMade = async () => {
        const { headers } = await fetch(new URL(variantAddress(imageUrl, width, 'avif'), url), { method: 'HEAD' })
        return headers.get('cache-control')?.includes('immutable')
      }
      while (!(await isMade())) await pause(500)
    }
  }
  return projects
}

type Call = { cookie?: string; params?: string; query?: string; body?: BodyInit }

/** A call of the contract, answered with its text; another status than 2xx fails. */
export async function call(url: string, { method, path: pattern }: AnyEndpoint, { cookie, params, query, body }: Call = {}) {
  const response = await fetch(new URL(pattern.replace(/:\w+/, params ?? '') + (query ?? ''), url), {
    method,
    headers: { ...br, ...(cookie && { cookie }), ...(typeof body === 'string' && { 'content-type': 'application/json' }) },
    ...(body !== undefined && { body }),
  })
  const text = await response.text()
  if (!response.ok) throw new Error(`${method} ${pattern} answered ${response.status}: ${text.slice(0, 500)}`)
  return text
}

/** Resident memory of a process in megabytes, as the operating system counts it; nothing once it has ended. */
export function residentMegabytes(pid: number): number {
  return Number(/VmRSS:\s+(\d+)/.exec(readProc(pid, 'status'))?.[1] ?? 0) / 1024
}

/** Of a process and of all it has started. */
export function familyMegabytes(pid: number): number {
  return childrenOf(pid).reduce((total, child) => total + familyMegabytes(child), residentMegabytes(pid))
}

export function childrenOf(pid: number): number[] {
  try {
    const tasks = readdirSync(`/proc/${pid}/task`)
    return tasks.flatMap((task) => readProc(pid, `task/${task}/children`).split(' ').filter(Boolean).map(Number))
  } catch {
    return []
  }
}

/** The most memory of a process and its children until `stop`; looking takes processor time itself. */
export function watchMemory(pid: number, milliseconds: number) {
  const peak = { own: 0, family: 0 }
  const timer = setInterval(() => {
    peak.own = Math.max(peak.own, residentMegabytes(pid))
    peak.family = Math.max(peak.family, familyMegabytes(pid))
  }, milliseconds)
  return { peak, stop: () => clearInterval(timer) }
}

/** What a process has used of the processor so far: the system counts hundredths of a second. */
export function cpuMicroseconds(pid: number) {
  const [user = 0, system = 0] = readProc(pid, 'stat').split(') ')[1]?.split(' ').slice(11, 13).map(Number) ?? []
  return (user + system) * 10_000
}

function readProc(pid: number, name: string) {
  try {
    return readFileSync(`/proc/${pid}/${name}`, 'utf8')
  } catch {
    return ''
  }
}

export async function timeOf(work: () => Promise<unknown>) {
  const began = performance.now()
  await work()
  return performance.now() - began
}

export function median(values: number[]) {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN
}

export function rounded(number: number, digits = 2) {
  return Math.round(number * 10 ** digits) / 10 ** digits
}
