import { readdirSync, readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { shownWidths, variantAddress } from '#contract/first-visit.ts'
import { listProjects, type Project } from '#contract/projects.ts'
import { type BuiltSite, startBuiltSite } from '#tests/built-site.ts'

/** Runs the work against a built demo site of its own, and leaves nothing behind. */
export async function withSite<T>(
  work: (site: BuiltSite, dataDir: string) => Promise<T>,
  settings: Record<string, string> = {},
) {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'vitrina-bench-'))
  try {
    const site = await startBuiltSite({ DATA_DIR: dataDir, RATE_LIMITS: 'off', MALLOC_ARENA_MAX: '2', ...settings })
    try {
      return await work(site, dataDir)
    } finally {
      await site.stop()
    }
  } finally {
    await rm(dataDir, { recursive: true, force: true })
  }
}

/** Resolves when a new site has made all the smaller copies of its photos that browsers of today ask for. */
export async function allCopiesMade(url: string) {
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

/** Resident memory of a process in megabytes, as the operating system counts it; nothing once it has ended. */
export function residentMegabytes(pid: number): number {
  try {
    return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024
  } catch {
    return 0
  }
}

/** After the first requests, when the collector has had its turn. */
export async function settledMegabytes(pid: number) {
  await pause(3_000)
  return residentMegabytes(pid)
}

/** Of a process and of all it has started. */
export function familyMegabytes(pid: number): number {
  return childrenOf(pid).reduce((total, child) => total + familyMegabytes(child), residentMegabytes(pid))
}

export function childrenOf(pid: number): number[] {
  try {
    const tasks = readdirSync(`/proc/${pid}/task`)
    return tasks.flatMap((task) =>
      readFileSync(`/proc/${pid}/task/${task}/children`, 'utf8').split(' ').filter(Boolean).map(Number),
    )
  } catch {
    return []
  }
}

export function median(values: number[]) {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN
}
