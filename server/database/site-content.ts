import { type Maker, maker } from '#content/maker.ts'
import { withOwn } from '#content/with-own.ts'
import { mostVersions } from '#contract/site-content.ts'
import { type OwnFields, siteFields } from '#contract/site-fields.ts'
import type { Db } from './tables.ts'

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

/** Without those that only another release has. */
export function knownFields<Value>(fields: Partial<Record<string, Value>>) {
  return Object.fromEntries(Object.entries(fields).filter(([field]) => known.has(field))) as Partial<
    Record<(typeof siteFields)[number], Value>
  >
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
