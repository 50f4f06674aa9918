import { type Kysely, type Migration, Migrator } from 'kysely'
import type { Dialect } from './dialect.ts'
import { firstTables } from './migrations/0001-first-tables.ts'
import { uploads } from './migrations/0002-uploads.ts'
import { announceContent } from './migrations/0003-announce-content.ts'
import { severalProcesses } from './migrations/0004-several-processes.ts'
import { nothingLost } from './migrations/0005-nothing-lost.ts'
import type { Tables } from './tables.ts'

/** In order; a released one is never changed, only followed. */
const migrations: Record<string, (dialect: Dialect) => Migration> = {
  '0001-first-tables': firstTables,
  '0002-uploads': uploads,
  '0003-announce-content': announceContent,
  '0004-several-processes': severalProcesses,
  '0005-nothing-lost': nothingLost,
}

/** Kysely's migrator holds a lock while it works, so that processes starting together do not trip over each other. */
export async function migrateToLatest(db: Kysely<Tables>, dialect: Dialect) {
  const migrator = new Migrator({
    db,
    provider: {
      getMigrations: async () =>
        Object.fromEntries(Object.entries(migrations).map(([name, migration]) => [name, migration(dialect)])),
    },
  })
  const { error } = await migrator.migrateToLatest()
  if (error) throw new Error('The database could not be brought up to date.', { cause: error })
}
