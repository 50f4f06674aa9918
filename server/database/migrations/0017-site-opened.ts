import { type Kysely, sql } from 'kysely'
import { columnTypes, type Dialect } from '../dialect.ts'

/** Whether visitors see the page. An existing site is open; a new one with an owner is opened by its maker. */
export async function siteOpened(db: Kysely<unknown>, dialect: Dialect) {
  const { boolean } = columnTypes[dialect]
  await db.schema
    .alterTable('site')
    .addColumn('opened', boolean, (column) => column.notNull().defaultTo(sql`true`))
    .execute()
  // What visitors see changes with it: as in 0007.
  await (dialect === 'sqlite'
    ? sql`
      create trigger site_opened_content_version after update of opened on site
      begin update site set content_version = hex(randomblob(16)); end`
    : sql`
      create constraint trigger change_content_version after update of opened on site
      deferrable initially deferred for each row execute function change_content_version()`
  ).execute(db)
}
