import { type ImageFacts, storedAddress, storedHash } from '#contract/images.ts'
import type { Category, Project, ProjectChanges, ProjectDraft } from '#contract/projects.ts'
import type { Db, ProjectRow } from '#server/database/tables.ts'

/** Newest first, each with what a page must know of its photos. */
export async function listProjects(db: Db, category?: Category): Promise<Project[]> {
  const all = db.selectFrom('projects').selectAll().orderBy('createdAt', 'desc').orderBy('id')
  return withImageFacts(db, await (category ? all.where('category', '=', category) : all).execute())
}

export async function findProject(db: Db, id: string): Promise<Project | undefined> {
  const rows = await db.selectFrom('projects').selectAll().where('id', '=', id).execute()
  const [project] = await withImageFacts(db, rows)
  return project
}

export async function insertProject(db: Db, project: ProjectDraft & { id: string; createdAt: string }) {
  await db.insertInto('projects').values(project).execute()
}

/** Whether there was such a project to change. */
export async function changeProject(db: Db, id: string, changes: ProjectChanges) {
  const found = await db.selectFrom('projects').select('id').where('id', '=', id).executeTakeFirst()
  if (found && Object.keys(changes).length > 0) {
    await db.updateTable('projects').set(changes).where('id', '=', id).execute()
  }
  return found !== undefined
}

export async function removeProject(db: Db, id: string) {
  const { numDeletedRows } = await db.deleteFrom('projects').where('id', '=', id).executeTakeFirst()
  return numDeletedRows > 0n
}

async function withImageFacts(db: Db, rows: ProjectRow[]): Promise<Project[]> {
  const addresses = rows.flatMap((row) => [row.imageUrl, row.beforeImageUrl, row.afterImageUrl])
  const facts = await imageFactsByAddress(db, addresses)
  const factsOf = (address: string | null) => (address && facts.get(address)) || null
  return rows.map((row) => ({
    ...row,
    image: factsOf(row.imageUrl),
    beforeImage: factsOf(row.beforeImageUrl),
    afterImage: factsOf(row.afterImageUrl),
  }))
}

/** Asked for in slices, because a statement takes only so many values. */
const slice = 500

async function imageFactsByAddress(db: Db, addresses: (string | null)[]) {
  const hashes = [...new Set(addresses.flatMap((address) => (address && storedHash(address)) || []))]
  const facts = new Map<string, ImageFacts>()
  for (let start = 0; start < hashes.length; start += slice) {
    const rows = await db
      .selectFrom('images')
      .select(['hash', 'width', 'height', 'placeholder'])
      .where('hash', 'in', hashes.slice(start, start + slice))
      .execute()
    for (const { hash, ...rest } of rows) facts.set(storedAddress(hash), rest)
  }
  return facts
}
