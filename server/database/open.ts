import { mkdirSync } from 'node:fs'
import path from 'node:path'
import type { Readable } from 'node:stream'
import { CamelCasePlugin, Kysely, sql, type Transaction } from 'kysely'
import { contentChannel, type Dialect } from './dialect.ts'
import { migrateToLatest } from './migrate.ts'
import { openPostgres } from './postgres.ts'
import { dumpPostgres } from './postgres-dump.ts'
import { listenToPostgres } from './postgres-listen.ts'
import { openSqlite } from './sqlite.ts'
import { dumpSqlite } from './sqlite-dump.ts'
import type { Db, Tables } from './tables.ts'

export type Database = {
  db: Db
  dialect: Dialect
  /** Runs the work in a transaction that no other process enters under the same name at the same time. */
  exclusively<T>(name: string, work: (tx: Transaction<Tables>) => Promise<T>): Promise<T>
  /** Everything the work reads is of one and the same moment. */
  snapshot<T>(work: (tx: Transaction<Tables>) => Promise<T>): Promise<T>
  /** Calls back, well within a second, when another process has changed what visitors see; at times also when none has. */
  watchContent(changed: () => void): { stop(): Promise<void> }
  /** Writes a copy of the whole database, and fails with DumpFailed when it does not come out whole. */
  dump(write: (content: Readable) => Promise<void>): Promise<void>
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
        // SQLite has one writer at a time: its transactions never overlap.
        if (dialect === 'postgres') await sql`select pg_advisory_xact_lock(hashtext(${name}))`.execute(tx)
        return work(tx)
      }),
    snapshot: (work) => db.transaction().setIsolationLevel('repeatable read').execute(work),
    watchContent: (changed) => (url ? listenToPostgres(url, contentChannel, changed) : watchSqlite(db, changed)),
    async dump(write) {
      if (!url) return dumpSqlite(sqliteFile(dataDir), path.join(dataDir, 'unfinished'), write)
      const { rows } = await sql<{ version: string }>`select current_setting('server_version_num') as version`.execute(db)
      await dumpPostgres(url, Math.floor(Number(rows[0]?.version) / 10_000), write)
    },
    close: () => db.destroy(),
  }
}

const lookEvery = 400

/** SQLite counts the commits of others; looking at the count costs next to nothing. */
function watchSqlite(db: Db, changed: () => void) {
  let known: number | undefined
  let looking = Promise.resolve()
  const look = async () => {
    const { rows } = await sql<{ dataVersion: number }>`pragma data_version`.execute(db)
    const found = rows[0]?.dataVersion
    if (known !== undefined && found !== known) changed()
    known = found
  }
  // A look that fails is made up for by the next one.
  const timer = setInterval(() => {
    looking = looking.then(look).catch(() => {})
  }, lookEvery)
  timer.unref()
  looking = look().catch(() => {})
  return {
    async stop() {
      clearInterval(timer)
      await looking
    },
  }
}

function sqliteFile(dataDir: string) {
  mkdirSync(dataDir, { recursive: true })
  return path.join(dataDir, 'vitrina.sqlite')
}
