import { sql } from 'kysely'
import type { ProjectInput, StoredPhoto } from '#contract/project-fields.ts'
import { someAtATime } from '../../database/slices.ts'
import type { Db, ProjectRow } from '../../database/tables.ts'
import { giveAddresses, insertAddresses } from './project-addresses.ts'

/** A project is a row, its photos and its addresses: what is written of it is written here, in one transaction. */
export type NewProject = ProjectInput & {
  id: string
  createdAt: string
  /** Among the others by its date, if it is not said. */
  rank?: number | undefined
  deletedAt?: string | null | undefined
  /** The present one first; made of the title, if there is none. */
  addresses?: readonly string[] | undefined
}

export async function insertProjects(db: Db, projects: readonly NewProject[]) {
  await inTransaction(db, async (tx) => {
    for await (const some of someAtATime(projects)) {
      const slugs = await giveAddresses(tx, some)
      const rows = some.map(({ photos: _photos, addresses: _addresses, ...project }) => ({
        ...project,
        rank: project.rank ?? Date.parse(project.createdAt),
        deletedAt: project.deletedAt ?? null,
        slug: slugs.get(project.id) ?? project.id,
      }))
      await tx.insertInto('projects').values(rows).execute()
      await insertAddresses(tx, some.flatMap(addressesOf))
      await insertPhotos(tx, some)
    }
  })
}

type Values = { [Name in keyof Omit<NewProject, 'id'>]?: NewProject[Name] | undefined }

/** Whether there was such a project. The version grows. */
export async function updateProject(db: Db, target: { id: string; version?: number; deletedAt?: null }, values: Values) {
  return inTransaction(db, async (tx) => {
    const { photos, addresses, ...fields } = values
    const { numUpdatedRows } = await tx
      .updateTable('projects')
      .set({ ...fields, version: sql`version + 1` })
      .where((project) => project.and(target))
      .executeTakeFirst()
    if (numUpdatedRows === 0n) return false
    const { id } = target
    if (fields.title !== undefined) {
      const slug = (await giveAddresses(tx, [{ id, title: fields.title, addresses }])).get(id) ?? id
      await tx.updateTable('projects').set({ slug }).where('id', '=', id).where('slug', '!=', slug).execute()
    }
    await insertAddresses(tx, addressesOf({ id, addresses }))
    if (photos) {
      await tx.deleteFrom('projectPhotos').where('projectId', '=', id).execute()
      await insertPhotos(tx, [{ id, photos }])
    }
    return true
  })
}

function addressesOf({ id, addresses = [] }: { id: string; addresses?: readonly string[] | undefined }) {
  return addresses.map((slug) => ({ slug, projectId: id }))
}

async function insertPhotos(tx: Db, projects: readonly { id: string; photos: readonly StoredPhoto[] }[]) {
  const rows = projects.flatMap(({ id, photos }) =>
    photos.map(({ imageUrl, caption, captionEs }, position) => ({ projectId: id, position, imageUrl, caption, captionEs })),
  )
  for await (const some of someAtATime(rows)) await tx.insertInto('projectPhotos').values(some).execute()
}

/** The photos of each, in their order. */
export async function withPhotos<Row extends Pick<ProjectRow, 'id'>>(db: Db, projects: readonly Row[]) {
  const rows: ({ projectId: string } & StoredPhoto)[] = []
  for await (const some of someAtATime(projects.map(({ id }) => id))) {
    const found = db
      .selectFrom('projectPhotos')
      .select(['projectId', 'imageUrl', 'caption', 'captionEs'])
      .where('projectId', 'in', some)
      .orderBy('projectId')
      .orderBy('position')
    rows.push(...(await found.execute()))
  }
  const photos = new Map<string, StoredPhoto[]>(projects.map(({ id }) => [id, []]))
  for (const { projectId, ...photo } of rows) photos.get(projectId)?.push(photo)
  return projects.map((project) => ({ ...project, photos: photos.get(project.id) ?? [] }))
}

export async function countPhotos(db: Db, projects: readonly Pick<ProjectRow, 'id'>[]) {
  const counts = new Map<string, number>()
  for await (const some of someAtATime(projects.map(({ id }) => id))) {
    const rows = await db
      .selectFrom('projectPhotos')
      .select(['projectId', (row) => row.fn.countAll<number>().as('count')])
      .where('projectId', 'in', some)
      .groupBy('projectId')
      .execute()
    for (const { projectId, count } of rows) counts.set(projectId, Number(count))
  }
  return counts
}

/** The addresses of each, the present one first. */
export async function withAddresses<Row extends Pick<ProjectRow, 'id' | 'slug'>>(db: Db, projects: readonly Row[]) {
  const rows: { projectId: string; slug: string }[] = []
  for await (const some of someAtATime(projects.map(({ id }) => id))) {
    const found = db.selectFrom('projectAddresses').selectAll().where('projectId', 'in', some)
    rows.push(...(await found.execute()))
  }
  const addresses = new Map(projects.map(({ id, slug }) => [id, [slug]]))
  // Not by the database: each has an order of its own for letters.
  for (const { projectId, slug } of rows.toSorted((a, b) => (a.slug < b.slug ? -1 : 1)))
    if (addresses.get(projectId)?.[0] !== slug) addresses.get(projectId)?.push(slug)
  return projects.map(({ slug, ...project }) => ({ ...project, addresses: addresses.get(project.id) ?? [slug] }))
}

function inTransaction<T>(db: Db, work: (tx: Db) => Promise<T>) {
  return db.isTransaction ? work(db) : db.transaction().execute(work)
}
