import type { IncomingProject } from '#contract/backups.ts'
import type { PlaceByRank, PlaceInList } from '#contract/places.ts'
import { mostAddresses } from '#contract/slugs.ts'
import { countRows } from '#server/database/count-rows.ts'
import { insertAddresses } from '#server/database/project-addresses.ts'
import { insertProjects, updateProject, withAddresses, withPhotos } from '#server/database/project-records.ts'
import { inSlices, listedBy, someAtATime } from '#server/database/slices.ts'
import type { ContactMessageRow, Db, ProjectRow } from '#server/database/tables.ts'

/** What backups carry of a project: which version it is matters on this site only. */
export type ProjectContent = Omit<ProjectRow, 'version' | 'slug'> & Pick<IncomingProject, 'photos'> & { addresses: string[] }
export type RecordOf = { projects: ProjectContent; contacts: ContactMessageRow }
type List = keyof RecordOf

/** All records of a kind, slice by slice: projects in their order, messages newest first. */
export function eachRecord<L extends List>(db: Db, list: L): AsyncGenerator<RecordOf[L][]> {
  const slices = {
    projects: () =>
      inSlices(async (limit, after: PlaceByRank | undefined) =>
        contentOf(db, await listedBy('rank', db.selectFrom('projects').selectAll(), { limit, after }).execute()),
      ),
    contacts: () =>
      inSlices((limit, after: PlaceInList | undefined) =>
        listedBy('createdAt', db.selectFrom('contactMessages').selectAll(), { limit, after }).execute(),
      ),
  }
  return slices[list]() as AsyncGenerator<RecordOf[L][]>
}

export async function countRecords(db: Db) {
  return { projects: await countRows(db, 'projects'), contacts: await countRows(db, 'contactMessages') }
}

export async function findRecords<L extends List>(db: Db, list: L, ids: readonly string[]) {
  const found: unknown[] = []
  for await (const some of someAtATime(ids)) {
    const read = {
      projects: async () => contentOf(db, await db.selectFrom('projects').selectAll().where('id', 'in', some).execute()),
      contacts: () => db.selectFrom('contactMessages').selectAll().where('id', 'in', some).execute(),
    }
    found.push(...(await read[list]()))
  }
  return found as RecordOf[L][]
}

export async function insertRecords<L extends List>(db: Db, list: L, rows: readonly RecordOf[L][]) {
  if (list === 'projects') return insertProjects(db, rows as readonly ProjectContent[])
  for await (const some of someAtATime(rows as readonly ContactMessageRow[])) {
    await db.insertInto('contactMessages').values(some).execute()
  }
}

/** The version grows: a form opened before is refused like after any other change. */
export async function overwriteProject(db: Db, { id, ...content }: ProjectContent) {
  await updateProject(db, { id }, content)
}

/** Every address in the file leads to its project from now on, unless another one has it. */
export async function keepAddresses(
  db: Db,
  records: readonly { record: { id?: string | undefined; addresses?: string[] | undefined } }[],
) {
  await insertAddresses(
    db,
    records.flatMap(({ record: { id, addresses = [] } }) => (id ? addresses.map((slug) => ({ slug, projectId: id })) : [])),
  )
}

async function contentOf(db: Db, rows: readonly ProjectRow[]): Promise<ProjectContent[]> {
  const projects = await withAddresses(db, await withPhotos(db, rows))
  return projects.map(({ version: _version, addresses, ...content }) => ({
    ...content,
    addresses: addresses.slice(0, mostAddresses),
  }))
}
