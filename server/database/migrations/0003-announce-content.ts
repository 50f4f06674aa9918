import { type Kysely, sql } from 'kysely'
import type { Dialect } from '../dialect.ts'

/** Whoever changes what visitors see, every process hears of it when the change is final. */
export async function announceContent(db: Kysely<unknown>, dialect: Dialect) {
  if (dialect === 'sqlite') return
  await sql`
    create function announce_content() returns trigger language plpgsql as $$
    begin
      perform pg_notify('content_changed', '');
      return null;
    end $$`.execute(db)
  for (const table of ['projects', 'images']) {
    await sql`
      create trigger announce_content after insert or update or delete on ${sql.table(table)}
      for each statement execute function announce_content()`.execute(db)
  }
}
