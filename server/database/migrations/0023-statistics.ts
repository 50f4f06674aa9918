import { type Kysely, sql } from 'kysely'
import { columnTypes, type Dialect } from '../dialect.ts'

/** What draws people, as sums by day, and whether they are counted. */
export async function statistics(db: Kysely<unknown>, dialect: Dialect) {
  const { boolean } = columnTypes[dialect]
  await db.schema
    .createTable('statistics')
    .addColumn('day', 'text', (column) => column.notNull())
    .addColumn('kind', 'text', (column) => column.notNull())
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('count', 'integer', (column) => column.notNull())
    .addPrimaryKeyConstraint('statistics_pkey', ['day', 'kind', 'name'])
    .execute()
  await db.schema
    .alterTable('site')
    .addColumn('counts_visits', boolean, (column) => column.notNull().defaultTo(sql`true`))
    .execute()
}
