import { type Kysely, sql } from 'kysely'
import { columnTypes, type Dialect } from '../dialect.ts'

/** Owners and helpers, addresses of accounts, passkeys, what is handed out to be used once, and who did what. */
export async function accounts(db: Kysely<unknown>, dialect: Dialect) {
  const type = columnTypes[dialect]
  await db.schema
    .alterTable('admin_users')
    .addColumn('role', 'text', (role) => role.notNull().defaultTo('owner'))
    .execute()
  await db.schema.alterTable('admin_users').addColumn('email', 'text').execute()
  await db.schema
    .createTable('passkeys')
    .addColumn('id', 'text', (column) => column.primaryKey().notNull())
    .addColumn('admin_id', type.uuid, (column) => column.notNull().references('admin_users.id').onDelete('cascade'))
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('public_key', 'text', (column) => column.notNull())
    .addColumn('counter', 'double precision', (column) => column.notNull())
    .addColumn('transports', type.json, (column) => column.notNull())
    .addColumn('created_at', type.moment, (column) => column.notNull())
    .addColumn('used_at', type.moment)
    .execute()
  await db.schema.createIndex('passkeys_of_admin').on('passkeys').column('admin_id').execute()
  await db.schema
    .createTable('tokens')
    .addColumn('id', 'text', (column) => column.primaryKey().notNull())
    .addColumn('kind', 'text', (column) => column.notNull())
    .addColumn('admin_id', type.uuid, (column) => column.references('admin_users.id').onDelete('cascade'))
    .addColumn('email', 'text')
    .addColumn('expires_at', type.moment, (column) => column.notNull())
    .execute()
  await db.schema.createIndex('tokens_of_admin').on('tokens').column('admin_id').execute()
  await db.schema.createIndex('tokens_by_end').on('tokens').column('expires_at').execute()
  // The account's name as it was, and no reference to it: what somebody did stays when the account is deleted.
  await db.schema
    .createTable('activity')
    .addColumn('id', type.uuid, (column) => column.primaryKey().notNull())
    .addColumn('at', type.moment, (column) => column.notNull())
    .addColumn('admin_id', type.uuid)
    .addColumn('account', 'text')
    .addColumn('kind', 'text', (column) => column.notNull())
    .addColumn('details', type.json, (column) => column.notNull())
    .execute()
  await db.schema.createIndex('activity_by_time').on('activity').columns(['at desc', 'id']).execute()
  await db.schema.createIndex('activity_of_kind').on('activity').columns(['kind', 'at desc', 'id']).execute()
  await db.schema.createIndex('activity_of_admin').on('activity').columns(['admin_id', 'at desc', 'id']).execute()
  // PostgreSQL sorts the rows of the index above that have no account.
  await sql`create index activity_of_nobody on activity (at desc, id) where admin_id is null`.execute(db)
}
