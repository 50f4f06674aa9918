import type { ActivityKind } from '#contract/activity.ts'
import { type Category, categories, type PlaceByRank, storedHash } from '#contract/first-visit.ts'
import { addressesShown, type ImageFacts, storedAddress } from '#contract/images.ts'
import { issuesOf, type StoredPhoto, textOf, translatedFields } from '#contract/project-fields.ts'
import type { ProjectInList } from '#contract/project-in-list.ts'
import type { ProjectChanges } from '#contract/projects.admin.ts'
import type { Project, ProjectCounts } from '#contract/projects.ts'
import { inSlices, isBefore, listedBackwards, listedBy, type Page, someAtATime } from '#server/database/slices.ts'
import type { Db, ProjectRow } from '#server/database/tables.ts'
import { type Doer, noteActivity } from '#server/features/activity/activity.queries.ts'
import {
  countPhotos,
  insertProjects,
  type NewProject,
  updateProject,
  withPhotos,
  withTexts,
} from '#server/features/projects/project-records.ts'
import { Problem } from '#server/http/problem.ts'
import { InvalidRequest } from '#server/http/serve.ts'
import { inAnyLanguage, isId, isName, searchedFields, searchedTexts } from './projects.rules.ts'

export type Filter = {
  category?: Category | undefined
  featured?: boolean
  /** Includes drafts, or only them. */
  drafts?: boolean | 'only'
}

/** In the maker's order, with the facts of the photos. */
export async function listProjects(db: Db, filter: Filter, page: Page<'rank'>): Promise<Project[]> {
  return wholeProjects(db, await listedBy('rank', among(db, filter).selectAll(), page).execute())
}

/**
 * In the order of the gallery: what Featured shows comes after all others, except in a category. `after` is one of either;
 * should Featured change meanwhile, some may come twice.
 */
async function galleryRows(db: Db, category: Category | undefined, { limit, after }: Page<'rank'>) {
  const { rest, last } = await orderOfGallery(db, category)
  const at = last.findIndex(({ id }) => id === after?.id)
  const rows = at < 0 ? await listedBy('rank', rest.selectAll(), { limit, after }).execute() : []
  return [...rows, ...last.slice(at + 1, at + 1 + limit - rows.length)]
}

async function orderOfGallery(db: Db, category: Category | undefined) {
  const all = among(db, { category })
  const last = category ? [] : await listFeatured(db)
  const ids = last.map(({ id }) => id)
  return { rest: ids.length > 0 ? all.where('id', 'not in', ids) : all, last }
}

export async function listGallery(db: Db, category: Category | undefined, page: Page<'rank'>): Promise<Project[]> {
  return wholeProjects(db, await galleryRows(db, category, page))
}

/** The rank for a bare id. */
export async function placeOf(db: Db, place: PlaceByRank | { id: string } | undefined): Promise<PlaceByRank | undefined> {
  if (!place || 'rank' in place) return place
  return db.selectFrom('projects').select(['id', 'rank']).where('id', '=', place.id).executeTakeFirst()
}

/** All of them, slice by slice. */
export function eachProject(db: Db, filter: Filter, after?: PlaceByRank) {
  return inSlices((limit, last: PlaceByRank | undefined = after) => listProjects(db, filter, { limit, after: last }))
}

/** The published projects in the maker's order, with the columns of a sitemap. */
export function eachInSitemap(db: Db) {
  const all = among(db, {}).select(['id', 'rank', 'slug', 'imageUrl'])
  return inSlices(async (limit, after: PlaceByRank | undefined) =>
    withPhotos(db, await listedBy('rank', all, { limit, after }).execute()),
  )
}

/** The searched columns of each project. */
export function eachSearched(db: Db, filter: Filter) {
  const searched = among(db, filter).select(['id', 'rank', ...searchedFields])
  return inSlices(async (limit, after: PlaceByRank | undefined) =>
    withTexts(db, await listedBy('rank', searched, { limit, after }).execute(), searchedTexts),
  )
}

export function among(db: Db, { category, featured, drafts }: Filter) {
  let all = db.selectFrom('projects').where('deletedAt', 'is', null)
  if (drafts !== true) all = all.where('draft', '=', drafts === 'only')
  if (category) all = all.where('category', '=', category)
  return featured ? all.where('featured', '=', true) : all
}

/** In the order of the ids; drafts too, and nothing from the trash. */
export async function findProjects(db: Db, ids: readonly string[]): Promise<Project[]> {
  if (ids.length === 0) return []
  const projects = await wholeProjects(db, await among(db, { drafts: true }).selectAll().where('id', 'in', ids).execute())
  return ids.flatMap((id) => projects.find((project) => project.id === id) ?? [])
}

export async function findProject(db: Db, id: string): Promise<Project | undefined> {
  const [project] = await findProjects(db, [id])
  return project
}

/** The project of that id or address, unless it is in the trash. */
export async function findBySlugOrId(db: Db, name: string) {
  const named = among(db, { drafts: true }).select(['id', 'draft'])
  const written = name.toLowerCase()
  if (!isName(written)) return undefined
  if (isId(written)) return named.where('id', '=', written).executeTakeFirst()
  const addressed = db.selectFrom('projectAddresses').select('projectId').where('slug', '=', written)
  return named.where('id', '=', addressed).executeTakeFirst()
}

/** The published project a message is about. */
export async function findAbout(db: Db, name: string) {
  const named = await findBySlugOrId(db, name)
  if (!named || named.draft) return undefined
  const rows = among(db, {}).select(['id', 'slug', 'title', 'category']).where('id', '=', named.id)
  const [about] = await withTexts(db, await rows.execute(), ['title'])
  return about && inAnyLanguage(about, ['title'])
}

/** On the home page. */
const maxFeatured = 4

/** What the home page begins with: the first of a category or of all, the featured ones, and how many there are. */
export async function readShowcase(db: Db, category: Category | undefined, shown: number) {
  const [projects, featured, { featured: _featured, drafts: _drafts, ...counts }] = await Promise.all([
    galleryRows(db, category, { limit: shown }),
    listFeatured(db),
    countProjects(db, {}),
  ])
  return { projects: await asCards(db, projects), featured: await asCards(db, featured), counts }
}

/** What Featured shows: the first four that are marked, or the first four of all where none is. */
export async function listFeatured(db: Db) {
  const first = (filter: Filter) => listedBy('rank', among(db, filter).selectAll(), { limit: maxFeatured }).execute()
  const marked = await first({ featured: true })
  return marked.length > 0 ? marked : first({})
}

/** The same by their titles. */
export async function listFeaturedTitles(db: Db) {
  const projects = await withTexts(db, await listFeatured(db), translatedFields)
  return projects.map((project) => {
    const { id, title, translations } = inAnyLanguage(project, ['title'])
    return { id, title, translations }
  })
}

/** Of the photos beside the cover only their number: they are fetched when a project is opened. */
async function asCards(db: Db, rows: readonly ProjectRow[]) {
  const counts = await countPhotos(db, rows)
  const projects = await withFacts(
    db,
    (await withTexts(db, rows, translatedFields)).map((row) => ({ ...row, photos: [] })),
  )
  return projects.map(({ photos: _photos, ...project }) => ({ ...project, photoCount: counts.get(project.id) ?? 0 }))
}

/** Its place among the others in the gallery, and its neighbours there, around the ends; a draft counts as if published. */
export async function findInList(db: Db, id: string, category?: Category): Promise<ProjectInList | undefined> {
  const project = await findProject(db, id)
  if (!project) return undefined
  const { rest, last } = await orderOfGallery(db, project.category === category ? category : undefined)
  const slugs = rest.select('slug')
  const firstOf = (after?: PlaceByRank) => listedBy('rank', slugs, { limit: 1, after }).executeTakeFirst()
  const lastOf = (before?: PlaceByRank) => listedBackwards('rank', slugs, { limit: 1, after: before }).executeTakeFirst()
  const counted = rest.select((row) => row.fn.countAll<number>().as('count'))
  const [next, highest, previous, lowest, before, others] = await Promise.all([
    firstOf(project),
    firstOf(),
    lastOf(project),
    lastOf(),
    counted.where(isBefore('rank', project)).executeTakeFirstOrThrow(),
    counted.executeTakeFirstOrThrow(),
  ])
  const at = last.findIndex((each) => each.id === id)
  const isLast = at >= 0
  const count = Number(others.count) + last.length
  const [towardsFirst, towardsLast] = isLast
    ? [
        [last[at - 1], lowest, last.at(-1)],
        [last[at + 1], highest, last[0]],
      ]
    : [
        [previous, last.at(-1), lowest],
        [next, last[0], highest],
      ]
  const slugOf = (neighbours: typeof towardsFirst) => neighbours.find((each) => each !== undefined)?.slug ?? project.slug
  return {
    project,
    position: (isLast ? Number(others.count) + at : Number(before.count)) + 1,
    count: project.draft ? count + 1 : count,
    previous: slugOf(towardsFirst),
    next: slugOf(towardsLast),
  }
}

/** How many there are, of each category, and how many of all are featured or drafts. */
export async function countProjects(db: Db, filter: Filter): Promise<ProjectCounts & { featured: number; drafts: number }> {
  const rows = await among(db, filter)
    .select(['category', 'featured', 'draft', (row) => row.fn.countAll<number>().as('count')])
    .groupBy(['category', 'featured', 'draft'])
    .execute()
  const sum = (some: typeof rows) => some.reduce((total, { count }) => total + Number(count), 0)
  const ofCategory = categories.map((each) => [each, sum(rows.filter(({ category }) => category === each))] as const)
  return {
    all: sum(rows),
    featured: sum(rows.filter(({ featured }) => featured)),
    drafts: sum(rows.filter(({ draft }) => draft)),
    ...(Object.fromEntries(ofCategory) as Record<Category, number>),
  }
}

/** Before all others. */
export async function insertFirst(db: Db, project: Omit<NewProject, 'rank'>) {
  const { highest } = await db
    .selectFrom('projects')
    .select((row) => row.fn.max('rank').as('highest'))
    .executeTakeFirstOrThrow()
  await insertProjects(db, [{ ...project, rank: Math.max(Date.parse(project.createdAt), (highest ?? 0) + 1) }])
}

/**
 * In a transaction. One statement compares and increments the version, so concurrent saves cannot both succeed. What the
 * project lacks afterwards is known only then: a change may publish it, or take away the only language of a text. Returns
 * whether there was anything to change.
 */
export async function changeProject(tx: Db, id: string, { version, ...changes }: ProjectChanges) {
  const target = { id, deletedAt: null, ...(version !== undefined && { version }) }
  const nothingToDo = Object.keys(changes).length === 0
  const done = await (nothingToDo ? projectExists(tx, id, version) : updateProject(tx, target, changes))
  if (!done) throw new Problem((await projectExists(tx, id)) ? 'project_changed' : 'project_not_found')
  const rows = await tx.selectFrom('projects').selectAll().where('id', '=', id).execute()
  for (const project of await withPhotos(tx, await withTexts(tx, rows, translatedFields))) {
    const issues = issuesOf(project)
    if (issues.length > 0) throw new InvalidRequest(issues)
  }
  return !nothingToDo
}

/** Notes what is done with a project by the title it has at that moment. Call it in the transaction. */
export async function noteProject(tx: Db, doer: Doer, { kind, id }: { kind: ActivityKind; id: string }, now: Date) {
  const rows = await tx.selectFrom('projects').select(['id', 'title']).where('id', '=', id).execute()
  const [project] = await withTexts(tx, rows, ['title'])
  const name = project && textOf(project, 'title')
  await noteActivity(tx, doer, { kind, ...(name && { name }) }, now)
}

async function projectExists(db: Db, id: string, version?: number) {
  const project = among(db, { drafts: true }).select('id').where('id', '=', id)
  return (await (version === undefined ? project : project.where('version', '=', version)).executeTakeFirst()) !== undefined
}

/** With translations, photos and their facts. */
export async function wholeProjects(db: Db, rows: readonly ProjectRow[]): Promise<Project[]> {
  return withFacts(db, await withPhotos(db, await withTexts(db, rows, translatedFields)))
}

type WithTexts = ProjectRow & Pick<Project, 'translations'> & { photos: StoredPhoto[] }

async function withFacts(db: Db, projects: readonly WithTexts[]): Promise<Project[]> {
  const facts = await imageFactsByAddress(db, projects.flatMap(addressesShown))
  const factsOf = (address: string | null) => (address && facts.get(address)) || null
  return projects.map(({ deletedAt: _deletedAt, photos, ...project }) => ({
    ...inAnyLanguage(project, translatedFields),
    photos: photos.map((photo) => ({ ...photo, image: factsOf(photo.imageUrl) })),
    image: factsOf(project.imageUrl),
    beforeImage: factsOf(project.beforeImageUrl),
    afterImage: factsOf(project.afterImageUrl),
  }))
}

async function imageFactsByAddress(db: Db, addresses: readonly string[]) {
  const hashes = [...new Set(addresses.flatMap((address) => storedHash(address) ?? []))]
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
