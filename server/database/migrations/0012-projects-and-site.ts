import { type Kysely, sql } from 'kysely'
import { giveAddresses } from '../../features/projects/project-addresses.ts'
import type { Dialect } from '../dialect.ts'
import type { Tables } from '../tables.ts'

/**
 * A project without an address is refused: one that a process of an older release has stored cannot be opened, exported or
 * restored. Those that are there get theirs. The site notes when it ran.
 */
export async function projectsAndSite(db: Kysely<unknown>, dialect: Dialect) {
  const tables = db as Kysely<Tables>
  const nameless = await tables
    .selectFrom('projects')
    .select(['id', 'title'])
    .where('slug', '=', '')
    .orderBy('createdAt')
    .execute()
  for (const [id, slug] of await giveAddresses(tables, nameless)) {
    await tables.updateTable('projects').set({ slug }).where('id', '=', id).execute()
  }
  await tables.deleteFrom('projectAddresses').where('slug', '=', '').execute()
  if (dialect === 'postgres') {
    // The deferred triggers of the updates above must have fired.
    await sql`set constraints all immediate`.execute(db)
    await sql`alter table projects add constraint projects_slug check (slug <> '')`.execute(db)
  } else {
    // SQLite adds no check to a table that exists.
    for (const event of ['insert', 'update']) {
      await sql`
        create trigger ${sql.id(`projects_${event}_slug`)} before ${sql.raw(event)} on projects when new.slug = ''
        begin select raise(abort, 'a project needs a slug'); end`.execute(db)
    }
  }
  await db.schema.alterTable('site').addColumn('clock', 'text').execute()
}
