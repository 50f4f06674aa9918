import type { Storage } from '#server/storage/storage.ts'

const mostNames = 50_000

/** Remembers what is there, so that the storage is asked once. Only what no project has shown for a month ever goes away. */
export function createReadyFiles(storage: Storage) {
  const known = new Set<string>()
  return {
    async has(name: string) {
      if (known.has(name)) return true
      const isThere = await storage.has(name)
      if (known.size >= mostNames) known.clear()
      if (isThere) known.add(name)
      return isThere
    },
  }
}
