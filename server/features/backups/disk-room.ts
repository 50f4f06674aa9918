import { Problem } from '#server/http/problem.ts'

/** Left free for the database and the log. */
const margin = 32 * 1024 * 1024

/** Refuses before anything is written when it would not fit. */
export async function ensureRoom(place: { freeBytes(): Promise<number> }, bytes: number) {
  const free = await place.freeBytes()
  if (free >= bytes + margin) return
  throw new Problem('disk_full', {
    details: { neededMegabytes: inMegabytes(bytes), freeMegabytes: inMegabytes(Math.max(0, free - margin)) },
  })
}

function inMegabytes(bytes: number) {
  return Math.ceil(bytes / 1_000_000)
}
