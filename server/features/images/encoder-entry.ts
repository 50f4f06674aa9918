import { writeFile } from 'node:fs/promises'
import type { ProblemCode } from '#contract/problems.ts'
import { Problem } from '#server/http/problem.ts'
import { runTask, type Task } from './image-tasks.ts'

const run = runTask as (...task: Task) => Promise<unknown>

export type Answer = { result: unknown } | { problem: ProblemCode } | { failure: string }

// When memory runs out, the system should kill this process and not the site.
const sacrificed = writeFile('/proc/self/oom_score_adj', '1000').catch(() => {})

process.on('message', async (task: Task) => {
  await sacrificed
  const watching = setInterval(endWithoutMemory, 20)
  const answer = await run(...task).then((result): Answer => ({ result }), asAnswer)
  clearInterval(watching)
  process.send?.(answer)
  setImmediate(collectGarbage)
})
// The site ends this process: Ctrl+C in the terminal must not interrupt an image.
process.on('SIGINT', () => {})
process.on('SIGTERM', () => {})
process.on('disconnect', () => process.exit())

/** Half as much again as the worst accepted photo takes. Node's heap limit does not count image buffers. */
const maxResidentBytes = 512 * 1024 * 1024

/** A decoder may need far more than the file says. SIGKILL, because an orderly exit would wait for it. */
function endWithoutMemory() {
  if (process.memoryUsage.rss() > maxResidentBytes) process.kill(process.pid, 'SIGKILL')
}

const maxExternalBytes = 24 * 1024 * 1024

/** Image buffers are outside of the heap, so the collector alone would let many pile up. */
function collectGarbage() {
  if (process.memoryUsage().external > maxExternalBytes) globalThis.gc?.()
}

function asAnswer(error: unknown): Answer {
  if (error instanceof Problem) return { problem: error.code }
  return { failure: error instanceof Error ? (error.stack ?? error.message) : String(error) }
}
