import { type Category, categories, galleryPage } from '#contract/gallery.ts'
import { storedAddress, storedHash } from '#contract/image-addresses.ts'
import type { ImageFacts } from '#contract/images.ts'
import type { PlaceInList } from '#contract/places.ts'
import type { ProjectInList } from '#contract/project-in-list.ts'
import type { ProjectChanges, ProjectDraft } from '#contract/projects.admin.ts'
import type { Project, ProjectCounts } from '#contract/projects.ts'
import { inSlices, isBefore, isBehind, slice } from '#server/database/slices.ts'
import type { Db, ProjectRow } from '#server/database/tables.ts'

export type Wanted = { category?: Category | undefined; featured?: boolean }
export type Page = { limit: number; after?: PlaceInList | undefined }

/** Newest first, each with what a page must know of its photos. */
export async function listProjects(db: Db, wanted: Wanted, { limit, after }: Page): Promise<Project[]> {
  const behind = after ? listed(db, wanted).where(isBehind(after)) : listed(db, wanted)
  return withImageFacts(db, await behind.selectAll().limit(limit).execute())
}

/** All of them, slice by slice. */
export function eachProject(db: Db, wanted: Wanted, after?: PlaceInList) {
  return inSlices((limit, last = after) => listProjects(db, wanted, { limit, after: last }))
}

/** Newest first, what the addresses of all projects are made of. */
export function eachProjectId(db: Db) {
  return inSlices((limit, after) => {
    const all = listed(db, {}).select(['id', 'createdAt']).limit(limit)
    return (after ? all.where(isBehind(after)) : all).execute()
  })
}

/** What projects are searched by. */
export function eachSearched(db: Db, wanted: Wanted) {
  return inSlices((limit, after) => {
    const all = listed(db, wanted)
      .select(['id', 'createdAt', 'title', 'titleEs', 'scale', 'materials', 'materialsEs'])
      .limit(limit)
    return (after ? all.where(isBehind(after)) : all).execute()
  })
}

function listed(db: Db, { category, featured }: Wanted, from: 'newest' | 'oldest' = 'newest') {
  const [moments, ids] = from === 'newest' ? (['desc', 'asc'] as const) : (['asc', 'desc'] as const)
  const all = db.selectFrom('projects').orderBy('createdAt', moments).orderBy('id', ids)
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

/** At most so many stand before the others on the home page. */
const mostFeatured = 4

/** What the home page begins with: the newest, the featured ones (the newest where none is), and how many there are. */
export async function readShowcase(db: Db) {
  const [newest, featured, { featured: _featured, ...counts }] = await Promise.all([
    listProjects(db, {}, { limit: galleryPage }),
    listProjects(db, { featured: true }, { limit: mostFeatured }),
    countProjects(db),
  ])
  return { projects: newest, featured: featured.length > 0 ? featured : newest.slice(0, mostFeatured), counts }
}

/** Its place among the others, and its neighbours there, around the ends; undefined when there is no such project. */
export async function findInList(db: Db, id: string, category?: Category): Promise<ProjectInList | undefined> {
  const project = await findProject(db, id)
  if (!project) return undefined
  const wanted = project.category === category ? { category } : {}
  const first = (from: 'newest' | 'oldest') => listed(db, wanted, from).select('id').limit(1)
  const [next, newest, previous, oldest, position, count] = await Promise.all([
    first('newest').where(isBehind(project)).executeTakeFirst(),
    first('newest').executeTakeFirst(),
    first('oldest').where(isBefore(project)).executeTakeFirst(),
    first('oldest').executeTakeFirst(),
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

async function countListed(db: Db, { category }: Wanted, before?: PlaceInList) {
  const all = db.selectFrom('projects').select((row) => row.fn.countAll<number>().as('count'))
  const ofCategory = category ? all.where('category', '=', category) : all
  const { count } = await (before ? ofCategory.where(isBefore(before)) : ofCategory).executeTakeFirstOrThrow()
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

export async function insertProject(db: Db, project: ProjectDraft & { id: string; createdAt: string }) {
  await db.insertInto('projects').values(project).execute()
}

/** Why it was refused, if it was. One statement looks at the version and changes it, so that of two at once one is refused. */
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
