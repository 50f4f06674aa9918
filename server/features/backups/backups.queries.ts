import { sql } from 'kysely'
import type { ContactMessageRow, Db, NewImage, ProjectContent, ProjectRow } from '#server/database/tables.ts'

/** A statement takes only so many values. */
const slice = 500

export async function readRecords(db: Db) {
  return {
    projects: (await db.selectFrom('projects').selectAll().orderBy('createdAt').orderBy('id').execute()).map(contentOf),
    contacts: await db.selectFrom('contactMessages').selectAll().orderBy('createdAt').orderBy('id').execute(),
  }
}

export async function listImageHashes(db: Db) {
  const rows = await db.selectFrom('images').select('hash').orderBy('hash').execute()
  return rows.map(({ hash }) => hash)
}

type Identified = { id?: string | undefined }

/** The projects a merge has to look at: those with the same ids, or all when something comes without one. */
export async function projectsLike(db: Db, incoming: readonly Identified[]): Promise<ProjectContent[]> {
  const all = db.selectFrom('projects').selectAll()
  const ids = idsOf(incoming)
  const rows = ids ? await inSlices(ids, (some) => all.where('id', 'in', some).execute()) : await all.execute()
  return rows.map(contentOf)
}

export async function contactsLike(db: Db, incoming: readonly Identified[]): Promise<ContactMessageRow[]> {
  const all = db.selectFrom('contactMessages').selectAll()
  const ids = idsOf(incoming)
  return ids ? inSlices(ids, (some) => all.where('id', 'in', some).execute()) : all.execute()
}

export async function insertProjects(db: Db, rows: readonly ProjectContent[]) {
  await inSlices(rows, (some) => db.insertInto('projects').values(some).execute())
}

export async function insertContacts(db: Db, rows: readonly ContactMessageRow[]) {
  await inSlices(rows, (some) => db.insertInto('contactMessages').values(some).execute())
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
  await inSlices(rows, (some) =>
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
  const ids = records.flatMap(({ id }) => id ?? [])
  return ids.length === records.length ? ids : undefined
}

async function inSlices<T, R>(all: readonly T[], work: (some: T[]) => Promise<R[]>): Promise<R[]> {
  const results: R[] = []
  for (let start = 0; start < all.length; start += slice) {
    for (const result of await work(all.slice(start, start + slice))) results.push(result)
  }
  return results
}
