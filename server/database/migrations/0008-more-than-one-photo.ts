import { type Kysely, sql } from 'kysely'
import { giveAddresses } from '../../features/projects/project-addresses.ts'
import { columnTypes, type Dialect } from '../dialect.ts'
import { inSlices } from '../slices.ts'
import type { Tables } from '../tables.ts'

/**
 * A project has photos beside its cover, a place the maker gives it, readable addresses, and may be a draft or in the trash.
 * Projects of before keep the order of their dates and get an address made of their title.
 */
export async function moreThanOnePhoto(db: Kysely<unknown>, dialect: Dialect) {
  const type = columnTypes[dialect]
  await db.schema
    .createTable('project_photos')
    .addColumn('project_id', type.uuid, (column) => column.notNull().references('projects.id').onDelete('cascade'))
    .addColumn('position', 'integer', (column) => column.notNull())
    .addColumn('image_url', 'text', (column) => column.notNull())
    .addColumn('caption', 'text')
    .addColumn('caption_es', 'text')
    .addPrimaryKeyConstraint('project_photos_place', ['project_id', 'position'])
    .execute()
  await db.schema
    .createTable('project_addresses')
    .addColumn('slug', 'text', (column) => column.primaryKey().notNull())
    // Checked at the end of a transaction: a project takes its address before it is there.
    .addColumn('project_id', type.uuid, (column) =>
      column.notNull().references('projects.id').onDelete('cascade').modifyEnd(sql`deferrable initially deferred`),
    )
    .execute()
  await db.schema.createIndex('project_addresses_project').on('project_addresses').column('project_id').execute()

  const projects = db.schema.alterTable('projects')
  await projects.addColumn('slug', 'text', (column) => column.notNull().defaultTo('')).execute()
  await projects.addColumn('rank', 'double precision', (column) => column.notNull().defaultTo(0)).execute()
  await projects.addColumn('draft', type.boolean, (column) => column.notNull().defaultTo(sql`false`)).execute()
  await projects.addColumn('deleted_at', type.moment).execute()
  const milliseconds =
    dialect === 'postgres'
      ? sql`extract(epoch from created_at) * 1000`
      : sql`round((julianday(created_at) - 2440587.5) * 86400000)`
  await sql`update projects set rank = ${milliseconds}`.execute(db)
  await nameAll(db as Kysely<Tables>)

  for (const name of ['projects_newest', 'projects_newest_of_category', 'projects_featured']) {
    await db.schema.dropIndex(name).execute()
  }
  // With what says whether a project is shown: pages and places in a list are counted without reading the projects.
  const index = (name: string, columns: string[]) => db.schema.createIndex(name).on('projects').columns(columns).execute()
  await index('projects_ranked', ['rank desc', 'id', 'deleted_at', 'draft'])
  await index('projects_ranked_of_category', ['category', 'rank desc', 'id', 'deleted_at', 'draft', 'featured'])
  await index('projects_ranked_featured', ['featured', 'rank desc', 'id', 'deleted_at', 'draft'])
  // Only of those that are deleted: otherwise it would be taken for finding those that are not.
  await sql`create index projects_deleted on projects (deleted_at desc, id) where deleted_at is not null`.execute(db)
}

/** From the first made to the last: of two of one name the older one gets the shorter address. */
async function nameAll(db: Kysely<Tables>) {
  const oldest = db.selectFrom('projects').select(['id', 'title', 'createdAt']).orderBy('createdAt').orderBy('id')
  const slices = inSlices((limit, after: { createdAt: string; id: string } | undefined) => {
    const all = oldest.limit(limit)
    return (after ? all.where(sql`(created_at, id)`, '>', sql`(${after.createdAt}, ${after.id})`) : all).execute()
  })
  for await (const projects of slices) await giveAddresses(db, projects)
  await sql`
    update projects set slug = (select slug from project_addresses where project_id = projects.id)`.execute(db)
}
