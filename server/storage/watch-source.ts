import type { Readable } from 'node:stream'

/** Passes chunks on, and remembers when it was the source that failed, and not the one who takes them. */
export function watchSource(content: Readable) {
  let fault: unknown
  async function* chunks(): AsyncGenerator<Buffer> {
    const source: AsyncIterator<Buffer> = content[Symbol.asyncIterator]()
    const next = () =>
      source.next().catch((error: unknown) => {
        fault = error
        throw error
      })
    try {
      for (let chunk = await next(); !chunk.done; chunk = await next()) yield chunk.value
    } finally {
      content.destroy()
    }
  }
  return { chunks: chunks(), fault: () => fault }
}
