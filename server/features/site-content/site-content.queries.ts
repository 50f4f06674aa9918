import { type Maker, maker } from '#content/maker.ts'
import { defaultOf } from '#content/site-defaults.ts'
import { withOwn } from '#content/with-own.ts'
import type { ImageFacts } from '#contract/images.ts'
import { mostVersions } from '#contract/site-content.ts'
import {
  type FieldChanges,
  faultOf,
  type OwnFields,
  photosIn,
  ruleOfField,
  type SiteField,
  siteFields,
  withChanges,
} from '#contract/site-fields.ts'
import type { Db } from '#server/database/tables.ts'

export async function readDraft(db: Db) {
  const draft = await db.selectFrom('siteDraft').selectAll().executeTakeFirst()
  return draft && { ...draft, changes: usableFields(draft.changes) as FieldChanges }
}

type Draft = { changes: FieldChanges; revision: string; author: string | null; changedAt: string }

/** A draft without changes is deleted. */
export async function writeDraft(db: Db, { changes, ...more }: Draft) {
  await db.deleteFrom('siteDraft').execute()
  if (Object.keys(changes).length === 0) return
  await db
    .insertInto('siteDraft')
    .values({ id: 1, changes: JSON.stringify(changes), ...more })
    .execute()
}

/** Newest first. */
export async function listVersions(db: Db) {
  const versions = await db.selectFrom('siteVersions').selectAll().orderBy('number', 'desc').execute()
  return versions.map((version) => ({ ...version, fields: usableFields(version.fields) as OwnFields }))
}

/** The fields of a version, undefined where it was pruned; version 0 has the defaults only. */
export async function findVersion(db: Db, number: number): Promise<OwnFields | undefined> {
  if (number === 0) return {}
  const version = await db.selectFrom('siteVersions').select('fields').where('number', '=', number).executeTakeFirst()
  return version && usableFields(version.fields)
}

/** The fields of the draft (`draft`), or of a version by its number. */
export async function findPreview(db: Db, preview: string) {
  if (preview !== 'draft') return findVersion(db, Number(preview))
  const [published, draft] = await Promise.all([readPublished(db), readDraft(db)])
  return withChanges(published.fields, draft?.changes ?? {})
}

/** Size and placeholder of the photos in fields, by hash. */
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

/** Held while the draft or the published fields change. */
export const siteContentLock = 'site content'

/** The newest version; number 0, with the defaults only, where nothing was published. */
export async function readPublished(db: Db) {
  const newest = await db.selectFrom('siteVersions').selectAll().orderBy('number', 'desc').limit(1).executeTakeFirst()
  return {
    number: newest?.number ?? 0,
    fields: usableFields(newest?.fields ?? {}),
    author: newest?.author ?? null,
    publishedAt: newest?.createdAt ?? null,
  }
}

type NewVersion = { number: number; fields: OwnFields; author: string | null; createdAt: string }

/** Publishes fields. False where another process has published a version of that number meanwhile. */
export async function addVersion(tx: Db, { fields, ...version }: NewVersion) {
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('siteVersions')
    .values({ ...version, fields: JSON.stringify(fields) })
    .onConflict((conflict) => conflict.column('number').doNothing())
    .executeTakeFirst()
  const kept = tx.selectFrom('siteVersions').select('number').orderBy('number', 'desc').limit(mostVersions)
  await tx.deleteFrom('siteVersions').where('number', 'not in', kept).execute()
  return numInsertedOrUpdatedRows === 1n
}

const fieldNames: ReadonlySet<string> = new Set(siteFields)

const isSiteField = (field: string): field is SiteField => fieldNames.has(field)

/** Without fields of other releases, and without invalid dates, which would break every page. */
function usableFields<Value extends string | null>(fields: Partial<Record<string, Value>>) {
  const isUsable = ([field, value]: [string, Value | undefined]) =>
    isSiteField(field) && !(value && ruleOfField(field).kind === 'date' && faultOf(field, value))
  return Object.fromEntries(Object.entries(fields).filter(isUsable)) as Partial<Record<SiteField, Value>>
}

const prefix = 'maker.'
const makerFields = siteFields.filter((field) => field.startsWith(prefix))

/** What differs of the maker, by path in content/maker.ts: some defaults follow what the maker has changed. */
export function factsIn(fields: OwnFields) {
  return Object.fromEntries(
    makerFields.flatMap((field) => {
      const value = fields[field] ?? defaultOf(field, fields)
      return value === defaultOf(field) ? [] : [[field.slice(prefix.length), value]]
    }),
  )
}

export async function readMaker(db: Db): Promise<Maker> {
  return withOwn(maker, factsIn((await readPublished(db)).fields))
}
