import { type Kysely, sql } from 'kysely'
import type { Dialect } from '../dialect.ts'

/**
 * Every change of what visitors see gives the site another content version, in the same transaction. Never a version that was
 * there before: a database that was put back must not be taken for the one before it. The triggers of 0003 go.
 */
export async function contentVersion(db: Kysely<unknown>, dialect: Dialect) {
  await db.schema
    .alterTable('site')
    .addColumn('content_version', 'text', (column) => column.notNull().defaultTo(''))
    .execute()
  await (dialect === 'sqlite' ? sqliteTriggers(db) : postgresTriggers(db))
}

/** What a sweep notes of a photo (an update of images) changes no page. */
const changes = { projects: ['insert', 'update', 'delete'], images: ['insert', 'delete'] }

async function sqliteTriggers(db: Kysely<unknown>) {
  for (const [table, events] of Object.entries(changes)) {
    for (const event of events) {
      await sql`
        create trigger ${sql.id(`${table}_${event}_content_version`)} after ${sql.raw(event)} on ${sql.table(table)}
        begin update site set content_version = hex(randomblob(16)); end`.execute(db)
    }
  }
}

async function postgresTriggers(db: Kysely<unknown>) {
  await sql`
    create function change_content_version() returns trigger language plpgsql as $$
    declare
      -- One for each transaction; its number alone may come again in another cluster.
      version text := txid_current() || ' ' || now();
    begin
      update site set content_version = version where content_version <> version;
      return null;
    end $$`.execute(db)
  for (const [table, events] of Object.entries(changes)) {
    await sql`drop trigger announce_content on ${sql.table(table)}`.execute(db)
    // Deferred to the commit: otherwise a long import would hold the row, and every other change wait for its end.
    await sql`
      create constraint trigger change_content_version after ${sql.raw(events.join(' or '))} on ${sql.table(table)}
      deferrable initially deferred for each row execute function change_content_version()`.execute(db)
  }
  await sql`drop function announce_content()`.execute(db)
}
