import { type Kysely, sql } from 'kysely'
import { columnTypes, type Dialect } from '../dialect.ts'

/** The last import or restore is undone by what its records were, and not by an export from before it. */
export async function undoRows(db: Kysely<unknown>, dialect: Dialect) {
  const type = columnTypes[dialect]
  await db.schema.dropTable('merged_records').execute()
  await db.schema
    .createTable('merged_records')
    .addColumn('merge_id', type.uuid, (column) => column.notNull())
    .addColumn('list', 'text', (column) => column.notNull())
    .addColumn('record_id', type.uuid, (column) => column.notNull())
    .addColumn('before', type.json)
    .addColumn('after', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('merged_records_key', ['merge_id', 'list', 'record_id'])
    .execute()
  // Without these rows the last merge of an older release cannot be undone.
  await sql`update backup_care set last_merge = null`.execute(db)
}
