import type { ProblemCode } from '#contract/problems.ts'
import { Problem } from '#server/http/problem.ts'
import { copyImage } from './copy-image.ts'
import type { Workshop } from './encoder.ts'
import { judgeImage } from './judge-image.ts'
import { prepareImage } from './prepare-image.ts'

export type Task = { [Name in keyof Workshop]: { name: Name; given: Parameters<Workshop[Name]> } }[keyof Workshop]
export type Answer = { result: unknown } | { problem: ProblemCode } | { failure: string }

function perform(task: Task): Promise<unknown> {
  switch (task.name) {
    case 'prepareImage':
      return prepareImage(...task.given)
    case 'copyImage':
      return copyImage(...task.given)
    case 'judgeImage':
      return judgeImage(...task.given)
  }
}

process.on('message', async (task: Task) => {
  process.send?.(await perform(task).then((result): Answer => ({ result }), explain))
  setImmediate(tidyUp)
})
// The site decides when we end: a Ctrl+C in its terminal must not take a photo that is under way with it.
process.on('SIGINT', () => {})
process.on('SIGTERM', () => {})
process.on('disconnect', () => process.exit())

const mostLeftLying = 24 * 1024 * 1024

/** A photo is a few megabytes that the collector does not see as its own, and would leave lying for many photos. */
function tidyUp() {
  if (process.memoryUsage().external > mostLeftLying) globalThis.gc?.()
}

function explain(error: unknown): Answer {
  if (error instanceof Problem) return { problem: error.code }
  return { failure: error instanceof Error ? (error.stack ?? error.message) : String(error) }
}
