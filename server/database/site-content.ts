import { type Maker, maker } from '#content/maker.ts'
import { withOwn } from '#content/with-own.ts'
import type { OwnFields } from '#contract/site-fields.ts'
import type { Db } from './tables.ts'

/** What is shown: the newest version, or the site as it came, which is number 0. */
export async function readPublished(db: Db) {
  const newest = await db.selectFrom('siteVersions').selectAll().orderBy('number', 'desc').limit(1).executeTakeFirst()
  return {
    number: newest?.number ?? 0,
    fields: newest?.fields ?? ({} satisfies OwnFields),
    author: newest?.author ?? null,
    publishedAt: newest?.createdAt ?? null,
  }
}

const prefix = 'maker.'

/** Those of the fields that are facts of the maker, by their paths in content/maker.ts. */
export function factsIn(fields: OwnFields) {
  return Object.fromEntries(
    Object.entries(fields).flatMap(([field, value]) => (field.startsWith(prefix) ? [[field.slice(prefix.length), value]] : [])),
  )
}

/** Whom visitors write to. */
export async function readMaker(db: Db): Promise<Maker> {
  return withOwn(maker, factsIn((await readPublished(db)).fields))
}
