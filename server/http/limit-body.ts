import { Readable } from 'node:stream'
import type { ProblemCode } from '#contract/problems.ts'
import { Problem } from './problem.ts'

/** Refuses the first byte too many, whatever length was announced. */
export async function* limitBody(body: Readable | AsyncIterable<Buffer>, maxBytes: number, code: ProblemCode) {
  let bytes = 0
  // The stream is left open: the answer travels back over the same connection.
  for await (const chunk of body instanceof Readable ? body.iterator({ destroyOnReturn: false }) : body) {
    bytes += chunk.length
    if (bytes > maxBytes) throw new Problem(code)
    yield chunk
  }
}
