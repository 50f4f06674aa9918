import { sql } from 'kysely'
import { countRows } from '#server/database/count-rows.ts'
import { inSlices, newestFirst, someAtATime } from '#server/database/slices.ts'
import type { ContactMessageRow, Db, NewImage, ProjectContent, ProjectRow } from '#server/database/tables.ts'

export type RecordOf = { projects: ProjectContent; contacts: ContactMessageRow }

/** All records of a kind, newest first, slice by slice. */
export function eachRecord<List extends keyof RecordOf>(db: Db, list: List) {
  const eachOf = { projects: eachProject, contacts: eachContact }
  return eachOf[list](db) as AsyncGenerator<RecordOf[List][]>
}

function eachProject(db: Db) {
  const all = db.selectFrom('projects').selectAll()
  return inSlices(async (limit, after) => (await newestFirst(all, { limit, after }).execute()).map(contentOf))
}

function eachContact(db: Db) {
  const all = db.selectFrom('contactMessages').selectAll()
  return inSlices((limit, after) => newestFirst(all, { limit, after }).execute())
}

export async function countRecords(db: Db) {
  return { projects: await countRows(db, 'projects'), contacts: await countRows(db, 'contactMessages') }
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

async function inParts<T, R>(all: readonly T[], work: (some: T[]) => Promise<R[]>): Promise<R[]> {
  const results: R[] = []
  for await (const some of someAtATime(all)) results.push(...(await work(some)))
  return results
}
