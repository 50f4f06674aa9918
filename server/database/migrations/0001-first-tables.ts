import { type Kysely, sql } from 'kysely'
import { columnTypes, type Dialect } from '../dialect.ts'

export async function firstTables(db: Kysely<unknown>, dialect: Dialect) {
  const type = columnTypes[dialect]
  await db.schema
    .createTable('projects')
    .addColumn('id', type.uuid, (column) => column.primaryKey().notNull())
    .addColumn('title', 'text', (column) => column.notNull())
    .addColumn('description', 'text', (column) => column.notNull())
    .addColumn('category', 'text', (column) => column.notNull())
    .addColumn('image_url', 'text', (column) => column.notNull())
    .addColumn('scale', 'text')
    .addColumn('materials', 'text')
    .addColumn('techniques', 'text')
    .addColumn('time_spent', 'text')
    .addColumn('before_image_url', 'text')
    .addColumn('after_image_url', 'text')
    .addColumn('featured', type.boolean, (column) => column.notNull().defaultTo(sql`false`))
    .addColumn('created_at', type.moment, (column) => column.notNull().defaultTo(type.now))
    .addColumn('title_es', 'text')
    .addColumn('description_es', 'text')
    .addColumn('materials_es', 'text')
    .addColumn('techniques_es', 'text')
    .execute()
  await db.schema.createIndex('projects_newest').on('projects').columns(['created_at desc', 'id']).execute()
  await db.schema
    .createIndex('projects_newest_of_category')
    .on('projects')
    .columns(['category', 'created_at desc', 'id'])
    .execute()

  await db.schema
    .createTable('contact_messages')
    .addColumn('id', type.uuid, (column) => column.primaryKey().notNull())
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('email', 'text', (column) => column.notNull())
    .addColumn('project_type', 'text')
    .addColumn('message', 'text', (column) => column.notNull())
    .addColumn('created_at', type.moment, (column) => column.notNull().defaultTo(type.now))
    .execute()
  await db.schema.createIndex('contact_messages_newest').on('contact_messages').columns(['created_at desc', 'id']).execute()

  await db.schema
    .createTable('admin_users')
    .addColumn('id', type.uuid, (column) => column.primaryKey().notNull())
    .addColumn('username', type.username, (column) => column.notNull().check(sql`length(username) <= 50`))
    // Two people must never wonder which of "Ana" and "ana" they are.
    .addColumn('name_key', 'text', (column) => column.notNull().unique())
    .addColumn('password_hash', 'text', (column) => column.notNull())
    .addColumn('last_login', type.moment)
    .addColumn('created_at', type.moment, (column) => column.notNull().defaultTo(type.now))
    .execute()

  await db.schema
    .createTable('sessions')
    .addColumn('sid', 'text', (column) => column.primaryKey().notNull())
    .addColumn('admin_id', type.uuid, (column) => column.notNull().references('admin_users.id').onDelete('cascade'))
    .addColumn('sess', type.json, (column) => column.notNull())
    .addColumn('expire', type.moment, (column) => column.notNull())
    .execute()
  await db.schema.createIndex('sessions_expire').on('sessions').column('expire').execute()
  await db.schema.createIndex('sessions_admin').on('sessions').column('admin_id').execute()

  await db.schema
    .createTable('login_attempts')
    .addColumn('subject', 'text', (column) => column.primaryKey().notNull())
    .addColumn('failures', 'integer', (column) => column.notNull())
    .addColumn('last_failure', type.moment, (column) => column.notNull())
    .execute()
  await db.schema.createIndex('login_attempts_last').on('login_attempts').column('last_failure').execute()

  await db.schema
    .createTable('images')
    .addColumn('hash', 'text', (column) => column.primaryKey().notNull())
    .addColumn('content_type', 'text', (column) => column.notNull())
    .addColumn('bytes', 'integer', (column) => column.notNull())
    .addColumn('width', 'integer', (column) => column.notNull())
    .addColumn('height', 'integer', (column) => column.notNull())
    .addColumn('placeholder', 'text', (column) => column.notNull())
    .addColumn('created_at', type.moment, (column) => column.notNull().defaultTo(type.now))
    .execute()
}
