import type { Readable } from 'node:stream'

/** Passes chunks on, and remembers when it was the source that failed. */
export function watchSource(content: Readable) {
  let fault: unknown
  async function* chunks(): AsyncGenerator<Buffer> {
    try {
      yield* content
    } catch (error) {
      fault = error
      throw error
    }
  }
  return { chunks: chunks(), fault: () => fault }
}
