import type { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import type { Storage } from '#server/storage/storage.ts'

export type StoredContent = { content: Buffer | Readable; bytes: number }

/** Room for the copies of some two hundred photos as phones ask for them. */
const mostBytes = 8 * 1024 * 1024
/** A wide copy is asked for once, when somebody opens a project; it would push out what everybody sees. */
const mostBytesEach = 192 * 1024

/** Keeps the small files that visitors ask for most in memory. Their content never changes, so they are never stale. */
export function createHotFiles(storage: Storage) {
  const kept = new Map<string, Buffer>()
  let bytes = 0

  function keep(name: string, content: Buffer) {
    if (kept.has(name)) return
    kept.set(name, content)
    bytes += content.length
    for (const [oldest, { length }] of kept) {
      if (bytes <= mostBytes) break
      kept.delete(oldest)
      bytes -= length
    }
  }

  return {
    async get(name: string): Promise<StoredContent | undefined> {
      const known = kept.get(name)
      if (known) {
        // The latest asked for goes to the end of the line.
        kept.delete(name)
        kept.set(name, known)
        return { content: known, bytes: known.length }
      }
      const stored = await storage.stream(name)
      if (!stored || stored.bytes > mostBytesEach) return stored
      const content = await buffer(stored.content)
      keep(name, content)
      return { content, bytes: content.length }
    },
  }
}
