import type { Db } from '#server/database/tables.ts'
import { isShown, listPerhapsHidden } from '#server/features/images/project-photos.ts'

export type HiddenImages = ReturnType<typeof createHiddenImages>

/** The images that visitors may not read, though they are stored: those of projects in the trash. */
export function createHiddenImages(db: Db) {
  let perhaps: ReadonlySet<string> = new Set()
  let shown = new Map<string, boolean>()
  let reading = Promise.resolve()
  let next: Promise<void> | undefined
  let isStale = false

  async function read() {
    next = undefined
    isStale = true
    perhaps = await listPerhapsHidden(db)
    shown = new Map()
    isStale = false
  }

  /** Reads them anew. While the database is away they stay as they were. */
  function refresh() {
    next ??= reading = reading.then(read).catch(() => {})
    return next
  }

  /** Without a query: most images are not. */
  function isPerhaps(hash: string) {
    // The last read failed, and the next change may be days away.
    if (isStale) void refresh()
    return perhaps.has(hash)
  }

  return {
    refresh,
    isPerhaps,
    async has(hash: string) {
      if (!isPerhaps(hash)) return false
      const cache = shown
      const isVisible = cache.get(hash) ?? (await isShown(db, hash))
      cache.set(hash, isVisible)
      return !isVisible
    },
  }
}
