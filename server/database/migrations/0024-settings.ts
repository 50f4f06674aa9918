import { type Kysely, sql } from 'kysely'
import { columnTypes, type Dialect } from '../dialect.ts'

/** What is set in the panel instead of the environment. Every process notices a change by the content version. */
export async function settings(db: Kysely<unknown>, dialect: Dialect) {
  const type = columnTypes[dialect]
  await db.schema
    .createTable('settings')
    .addColumn('name', 'text', (column) => column.primaryKey().notNull())
    .addColumn('value', type.json, (column) => column.notNull())
    .addColumn('secret', 'text')
    .addColumn('set_at', type.moment, (column) => column.notNull())
    .execute()
  for (const event of dialect === 'sqlite' ? ['insert', 'update', 'delete'] : []) {
    await sql`
      create trigger ${sql.id(`settings_${event}_content_version`)} after ${sql.raw(event)} on settings
      begin update site set content_version = hex(randomblob(16)); end`.execute(db)
  }
  if (dialect === 'postgres') {
    await sql`
      create constraint trigger change_content_version after insert or update or delete on settings
      deferrable initially deferred for each row execute function change_content_version()`.execute(db)
  }
  // Test mails are sent at once now, and not by the outbox.
  await sql`delete from outbox where kind = 'test'`.execute(db)
}
