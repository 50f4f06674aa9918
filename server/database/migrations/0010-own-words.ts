import { type Kysely, sql } from 'kysely'
import { columnTypes, type Dialect } from '../dialect.ts'

/**
 * The maker's own words and pictures: published versions, of which the newest is shown, and what is not published yet. The
 * list of first steps of a new owner can be put away, and knows whether a backup has ever left the machine.
 */
export async function ownWords(db: Kysely<unknown>, dialect: Dialect) {
  const type = columnTypes[dialect]
  await db.schema
    .createTable('site_versions')
    .addColumn('number', 'integer', (column) => column.primaryKey().notNull())
    .addColumn('fields', type.json, (column) => column.notNull())
    .addColumn('author', 'text')
    .addColumn('created_at', type.moment, (column) => column.notNull().defaultTo(type.now))
    .execute()
  await db.schema
    .createTable('site_draft')
    // One row at most.
    .addColumn('id', 'integer', (column) => column.primaryKey().notNull().check(sql`id = 1`))
    .addColumn('changes', type.json, (column) => column.notNull())
    .addColumn('revision', 'text', (column) => column.notNull())
    .addColumn('author', 'text')
    .addColumn('changed_at', type.moment, (column) => column.notNull())
    .execute()
  const site = db.schema.alterTable('site')
  await site.addColumn('first_steps_done', type.boolean, (column) => column.notNull().defaultTo(sql`false`)).execute()
  await site.addColumn('backup_taken_at', type.moment).execute()
  // Who has had the site for long is not asked for first steps; the panel offers them.
  await sql`
    update site set first_steps_done = true where exists (
      select 1 from admin_users where demo = false and last_login is not null
    )`.execute(db)
  await (dialect === 'sqlite' ? sqliteTriggers(db) : postgresTrigger(db))
}

/** As in 0007. */
async function sqliteTriggers(db: Kysely<unknown>) {
  for (const event of ['insert', 'update', 'delete']) {
    await sql`
      create trigger ${sql.id(`site_versions_${event}_content_version`)} after ${sql.raw(event)} on site_versions
      begin update site set content_version = hex(randomblob(16)); end`.execute(db)
  }
}

async function postgresTrigger(db: Kysely<unknown>) {
  await sql`
    create constraint trigger change_content_version after insert or update or delete on site_versions
    deferrable initially deferred for each row execute function change_content_version()`.execute(db)
}
