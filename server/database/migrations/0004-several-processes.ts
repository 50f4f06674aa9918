import type { Kysely } from 'kysely'
import { columnTypes, type Dialect } from '../dialect.ts'

/** What one process counts the others must know of; and what an hourly sweep looks for is found without reading every photo. */
export async function severalProcesses(db: Kysely<unknown>, dialect: Dialect) {
  const type = columnTypes[dialect]
  await db.schema
    .createTable('request_counts')
    .addColumn('subject', 'text', (column) => column.primaryKey().notNull())
    .addColumn('count', 'integer', (column) => column.notNull())
    .addColumn('window_ends', type.moment, (column) => column.notNull())
    .execute()
  await db.schema.createIndex('request_counts_ends').on('request_counts').column('window_ends').execute()
  await db.schema.createIndex('images_unreferenced').on('images').column('unreferenced_since').execute()
}
