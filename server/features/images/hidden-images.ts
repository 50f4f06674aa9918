import { isShown, listPerhapsHidden } from '#server/database/project-photos.ts'
import type { Db } from '#server/database/tables.ts'

export type HiddenImages = ReturnType<typeof createHiddenImages>

/** The images that visitors may not read, though they are stored: those of projects in the trash. */
export function createHiddenImages(db: Db) {
  let perhaps: ReadonlySet<string> = new Set()
  let shown = new Map<string, boolean>()
  let reading = Promise.resolve()
  let next: Promise<void> | undefined

  async function read() {
    next = undefined
    perhaps = await listPerhapsHidden(db)
    shown = new Map()
  }

  return {
    /** Reads them anew. While the database is away they stay as they were. */
    refresh() {
      next ??= reading = reading.then(read).catch(() => {})
      return next
    },
    /** Without a query: most images are not. */
    isPerhaps: (hash: string) => perhaps.has(hash),
    async has(hash: string) {
      if (!perhaps.has(hash)) return false
      const cache = shown
      const found = cache.get(hash) ?? (await isShown(db, hash))
      cache.set(hash, found)
      return !found
    },
  }
}
