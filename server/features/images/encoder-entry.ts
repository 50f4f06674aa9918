import { writeFile } from 'node:fs/promises'
import type { ProblemCode } from '#contract/problems.ts'
import { Problem } from '#server/http/problem.ts'
import { runTask, type Task } from './image-tasks.ts'

const run = runTask as (...task: Task) => Promise<unknown>

export type Answer = { result: unknown } | { problem: ProblemCode } | { failure: string }

// Where memory runs short, the system ends this process and not the site.
const sacrificed = writeFile('/proc/self/oom_score_adj', '1000').catch(() => {})

process.on('message', async (task: Task) => {
  await sacrificed
  const watching = setInterval(endWithoutMemory, 20)
  const answer = await run(...task).then((result): Answer => ({ result }), asAnswer)
  clearInterval(watching)
  process.send?.(answer)
  setImmediate(collectGarbage)
})
// The site decides when this process ends: Ctrl+C in its terminal must not interrupt an image that is being processed.
process.on('SIGINT', () => {})
process.on('SIGTERM', () => {})
process.on('disconnect', () => process.exit())

/** Half as much again as the worst photo that is accepted takes. What it is made of is outside of the heap. */
const maxResidentBytes = 512 * 1024 * 1024

/** A decoder may need far more than the file tells. Leaving in order would wait for it. */
function endWithoutMemory() {
  if (process.memoryUsage.rss() > maxResidentBytes) process.kill(process.pid, 'SIGKILL')
}

const maxExternalBytes = 24 * 1024 * 1024

/** The buffers of images are outside of the heap: the collector would let many of them pile up. */
function collectGarbage() {
  if (process.memoryUsage().external > maxExternalBytes) globalThis.gc?.()
}

function asAnswer(error: unknown): Answer {
  if (error instanceof Problem) return { problem: error.code }
  return { failure: error instanceof Error ? (error.stack ?? error.message) : String(error) }
}
