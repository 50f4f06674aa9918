import { existsSync } from 'node:fs'
import { getPriority, setPriority } from 'node:os'
import path from 'node:path'

const sources = {
  encoder: 'server/features/images/encoder-entry.ts',
  worker: 'server/backup/worker.ts',
} as const

/** A program that runs beside the site: the built file, or its source while developing. */
export function ownProgram(name: keyof typeof sources): { file: string; execArgv?: string[] } {
  const isSource = import.meta.url.endsWith('.ts')
  if (!isSource) return { file: path.join(projectRoot, 'dist/server', `${name}.js`) }
  return { file: path.join(projectRoot, sources[name]), execArgv: ['--import', 'tsx'] }
}

const { PATH, LD_LIBRARY_PATH, TMPDIR } = process.env

/** Otherwise glibc keeps a heap per thread and returns little memory: 350 MB instead of 150, measured. */
export const trimMemory = { MALLOC_ARENA_MAX: '1', MALLOC_TRIM_THRESHOLD_: '65536', MALLOC_MMAP_THRESHOLD_: '65536' }

/** For a program that decodes images: without the site's secrets. */
export const bareEnvironment = { PATH, LD_LIBRARY_PATH, TMPDIR, ...trimMemory }

/** Does nothing where the system refuses. SAME_PRIORITY is for tests: beside others they would leave the process nothing. */
export function lowerPriority(pid: number | undefined, priority: number) {
  try {
    if (pid && !process.env.SAME_PRIORITY) setPriority(pid, Math.max(priority, getPriority()))
  } catch {}
}

/** The folder with package.json, whether this runs from source or from dist/. */
export const projectRoot = findRoot(import.meta.dirname)

function findRoot(folder: string): string {
  if (existsSync(path.join(folder, 'package.json'))) return folder
  const parent = path.dirname(folder)
  if (parent === folder) throw new Error('The project folder was not found: there is no package.json above this file.')
  return findRoot(parent)
}
