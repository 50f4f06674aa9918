import type { Language } from '#contract/languages.ts'
import type { OwnFields } from '#contract/site-fields.ts'
import { type Clock, day } from '#server/clock.ts'
import type { Config } from '#server/config.ts'
import type { Db } from '#server/database/tables.ts'
import { readPublished } from '#server/features/site-content/site-content.queries.ts'
import { unlessAway } from '#server/http/published.ts'
import { commissionsBegin, ownSiteOf } from './own-site.rules.ts'
import { findImages } from './site-content.queries.ts'

type Parts = {
  config: Pick<Config, 'timeZone'>
  db: Db
  clock: Clock
  /** Called when pages change with time: a date for commissions is reached. */
  onChange(): void
}

export type OwnSite = ReturnType<typeof openOwnSite>

/** The published fields as pages show them. */
export function openOwnSite({ config, db, clock, onChange }: Parts) {
  let timer: NodeJS.Timeout | undefined
  let last: Awaited<ReturnType<typeof read>> | undefined

  async function read(otherFields?: OwnFields) {
    const fields = otherFields ?? (await readPublished(db)).fields
    return { fields, images: await findImages(db, fields) }
  }

  async function readShown() {
    last = await read()
    awaitCommissions(last.fields)
    return last
  }

  function awaitCommissions(fields: OwnFields) {
    clearTimeout(timer)
    const wait = (commissionsBegin(fields, config.timeZone)?.getTime() ?? 0) - clock.now().getTime()
    // setTimeout takes at most 24 days. Pages that are made again too early set a new timer.
    if (wait > 0) timer = setTimeout(onChange, Math.min(wait, day)).unref()
  }

  const shownIn = (language: Language, content: Awaited<ReturnType<typeof read>>) =>
    ownSiteOf({ ...content, language, timeZone: config.timeZone, now: clock.now() })

  return {
    /** With the published fields, or with others for a preview. */
    read: async (language: Language, fields?: OwnFields) => shownIn(language, await (fields ? read(fields) : readShown())),
    /** While the database is unreachable, as last read. Not for pages that are cached: they would be stale. */
    readOrLast: async (language: Language) => shownIn(language, await (last ? unlessAway(readShown(), last) : readShown())),
  }
}
