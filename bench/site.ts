import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { listProjects, type Project } from '#contract/projects.ts'
import { type BuiltSite, startBuiltSite } from '#tests/built-site.ts'

/** Runs the work against a built demo site of its own, and leaves nothing behind. */
export async function withSite<T>(
  work: (site: BuiltSite, dataDir: string) => Promise<T>,
  settings: Record<string, string> = {},
) {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'vitrina-bench-'))
  try {
    const site = await startBuiltSite({ DATA_DIR: dataDir, RATE_LIMITS: 'off', ...settings })
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
    for (const copy of ['w=480&f=avif', 'w=960&f=avif', 'w=1600&f=avif']) {
      const isMade = async () => {
        const { headers } = await fetch(new URL(`${imageUrl}?${copy}`, url), { method: 'HEAD' })
        return headers.get('cache-control')?.includes('immutable')
      }
      while (!(await isMade())) await pause(500)
    }
  }
  return projects
}

/** Resident memory of a process in megabytes, as the operating system counts it. */
export async function residentMegabytes(pid: number, field: 'VmRSS' | 'VmHWM' = 'VmRSS') {
  const status = await readFile(`/proc/${pid}/status`, 'utf8')
  const kilobytes = Number(new RegExp(`${field}:\\s+(\\d+)`).exec(status)?.[1])
  return Math.round(kilobytes / 1024)
}

export function median(values: number[]) {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN
}
