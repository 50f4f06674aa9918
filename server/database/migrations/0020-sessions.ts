import type { Kysely } from 'kysely'
import { columnTypes, type Dialect } from '../dialect.ts'

/** Where an account is signed in: the browser and its system in words, and when the session was last used. */
export async function sessions(db: Kysely<unknown>, dialect: Dialect) {
  const { moment } = columnTypes[dialect]
  for (const name of ['browser', 'system']) await db.schema.alterTable('sessions').addColumn(name, 'text').execute()
  await db.schema.alterTable('sessions').addColumn('used_at', moment).execute()
}
