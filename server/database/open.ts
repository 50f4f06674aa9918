import { mkdirSync } from 'node:fs'
import path from 'node:path'
import { CamelCasePlugin, Kysely, sql, type Transaction } from 'kysely'
import type { Dialect } from './dialect.ts'
import { migrateToLatest } from './migrate.ts'
import { openPostgres } from './postgres.ts'
import { openSqlite } from './sqlite.ts'
import type { Db, Tables } from './tables.ts'

export type Database = {
  db: Db
  dialect: Dialect
  /** Runs the work in a transaction that no other process enters under the same name at the same time. */
  exclusively<T>(name: string, work: (tx: Transaction<Tables>) => Promise<T>): Promise<T>
  close(): Promise<void>
}

type Where = { url?: string | undefined; dataDir: string; onIdleError?: (error: Error) => void }

/** Opens the database the settings name and brings its tables up to date. */
export async function openDatabase({ url, dataDir, onIdleError = () => {} }: Where): Promise<Database> {
  const dialect: Dialect = url ? 'postgres' : 'sqlite'
  const db = new Kysely<Tables>({
    dialect: url ? openPostgres(url, onIdleError) : openSqlite(sqliteFile(dataDir)),
    plugins: [new CamelCasePlugin({ maintainNestedObjectKeys: true })],
  })
  try {
    await migrateToLatest(db, dialect)
  } catch (error) {
    await db.destroy()
    throw error
  }
  return {
    db,
    dialect,
    exclusively: (name, work) =>
      db.transaction().execute(async (tx) => {
        // SQLite has one writer, and one process per data folder: its transactions never overlap.
        if (dialect === 'postgres') await sql`select pg_advisory_xact_lock(hashtext(${name}))`.execute(tx)
        return work(tx)
      }),
    close: () => db.destroy(),
  }
}

function sqliteFile(dataDir: string) {
  mkdirSync(dataDir, { recursive: true })
  return path.join(dataDir, 'vitrina.sqlite')
}
