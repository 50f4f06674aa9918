import { randomBytes } from 'node:crypto'
import { type Kysely, sql } from 'kysely'
import { columnTypes, type Dialect } from '../dialect.ts'

/**
 * The demo account is known by more than its name, browsers that have signed in before by a signature, and the featured
 * projects are found without reading the others. Of an older database nothing tells who made the account called admin: it
 * counts as the demo's while it has the demo's password.
 */
export async function nobodyLockedOut(db: Kysely<unknown>, dialect: Dialect) {
  const type = columnTypes[dialect]
  await db.schema
    .alterTable('admin_users')
    .addColumn('demo', type.boolean, (column) => column.notNull().defaultTo(sql`false`))
    .execute()
  await sql`update admin_users set demo = true where name_key = 'admin'`.execute(db)
  await db.schema
    .alterTable('site')
    .addColumn('device_key', 'text', (column) => column.notNull().defaultTo(''))
    .execute()
  await sql`update site set device_key = ${randomBytes(32).toString('base64url')}`.execute(db)
  await db.schema.createIndex('projects_featured').on('projects').columns(['featured', 'created_at desc', 'id']).execute()
}
