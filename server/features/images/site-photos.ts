import { sql } from 'kysely'
import { photosIn } from '#contract/site-fields.ts'
import type { Db } from '../../database/tables.ts'

/** The photos of the page in all stored versions, and in the draft. */
export async function listSitePhotos(db: Db) {
  const versions = await db.selectFrom('siteVersions').select('fields').execute()
  const drafts = await db.selectFrom('siteDraft').select('changes').execute()
  return [...versions.map(({ fields }) => fields), ...drafts.map(({ changes }) => changes)].flatMap(photosIn)
}

/** Whether a photo is one of them, by looking for its hash in them. */
export async function isSitePhoto(db: Db, hash: string) {
  const named = (column: 'fields' | 'changes') => sql<boolean>`cast(${sql.ref(column)} as text) like ${`%${hash}%`}`
  const matches = db
    .selectFrom('siteVersions')
    .select(sql`1`.as('one'))
    .where(named('fields'))
    .union(db.selectFrom('siteDraft').select(sql`1`.as('one')).where(named('changes')))
  return (await matches.executeTakeFirst()) !== undefined
}
