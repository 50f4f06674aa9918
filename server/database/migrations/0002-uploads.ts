import type { Kysely } from 'kysely'
import { columnTypes, type Dialect } from '../dialect.ts'

export async function uploads(db: Kysely<unknown>, dialect: Dialect) {
  const type = columnTypes[dialect]
  await db.schema
    .createTable('upload_tickets')
    .addColumn('id', 'text', (column) => column.primaryKey().notNull())
    .addColumn('admin_id', type.uuid, (column) => column.notNull().references('admin_users.id').onDelete('cascade'))
    .addColumn('state', 'text', (column) => column.notNull())
    .addColumn('expires_at', type.moment, (column) => column.notNull())
    .execute()
  await db.schema.createIndex('upload_tickets_expires').on('upload_tickets').column('expires_at').execute()
  await db.schema.createIndex('upload_tickets_admin').on('upload_tickets').column('admin_id').execute()

  await db.schema.alterTable('images').addColumn('unreferenced_since', type.moment).execute()
}
