import { CallError } from '../../../api/call.ts'

/** The parts that have not arrived, and how many bytes of the file have. */
export function partsLeft({ bytes, partBytes, received }: { bytes: number; partBytes: number; received: readonly number[] }) {
  const there = new Set(received)
  const all = Array.from({ length: Math.ceil(bytes / partBytes) }, (_, part) => {
    const from = part * partBytes
    return { part, from, to: Math.min(bytes, from + partBytes) }
  })
  const left = all.filter(({ part }) => !there.has(part))
  return { left, arrived: bytes - left.reduce((sum, { from, to }) => sum + to - from, 0) }
}

/** Whether it is worth trying again by itself: nobody answered, or somebody who could not just then. */
export function isPassing(error: unknown) {
  if (!(error instanceof CallError)) return true
  return error.status === 408 || error.status === 429 || (error.status >= 500 && error.status !== 507)
}
