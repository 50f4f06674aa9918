import { sql } from 'kysely'
import { countRows } from '#server/database/count-rows.ts'
import { inSlices, newestFirst, someAtATime } from '#server/database/slices.ts'
import type { ContactMessageRow, Db, ProjectContent, ProjectRow } from '#server/database/tables.ts'

export type RecordOf = { projects: ProjectContent; contacts: ContactMessageRow }
type List = keyof RecordOf

const tables = { projects: 'projects', contacts: 'contactMessages' } as const

/** Which of the tables it is does not matter to the queries below, only to their types. */
function tableOf(list: List) {
  return tables[list] as 'projects'
}

/** All records of a kind, newest first, slice by slice. */
export function eachRecord<L extends List>(db: Db, list: L) {
  const all = db.selectFrom(tableOf(list)).selectAll()
  const slices = inSlices(async (limit, after) => (await newestFirst(all, { limit, after }).execute()).map(contentOf))
  return slices as AsyncGenerator<unknown> as AsyncGenerator<RecordOf[L][]>
}

export async function countRecords(db: Db) {
  return { projects: await countRows(db, 'projects'), contacts: await countRows(db, 'contactMessages') }
}

export async function findRecords<L extends List>(db: Db, list: L, ids: readonly string[]) {
  const found: ProjectContent[] = []
  for await (const some of someAtATime(ids)) {
    found.push(...(await db.selectFrom(tableOf(list)).selectAll().where('id', 'in', some).execute()).map(contentOf))
  }
  return found as unknown[] as RecordOf[L][]
}

export async function insertRecords<L extends List>(db: Db, list: L, rows: readonly RecordOf[L][]) {
  for await (const some of someAtATime(rows)) {
    await db
      .insertInto(tableOf(list))
      .values(some as unknown[] as ProjectContent[])
      .execute()
  }
}

/** The version grows: a form opened before is refused like after any other change. */
export async function overwriteProject(db: Db, { id, ...content }: ProjectContent) {
  await db
    .updateTable('projects')
    .set({ ...content, version: sql`version + 1` })
    .where('id', '=', id)
    .execute()
}

function contentOf({ version: _version, ...content }: ProjectRow): ProjectContent {
  return content
}
