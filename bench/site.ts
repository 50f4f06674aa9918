import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
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

/** Resident memory of a process in megabytes, as the operating system counts it. */
export async function residentMegabytes(pid: number, field: 'VmRSS' | 'VmHWM' = 'VmRSS') {
  const status = await readFile(`/proc/${pid}/status`, 'utf8')
  const kilobytes = Number(new RegExp(`${field}:\\s+(\\d+)`).exec(status)?.[1])
  return Math.round(kilobytes / 1024)
}

export function median(values: number[]) {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN
}
