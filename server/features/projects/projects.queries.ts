import { type ImageFacts, storedAddress, storedHash } from '#contract/images.ts'
import {
  type Category,
  categories,
  type Project,
  type ProjectChanges,
  type ProjectCounts,
  type ProjectDraft,
} from '#contract/projects.ts'
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

/** How many there are, of each category, and how many of all are featured. */
export async function countProjects(db: Db): Promise<ProjectCounts & { featured: number }> {
  const rows = await db
    .selectFrom('projects')
    .select(['category', 'featured', (row) => row.fn.countAll<number>().as('count')])
    .groupBy(['category', 'featured'])
    .execute()
  const sum = (some: typeof rows) => some.reduce((total, { count }) => total + Number(count), 0)
  const ofCategory = categories.map((each) => [each, sum(rows.filter(({ category }) => category === each))] as const)
  return {
    all: sum(rows),
    featured: sum(rows.filter(({ featured }) => featured)),
    ...(Object.fromEntries(ofCategory) as Record<Category, number>),
  }
}

export async function insertProject(db: Db, project: ProjectDraft & { id: string; createdAt: string }) {
  await db.insertInto('projects').values(project).execute()
}

/** Why it was refused, if it was. One statement looks at the version and changes it, so that of two at once one is refused. */
export async function changeProject(db: Db, id: string, { version, ...changes }: ProjectChanges) {
  const wanted = { id, ...(version !== undefined && { version }) }
  const nothingToDo = Object.keys(changes).length === 0
  const done = await (nothingToDo ? projectExists(db, wanted) : updateProject(db, wanted, changes))
  if (done) return undefined
  return (await projectExists(db, { id })) ? 'project_changed' : 'project_not_found'
}

type Wanted = { id: string; version?: number }

async function updateProject(db: Db, wanted: Wanted, changes: Omit<ProjectChanges, 'version'>) {
  const { numUpdatedRows } = await db
    .updateTable('projects')
    .set((project) => ({ ...changes, version: project('version', '+', 1) }))
    .where((project) => project.and(wanted))
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

async function projectExists(db: Db, wanted: Wanted) {
  const found = await db
    .selectFrom('projects')
    .select('id')
    .where((project) => project.and(wanted))
    .executeTakeFirst()
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
