import { type Category, categories } from '#contract/gallery.ts'
import { storedAddress, storedHash } from '#contract/image-addresses.ts'
import type { ImageFacts } from '#contract/images.ts'
import type { PlaceInList } from '#contract/places.ts'
import type { ProjectInput } from '#contract/project-fields.ts'
import type { ProjectInList } from '#contract/project-in-list.ts'
import type { ProjectChanges } from '#contract/projects.admin.ts'
import type { Project, ProjectCounts } from '#contract/projects.ts'
import { inSlices, isBefore, newestFirst, type Page, someAtATime } from '#server/database/slices.ts'
import type { Db, ProjectRow } from '#server/database/tables.ts'

export type Wanted = { category?: Category | undefined; featured?: boolean }

/** Newest first, each with what a page must know of its photos. */
export async function listProjects(db: Db, wanted: Wanted, page: Page): Promise<Project[]> {
  return withImageFacts(db, await newestFirst(among(db, wanted).selectAll(), page).execute())
}

/** All of them, slice by slice. */
export function eachProject(db: Db, wanted: Wanted, after?: PlaceInList) {
  return inSlices((limit, last = after) => listProjects(db, wanted, { limit, after: last }))
}

/** Newest first, what the addresses of all projects are made of. */
export function eachProjectId(db: Db) {
  return inSlices((limit, after) => newestFirst(among(db, {}).select(['id', 'createdAt']), { limit, after }).execute())
}

/** What projects are searched by. */
export function eachSearched(db: Db, wanted: Wanted) {
  const searched = among(db, wanted).select(['id', 'createdAt', 'title', 'titleEs', 'scale', 'materials', 'materialsEs'])
  return inSlices((limit, after) => newestFirst(searched, { limit, after }).execute())
}

function among(db: Db, { category, featured }: Wanted) {
  const all = db.selectFrom('projects')
  const ofCategory = category ? all.where('category', '=', category) : all
  return featured ? ofCategory.where('featured', '=', true) : ofCategory
}

/** In the order of the ids. */
export async function findProjects(db: Db, ids: readonly string[]): Promise<Project[]> {
  if (ids.length === 0) return []
  const found = await withImageFacts(db, await db.selectFrom('projects').selectAll().where('id', 'in', ids).execute())
  return ids.flatMap((id) => found.find((project) => project.id === id) ?? [])
}

export async function findProject(db: Db, id: string): Promise<Project | undefined> {
  const [project] = await findProjects(db, [id])
  return project
}

/** On the home page. */
const maxFeatured = 4

/** What the home page begins with: the newest of a category or of all, the featured ones (the newest where none is), and how many there are. */
export async function readShowcase(db: Db, category: Category | undefined, shown: number) {
  const [projects, marked, { featured: _featured, ...counts }] = await Promise.all([
    listProjects(db, { category }, { limit: shown }),
    listProjects(db, { featured: true }, { limit: maxFeatured }),
    countProjects(db),
  ])
  const featured = marked.length > 0 ? marked : await listProjects(db, {}, { limit: maxFeatured })
  return { projects, featured, counts }
}

/** Its place among the others, and its neighbours there, around the ends; undefined when there is no such project. */
export async function findInList(db: Db, id: string, category?: Category): Promise<ProjectInList | undefined> {
  const project = await findProject(db, id)
  if (!project) return undefined
  const wanted = project.category === category ? { category } : {}
  const ids = among(db, wanted).select('id')
  const newestIds = (after?: PlaceInList) => newestFirst(ids, { limit: 1, after })
  const oldestIds = ids.orderBy('createdAt', 'asc').orderBy('id', 'desc').limit(1)
  const [next, newest, previous, oldest, position, count] = await Promise.all([
    newestIds(project).executeTakeFirst(),
    newestIds().executeTakeFirst(),
    oldestIds.where(isBefore(project)).executeTakeFirst(),
    oldestIds.executeTakeFirst(),
    countListed(db, wanted, project),
    countListed(db, wanted),
  ])
  return {
    project,
    position: position + 1,
    count,
    previous: (previous ?? oldest)?.id ?? id,
    next: (next ?? newest)?.id ?? id,
  }
}

async function countListed(db: Db, wanted: Wanted, before?: PlaceInList) {
  const all = among(db, wanted).select((row) => row.fn.countAll<number>().as('count'))
  const { count } = await (before ? all.where(isBefore(before)) : all).executeTakeFirstOrThrow()
  return Number(count)
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

export async function insertProject(db: Db, project: ProjectInput & { id: string; createdAt: string }) {
  await db.insertInto('projects').values(project).execute()
}

/** Why it was refused, if it was. One statement compares and changes the version, so that of two at once one is refused. */
export async function changeProject(db: Db, id: string, { version, ...changes }: ProjectChanges) {
  const target = { id, ...(version !== undefined && { version }) }
  const nothingToDo = Object.keys(changes).length === 0
  const done = await (nothingToDo ? projectExists(db, target) : updateProject(db, target, changes))
  if (done) return undefined
  return (await projectExists(db, { id })) ? 'project_changed' : 'project_not_found'
}

type Target = { id: string; version?: number }

async function updateProject(db: Db, target: Target, changes: Omit<ProjectChanges, 'version'>) {
  const { numUpdatedRows } = await db
    .updateTable('projects')
    .set((project) => ({ ...changes, version: project('version', '+', 1) }))
    .where((project) => project.and(target))
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

export async function projectExists(db: Db, target: Target) {
  const found = await db
    .selectFrom('projects')
    .select('id')
    .where((project) => project.and(target))
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

async function imageFactsByAddress(db: Db, addresses: (string | null)[]) {
  const hashes = [...new Set(addresses.flatMap((address) => (address && storedHash(address)) || []))]
  const facts = new Map<string, ImageFacts>()
  for await (const some of someAtATime(hashes)) {
    const rows = await db
      .selectFrom('images')
      .select(['hash', 'width', 'height', 'placeholder'])
      .where('hash', 'in', some)
      .execute()
    for (const { hash, ...rest } of rows) facts.set(storedAddress(hash), rest)
  }
  return facts
}
