import { LRUCache } from 'lru-cache'
import { isDatabaseAway } from '#server/database/database-away.ts'
import { type Compressed, compress, type Document } from './compressed.ts'
import { awayAfter, unlessAway } from './timeout.ts'

/** Answers that all visitors share: made once per version of the content, and kept compressed. */
export type Published = {
  /** While the database is away, or slow, the answer of before is served. With `keep: false`, as while developing, none is. */
  get(key: string, make: () => Promise<Document>): Promise<Compressed>
  /** Everything is made anew when it is next requested. */
  contentChanged(): void
}

/** Room for some four hundred pages. */
const maxBytes = 16 * 1024 * 1024
/** What a page costs beside its bytes. */
const entryBytes = 2_000
/** How long a database that is away is left alone. */
const restAfterFailure = 1_000

export function createPublished({ keep = true } = {}): Published {
  const pages = new LRUCache<string, { version: number; page: Compressed; goodUntil: number }>({
    maxSize: maxBytes,
    sizeCalculation: ({ page }) => page.br.length + page.gzip.length + entryBytes,
  })
  const beingMade = new Map<string, { version: number; since: number; page: Promise<Compressed> }>()
  let version = 0

  function begin(key: string, make: () => Promise<Document>) {
    const begun = version
    const page = make()
      .then((document) => compress(document))
      .then((made) => {
        // A slow one must not replace what was made from newer content.
        if ((pages.peek(key)?.version ?? 0) <= begun) {
          pages.set(key, { version: begun, page: made, goodUntil: Number.POSITIVE_INFINITY })
        }
        return made
      })
      .finally(() => {
        if (beingMade.get(key) === entry) beingMade.delete(key)
      })
    page.catch((error: unknown) => {
      const kept = pages.peek(key)
      if (!kept || !isDatabaseAway(error)) return
      kept.version = begun
      kept.goodUntil = Date.now() + restAfterFailure
    })
    const entry = { version, since: Date.now(), page }
    beingMade.set(key, entry)
    return entry
  }

  return {
    async get(key, make) {
      if (!keep) return compress(await make())
      const kept = pages.get(key)
      if (kept?.version === version && Date.now() < kept.goodUntil) return kept.page
      const known = beingMade.get(key)
      // More queries to a database that does not answer would only pile up.
      const isLate = kept && known && Date.now() - known.since >= awayAfter
      const { page, since } = known && (known.version === version || isLate) ? known : begin(key, make)
      return kept ? unlessAway(page, kept.page, Math.max(1, awayAfter - (Date.now() - since))) : page
    },
    contentChanged() {
      version += 1
    },
  }
}
