import { type Kysely, sql } from 'kysely'
import { columnTypes, type Dialect } from '../dialect.ts'

/** What the site knows of its backups, which it looks after by itself, and what the last restore has changed, so that it can be undone. */
export async function backupCare(db: Kysely<unknown>, dialect: Dialect) {
  const type = columnTypes[dialect]
  await db.schema
    .createTable('backup_care')
    // One row.
    .addColumn('id', 'integer', (column) => column.primaryKey().notNull().check(sql`id = 1`))
    .addColumn('nightly', type.boolean)
    .addColumn('at', 'text', (column) => column.notNull().defaultTo('03:00'))
    .addColumn('keep_daily', 'integer', (column) => column.notNull().defaultTo(7))
    .addColumn('keep_weekly', 'integer', (column) => column.notNull().defaultTo(5))
    .addColumn('keep_monthly', 'integer', (column) => column.notNull().defaultTo(12))
    .addColumn('night_done_at', type.moment)
    .addColumn('night_fault', type.json)
    .addColumn('copy_fault', type.json)
    .addColumn('trial', type.json)
    .addColumn('mailed_at', type.moment)
    .addColumn('working', type.json)
    .addColumn('last_merge', type.json)
    .execute()
  await sql`insert into backup_care (id) values (1)`.execute(db)
  await db.schema
    .createTable('known_backups')
    .addColumn('filename', 'text', (column) => column.primaryKey().notNull())
    .addColumn('sha256', 'text', (column) => column.notNull())
    .addColumn('checked_at', type.moment, (column) => column.notNull())
    .addColumn('copied_at', type.moment)
    .execute()
  await db.schema
    .createTable('merged_records')
    .addColumn('list', 'text', (column) => column.notNull())
    .addColumn('record_id', type.uuid, (column) => column.notNull())
    .addColumn('added', type.boolean, (column) => column.notNull())
    .addColumn('mark', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('merged_records_key', ['list', 'record_id'])
    .execute()
}
