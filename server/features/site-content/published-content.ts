import { type Maker, maker } from '#content/maker.ts'
import { withOwn } from '#content/with-own.ts'
import { mostVersions } from '#contract/site-content.ts'
import { faultOf, type OwnFields, ruleOfField, type SiteField, siteFields } from '#contract/site-fields.ts'
import type { Db } from '../../database/tables.ts'

/** Held while the draft or what is published changes. */
export const siteContentLock = 'site content'

/** What is shown: the newest version, or the site as it came, which is number 0. */
export async function readPublished(db: Db) {
  const newest = await db.selectFrom('siteVersions').selectAll().orderBy('number', 'desc').limit(1).executeTakeFirst()
  return {
    number: newest?.number ?? 0,
    fields: knownFields(newest?.fields ?? {}),
    author: newest?.author ?? null,
    publishedAt: newest?.createdAt ?? null,
  }
}

type NewVersion = { number: number; fields: OwnFields; author: string | null; createdAt: string }

/** Shows these fields to everybody. False when another process has published a version of that number in this moment. */
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

const known: ReadonlySet<string> = new Set(siteFields)

const isKnown = (field: string): field is SiteField => known.has(field)

/** Without those that only another release has, and without days no clock can show: such a day would break every page. */
export function knownFields<Value extends string | null>(fields: Partial<Record<string, Value>>) {
  const isUsable = ([field, value]: [string, Value | undefined]) =>
    isKnown(field) && !(value && ruleOfField(field).kind === 'date' && faultOf(field, value))
  return Object.fromEntries(Object.entries(fields).filter(isUsable)) as Partial<Record<SiteField, Value>>
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
