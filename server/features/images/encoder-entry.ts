import type { ProblemCode } from '#contract/problems.ts'
import { Problem } from '#server/http/problem.ts'
import { runTask, type Task } from './image-tasks.ts'

const run = runTask as (...task: Task) => Promise<unknown>

export type Answer = { result: unknown } | { problem: ProblemCode } | { failure: string }

process.on('message', async (task: Task) => {
  process.send?.(await run(...task).then((result): Answer => ({ result }), asAnswer))
  setImmediate(collectGarbage)
})
// The site decides when this process ends: Ctrl+C in its terminal must not interrupt an image that is being processed.
process.on('SIGINT', () => {})
process.on('SIGTERM', () => {})
process.on('disconnect', () => process.exit())

const maxExternalBytes = 24 * 1024 * 1024

/** The buffers of images are outside of the heap: the collector would let many of them pile up. */
function collectGarbage() {
  if (process.memoryUsage().external > maxExternalBytes) globalThis.gc?.()
}

function asAnswer(error: unknown): Answer {
  if (error instanceof Problem) return { problem: error.code }
  return { failure: error instanceof Error ? (error.stack ?? error.message) : String(error) }
}
