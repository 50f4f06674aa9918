import { type Kysely, sql } from 'kysely'
import { columnTypes, type Dialect } from '../dialect.ts'

/**
 * A project's version refuses a save made from an older one; the site's id tells which photos and backups are its own. The id
 * comes with the first start: a backup of an older release that is put back takes that of the files it finds.
 */
export async function nothingLost(db: Kysely<unknown>, dialect: Dialect) {
  const type = columnTypes[dialect]
  await db.schema
    .alterTable('projects')
    .addColumn('version', 'integer', (column) => column.notNull().defaultTo(1))
    .execute()
  await db.schema
    .createTable('site')
    .addColumn('id', type.uuid)
    .addColumn('created_at', type.moment, (column) => column.notNull().defaultTo(type.now))
    .execute()
  await sql`insert into site (id) values (null)`.execute(db)
}
