import { setImmediate as nextTurn } from 'node:timers/promises'
import { sql } from 'kysely'
import { inSlices, isBehind, slice } from '#server/database/slices.ts'
import type { ContactMessageRow, Db, NewImage, ProjectContent, ProjectRow } from '#server/database/tables.ts'

export type RecordOf = { projects: ProjectContent; contacts: ContactMessageRow }

/** All records of a kind, newest first, slice by slice. */
export function eachRecord<List extends keyof RecordOf>(db: Db, list: List) {
  const eachOf = { projects: eachProject, contacts: eachContact }
  return eachOf[list](db) as AsyncGenerator<RecordOf[List][]>
}

function eachProject(db: Db) {
  return inSlices(async (limit, after) => {
    const all = db.selectFrom('projects').selectAll().orderBy('createdAt', 'desc').orderBy('id').limit(limit)
    return (await (after ? all.where(isBehind(after)) : all).execute()).map(contentOf)
  })
}

function eachContact(db: Db) {
  return inSlices((limit, after) => {
    const all = db.selectFrom('contactMessages').selectAll().orderBy('createdAt', 'desc').orderBy('id').limit(limit)
    return (after ? all.where(isBehind(after)) : all).execute()
  })
}

export async function countRecords(db: Db) {
  const count = async (table: 'projects' | 'contactMessages') => {
    const counted = await db
      .selectFrom(table)
      .select((row) => row.fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow()
    return Number(counted.count)
  }
  return { projects: await count('projects'), contacts: await count('contactMessages') }
}

export async function listImageHashes(db: Db) {
  const rows = await db.selectFrom('images').select('hash').orderBy('hash').execute()
  return rows.map(({ hash }) => hash)
}

type Identified = { id?: string | undefined }

/** The projects with the same ids. */
export async function projectsLike(db: Db, incoming: readonly Identified[]): Promise<ProjectContent[]> {
  const rows = await inParts(idsOf(incoming), (ids) => db.selectFrom('projects').selectAll().where('id', 'in', ids).execute())
  return rows.map(contentOf)
}

export function contactsLike(db: Db, incoming: readonly Identified[]): Promise<ContactMessageRow[]> {
  return inParts(idsOf(incoming), (ids) => db.selectFrom('contactMessages').selectAll().where('id', 'in', ids).execute())
}

export async function insertProjects(db: Db, rows: readonly ProjectContent[]) {
  await inParts(rows, (some) => db.insertInto('projects').values(some).execute())
}

export async function insertContacts(db: Db, rows: readonly ContactMessageRow[]) {
  await inParts(rows, (some) => db.insertInto('contactMessages').values(some).execute())
}

/** A form that is open with the version from before is refused like after any other change. */
export async function overwriteProject(db: Db, { id, ...content }: ProjectContent) {
  await db
    .updateTable('projects')
    .set({ ...content, version: sql`version + 1` })
    .where('id', '=', id)
    .execute()
}

/** A photo that has come by another way meanwhile stays as it is. */
export async function insertImages(db: Db, rows: readonly NewImage[]) {
  await inParts(rows, (some) =>
    db
      .insertInto('images')
      .values(some)
      .onConflict((conflict) => conflict.column('hash').doNothing())
      .execute(),
  )
}

function contentOf({ version: _version, ...content }: ProjectRow): ProjectContent {
  return content
}

function idsOf(records: readonly Identified[]) {
  return records.flatMap(({ id }) => id ?? [])
}

/** A statement takes only so many values, and others want their turn. */
async function inParts<T, R>(all: readonly T[], work: (some: T[]) => Promise<R[]>): Promise<R[]> {
  const results: R[] = []
  for (let start = 0; start < all.length; start += slice) {
    results.push(...(await work(all.slice(start, start + slice))))
    await nextTurn()
  }
  return results
}
