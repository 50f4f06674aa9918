import type { Language } from '#contract/languages.ts'
import type { OwnFields } from '#contract/site-fields.ts'
import type { Clock } from '#server/clock.ts'
import { readPublished } from '#server/database/site-content.ts'
import type { Db } from '#server/database/tables.ts'
import { unlessAway } from '#server/http/timeout.ts'
import { ownSiteOf } from './own-site.rules.ts'
import { findImages } from './site-content.queries.ts'

type Parts = { db: Db; clock: Clock }

export type ReadOwnSite = ReturnType<typeof openOwnSite>

/** What pages show of the fields, of what is published unless others are given; while the database is away, as last read. */
export function openOwnSite({ db, clock }: Parts) {
  let last: Awaited<ReturnType<typeof read>> | undefined

  async function read(given?: OwnFields) {
    const fields = given ?? (await readPublished(db)).fields
    return { fields, images: await findImages(db, fields) }
  }

  async function readShown() {
    last = await (last ? unlessAway(read(), last) : read())
    return last
  }

  return async (language: Language, fields?: OwnFields) =>
    ownSiteOf({ ...(fields ? await read(fields) : await readShown()), language, now: clock.now() })
}
