import type { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { LRUCache } from 'lru-cache'
import type { Storage } from '#server/storage/storage.ts'

export type StoredContent = { content: Buffer | Readable; bytes: number }

/** Room for the variants of some two hundred photos as phones ask for them. */
const maxBytes = 8 * 1024 * 1024
/** A wide variant is asked for once, when a project is opened; it would push out what everybody sees. */
const maxBytesEach = 192 * 1024

/** Keeps the small files that visitors ask for most in memory. Their content never changes, so they are never stale. */
export function createHotFiles(storage: Storage) {
  const kept = new LRUCache<string, Buffer>({ maxSize: maxBytes, sizeCalculation: ({ length }) => length || 1 })
  return {
    async get(name: string): Promise<StoredContent | undefined> {
      const known = kept.get(name)
      if (known) return { content: known, bytes: known.length }
      const stored = await storage.stream(name)
      if (!stored || stored.bytes > maxBytesEach) return stored
      const content = await buffer(stored.content)
      kept.set(name, content)
      return { content, bytes: content.length }
    },
    /** What is kept already. */
    inMemory: (name: string) => kept.get(name),
  }
}
