import { type Kysely, sql } from 'kysely'
import { columnTypes, type Dialect } from '../dialect.ts'

const texts = ['title', 'description', 'materials', 'techniques']

/**
 * Texts of projects and captions of photos in other languages are rows by language. The Spanish ones move there, and their
 * columns go: a process of an older release that still runs would otherwise save texts into them that are never shown.
 */
export async function projectTexts(db: Kysely<unknown>, dialect: Dialect) {
  const type = columnTypes[dialect]
  await db.schema
    .createTable('project_texts')
    .addColumn('project_id', type.uuid, (column) => column.notNull().references('projects.id').onDelete('cascade'))
    .addColumn('language', 'text', (column) => column.notNull())
    .addColumn('title', 'text')
    .addColumn('description', 'text')
    .addColumn('materials', 'text')
    .addColumn('techniques', 'text')
    .addPrimaryKeyConstraint('project_texts_language', ['project_id', 'language'])
    .execute()
  await db.schema
    .createTable('project_photo_texts')
    .addColumn('project_id', type.uuid, (column) => column.notNull())
    .addColumn('position', 'integer', (column) => column.notNull())
    .addColumn('language', 'text', (column) => column.notNull())
    .addColumn('caption', 'text')
    .addPrimaryKeyConstraint('project_photo_texts_language', ['project_id', 'position', 'language'])
    .addForeignKeyConstraint(
      'project_photo_texts_photo',
      ['project_id', 'position'],
      'project_photos',
      ['project_id', 'position'],
      (constraint) => constraint.onDelete('cascade'),
    )
    .execute()
  await sql`
    insert into project_texts (project_id, language, title, description, materials, techniques)
    select id, 'es', title_es, description_es, materials_es, techniques_es from projects
    where coalesce(title_es, description_es, materials_es, techniques_es) is not null`.execute(db)
  await sql`
    insert into project_photo_texts (project_id, position, language, caption)
    select project_id, position, 'es', caption_es from project_photos where caption_es is not null`.execute(db)
  for (const text of texts) await db.schema.alterTable('projects').dropColumn(`${text}_es`).execute()
  await db.schema.alterTable('project_photos').dropColumn('caption_es').execute()
  // The last merge noted sums of the old shape of projects: without them it cannot be undone.
  await sql`delete from merged_records`.execute(db)
  await sql`update backup_care set last_merge = null`.execute(db)
}
