import type { ImageFacts } from '#contract/images.ts'
import { type FieldChanges, type OwnFields, photosIn, withChanges } from '#contract/site-fields.ts'
import type { Db } from '#server/database/tables.ts'
import { knownFields, readPublished } from '#server/features/site-content/published-content.ts'

export async function readDraft(db: Db) {
  const draft = await db.selectFrom('siteDraft').selectAll().executeTakeFirst()
  return draft && { ...draft, changes: knownFields(draft.changes) as FieldChanges }
}

type Draft = { changes: FieldChanges; revision: string; author: string | null; changedAt: string }

/** An empty one is none. */
export async function writeDraft(db: Db, { changes, ...more }: Draft) {
  await db.deleteFrom('siteDraft').execute()
  if (Object.keys(changes).length === 0) return
  await db
    .insertInto('siteDraft')
    .values({ id: 1, changes: JSON.stringify(changes), ...more })
    .execute()
}

/** From the newest to the oldest. */
export async function listVersions(db: Db) {
  const versions = await db.selectFrom('siteVersions').selectAll().orderBy('number', 'desc').execute()
  return versions.map((version) => ({ ...version, fields: knownFields(version.fields) as OwnFields }))
}

/** The fields of a version, if it is still kept; 0 is the site as it came. */
export async function findVersion(db: Db, number: number): Promise<OwnFields | undefined> {
  if (number === 0) return {}
  const version = await db.selectFrom('siteVersions').select('fields').where('number', '=', number).executeTakeFirst()
  return version && knownFields(version.fields)
}

/** The fields of `draft` as if they were published, or of a version by its number. */
export async function findPreview(db: Db, preview: string) {
  if (preview !== 'draft') return findVersion(db, Number(preview))
  const [published, draft] = await Promise.all([readPublished(db), readDraft(db)])
  return withChanges(published.fields, draft?.changes ?? {})
}

/** What is known of the photos that fields show, by their hashes. */
export async function findImages(db: Db, fields: FieldChanges): Promise<ReadonlyMap<string, ImageFacts>> {
  const hashes = photosIn(fields)
  if (hashes.length === 0) return new Map()
  const images = await db
    .selectFrom('images')
    .select(['hash', 'width', 'height', 'placeholder'])
    .where('hash', 'in', hashes)
    .execute()
  return new Map(images.map(({ hash, ...facts }) => [hash, facts]))
}

export async function findUsername(db: Db, adminId: string) {
  const admin = await db.selectFrom('adminUsers').select('username').where('id', '=', adminId).executeTakeFirst()
  return admin?.username ?? null
}
