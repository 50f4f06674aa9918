import { readFileSync } from 'node:fs'

/** The most memory that a process and those it has started had, each at its worst moment, in megabytes. */
export function peakMegabytes(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number)
  const own = Number(/VmHWM:\s+(\d+)/.exec(status)?.[1]) / 1024
  return children.reduce((total, child) => total + peakMegabytes(child), own)
}
