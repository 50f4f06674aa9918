import { sql } from 'kysely'
import { type Maker, maker } from '#content/maker.ts'
import { withOwn } from '#content/with-own.ts'
import { type OwnFields, photosIn } from '#contract/site-fields.ts'
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

/** The photos of all versions that are kept, and of the draft. */
export async function listSitePhotos(db: Db) {
  const versions = await db.selectFrom('siteVersions').select('fields').execute()
  const draft = await db.selectFrom('siteDraft').select('changes').execute()
  return [...versions.map(({ fields }) => fields), ...draft.map(({ changes }) => changes)].flatMap(photosIn)
}

/** Whether a photo is one of them, without reading them all. */
export async function isSitePhoto(db: Db, hash: string) {
  const named = (column: 'fields' | 'changes') => sql<boolean>`cast(${sql.ref(column)} as text) like ${`%${hash}%`}`
  const found = db
    .selectFrom('siteVersions')
    .select(sql`1`.as('one'))
    .where(named('fields'))
    .union(db.selectFrom('siteDraft').select(sql`1`.as('one')).where(named('changes')))
  return (await found.executeTakeFirst()) !== undefined
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
