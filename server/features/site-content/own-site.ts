import type { Language } from '#contract/languages.ts'
import type { OwnFields } from '#contract/site-fields.ts'
import { type Clock, day } from '#server/clock.ts'
import type { Db } from '#server/database/tables.ts'
import { readPublished } from '#server/features/site-content/site-content.queries.ts'
import { unlessAway } from '#server/http/published.ts'
import { commissionsBegin, ownSiteOf } from './own-site.rules.ts'
import { findImages } from './site-content.queries.ts'

type Parts = {
  db: Db
  clock: Clock
  /** Called when what pages show has become another by itself. */
  onChange(): void
}

export type OwnSite = ReturnType<typeof openOwnSite>

/** What pages show of the fields. */
export function openOwnSite({ db, clock, onChange }: Parts) {
  let timer: NodeJS.Timeout | undefined
  let last: Awaited<ReturnType<typeof read>> | undefined

  async function read(given?: OwnFields) {
    const fields = given ?? (await readPublished(db)).fields
    return { fields, images: await findImages(db, fields) }
  }

  async function readShown() {
    last = await read()
    awaitCommissions(last.fields)
    return last
  }

  function awaitCommissions(fields: OwnFields) {
    clearTimeout(timer)
    const wait = (commissionsBegin(fields)?.getTime() ?? 0) - clock.now().getTime()
    // Node takes no more than 24 days. Pages that are made anew a day too soon read this again.
    if (wait > 0) timer = setTimeout(onChange, Math.min(wait, day)).unref()
  }

  const shownIn = (language: Language, known: Awaited<ReturnType<typeof read>>) =>
    ownSiteOf({ ...known, language, now: clock.now() })

  return {
    /** Of what is published, unless others are given. */
    read: async (language: Language, fields?: OwnFields) => shownIn(language, await (fields ? read(fields) : readShown())),
    /** While the database is away, as last read. Nothing that is kept may be made of it: it would be older than it says. */
    readOrLast: async (language: Language) => shownIn(language, await (last ? unlessAway(readShown(), last) : readShown())),
  }
}
