import { statSync } from 'node:fs'
import path from 'node:path'
import type { Readable } from 'node:stream'
import { CamelCasePlugin, type CompiledQuery, Kysely, type Dialect as KyselyDialect, sql, type Transaction } from 'kysely'
import type { Pool } from 'pg'
import { DatabaseUnreachable } from './database-away.ts'
import { DatabaseUnusable } from './database-unusable.ts'
import { contentChannel, type Dialect } from './dialect.ts'
import { tryFileLock } from './file-lock.ts'
import { type MigrationRules, migrateToLatest } from './migrate.ts'
import type { PoolLimits } from './postgres.ts'
import { type DumpWays, dumpPostgres } from './postgres-dump.ts'
import type { Listener } from './postgres-listen.ts'
import { openSqlite, quickCheck } from './sqlite.ts'
import { dumpSqlite, keepCopyBeforeUpdate } from './sqlite-dump.ts'
import type { Db, Tables } from './tables.ts'

export type Database = {
  db: Db
  dialect: Dialect
  /**
   * Runs the work in a transaction that no other process enters under the same name at the same time. What is `unhurried`
   * waits for its turn, and for each of its statements, as long as it takes; a visitor's request does not.
   */
  exclusively<T>(name: string, work: (tx: Transaction<Tables>) => Promise<T>, options?: { unhurried?: boolean }): Promise<T>
  /** Does the work unless another process is at something of the same name; undefined then. The work may take long. */
  unlessBusy<T>(name: string, work: () => Promise<T>): Promise<{ done: T } | undefined>
  /** Everything the work reads is of one and the same moment, however long it takes. */
  snapshot<T>(work: (tx: Transaction<Tables>) => Promise<T>): Promise<T>
  /** Calls back, well within a second, when another process has changed what visitors see; at times also when none has. */
  watchContent(changed: () => void): { stop(): Promise<void> }
  /**
   * Writes a copy of the database, of all but who is here at the moment, and fails with DumpFailed when it does not come out
   * whole.
   */
  dump(write: (content: Readable) => Promise<void>): Promise<void>
  /** Fails when what visitors are shown cannot be read, or the built-in database's file is damaged, removed or replaced. */
  check(): Promise<void>
  /** Moves the last writes into the main file of the built-in database, and empties the one beside it. */
  checkpoint(): void
  /** How many connections there are and how many wait for one; undefined where there is no such thing. */
  connections(): Connections | undefined
  close(): Promise<void>
}

export type Connections = { open: number; idle: number; waiting: number; most: number }

type Where = {
  url?: string | undefined
  dataDir: string
  /** How many connections to PostgreSQL there may be at once. */
  mostConnections?: number
  /** Hears of connections that were lost. */
  onLost?: (error: Error) => void
  /** Where PostgreSQL's own program for copies is, when not in its usual places. */
  pgDump?: DumpWays
  /** Sees every statement once it is done. */
  onStatement?: (statement: CompiledQuery) => void
  /** The built-in database, on a disk that cannot be written to. */
  readOnly?: boolean
} & Pick<MigrationRules, 'asGuest' | 'onNew'>

/** Longer than any page needs, and shorter than a visitor's patience. */
const requestMilliseconds = 15_000

/** Opens the database the settings name and brings its tables up to date. */
export async function openDatabase(where: Where) {
  const { url, dataDir, mostConnections = 10, onLost = () => {}, pgDump, onStatement, readOnly = false, asGuest, onNew } = where
  const limits = { most: mostConnections, statementMilliseconds: requestMilliseconds, onLost }
  const server = url ? await postgresAt(url) : undefined
  if (server) await migratePostgres(server, onLost, { asGuest, onNew })
  const postgres = server?.open(limits)
  const dialect: Dialect = postgres ? 'postgres' : 'sqlite'
  const file = sqliteFile(dataDir)
  if (!postgres) await lookBeforeOpening(file, { asGuest: asGuest || readOnly, onNew }, readOnly)
  const sqlite = postgres ? undefined : openSqlite(file, { readOnly })
  const db = new Kysely<Tables>({
    dialect: (postgres ?? sqlite)?.dialect as KyselyDialect,
    plugins: [camelCase],
    ...(onStatement && { log: ({ query }) => onStatement(query) }),
  })
  const reader = sqlite && new Kysely<Tables>({ dialect: sqlite.reader, plugins: [camelCase] })
  if (!url) {
    const beforeUpdate = () => keepCopyBeforeUpdate(file, path.join(dataDir, 'before-update'), new Date())
    await migrateOrClose(db, dialect, { asGuest: asGuest || readOnly, onNew, beforeUpdate })
    sqlite?.checkpoint()
  }
  // Kysely closes only what has been used.
  else await sql`select 1`.execute(db)
  const database: Database = {
    db,
    dialect,
    exclusively: (name, work, { unhurried = false } = {}) =>
      db.transaction().execute(async (tx) => {
        // SQLite has one writer at a time: its transactions never overlap.
        if (dialect === 'postgres') {
          if (unhurried) await takeYourTime(tx)
          await sql`select pg_advisory_xact_lock(hashtext(${name}))`.execute(tx)
        }
        return work(tx)
      }),
    unlessBusy: (name, work) =>
      dialect === 'postgres' ? holding(db, name, work) : holdingFile(path.join(dataDir, `${name}.lock`), work, readOnly),
    async snapshot(work) {
      if (!sqlite || !reader) {
        return db
          .transaction()
          .setIsolationLevel('repeatable read')
          .execute(async (tx) => {
            await takeYourTime(tx)
            return work(tx)
          })
      }
      // What is written meanwhile has to stay beside the main file until then.
      return reader.transaction().execute(work).finally(sqlite.checkpoint)
    },
    watchContent: (changed) =>
      server ? server.listen({ heard: changed, onSilence: postgres?.cutAll }) : watchSqlite(db, changed),
    async dump(write) {
      // A file that was removed would be made anew by opening it, and a copy of nothing look like a backup.
      sqlite?.check([])
      // What is written while it is read has to stay beside the main file until then.
      if (!url) {
        return dumpSqlite(sqliteFile(dataDir), path.join(dataDir, 'unfinished'), write).finally(() => sqlite?.checkpoint())
      }
      const { rows } = await sql<{ version: string }>`select current_setting('server_version_num') as version`.execute(db)
      await dumpPostgres(url, Math.floor(Number(rows[0]?.version) / 10_000), write, pgDump)
    },
    async check() {
      if (sqlite) return sqlite.check(looks)
      for (const look of looks) await sql.raw(look).execute(db)
    },
    checkpoint: () => sqlite?.checkpoint(),
    connections: () => postgres && connectionsOf(postgres.pool, mostConnections),
    async close() {
      await reader?.destroy()
      await db.destroy()
    },
  }
  return database
}

/** Every page of what visitors are shown, and a page of what the panel shows. */
const looks = [
  'select sum(length(title)) from projects',
  'select message from contact_messages limit 1',
  'select username from admin_users limit 1',
]

const camelCase = new CamelCasePlugin({ maintainNestedObjectKeys: true })

type PostgresServer = Awaited<ReturnType<typeof postgresAt>>

/** Its library takes a tenth of a second to load: only who uses it waits for it. */
async function postgresAt(url: string) {
  const { openPostgres } = await import('./postgres.ts')
  const { listenToPostgres } = await import('./postgres-listen.ts')
  return {
    open: (limits: PoolLimits) => openPostgres(url, limits),
    listen: (listener: Listener) => listenToPostgres(url, contentChannel, listener),
  }
}

/** On a connection of its own, without a time limit: a change of tables, or waiting for another process's, takes its time. */
async function migratePostgres(server: PostgresServer, onLost: (error: Error) => void, rules: MigrationRules) {
  const { dialect } = server.open({ most: 1, statementMilliseconds: 0, onLost })
  const db = new Kysely<Tables>({ dialect, plugins: [camelCase] })
  await sql`select 1`.execute(db).catch(async (error: unknown) => {
    await db.destroy()
    throw new DatabaseUnreachable(error)
  })
  await migrateOrClose(db, 'postgres', rules)
  await db.destroy()
}

async function migrateOrClose(db: Db, dialect: Dialect, rules: MigrationRules) {
  try {
    await migrateToLatest(db, dialect, rules)
  } catch (error) {
    await db.destroy()
    throw error
  }
}

async function takeYourTime(tx: Db) {
  await sql`set local statement_timeout = 0`.execute(tx)
  await sql`set local idle_in_transaction_session_timeout = 0`.execute(tx)
}

/** A transaction that does nothing but hold a name: whatever becomes of this process, PostgreSQL lets go of it. */
async function holding<T>(db: Db, name: string, work: () => Promise<T>): Promise<{ done: T } | undefined> {
  let outcome: { done: T } | undefined
  try {
    await db.transaction().execute(async (tx) => {
      await takeYourTime(tx)
      const { rows } = await sql<{ free: boolean }>`select pg_try_advisory_xact_lock(hashtext(${name})) as free`.execute(tx)
      if (rows[0]?.free) outcome = { done: await work() }
    })
  } catch (error) {
    // What is done is done, though the connection that held the name was lost meanwhile.
    if (!outcome) throw error
  }
  return outcome
}

/** The same for processes that share a data folder: the site, and a command at the console. */
async function holdingFile<T>(file: string, work: () => Promise<T>, readOnly: boolean): Promise<{ done: T } | undefined> {
  if (readOnly) return { done: await work() }
  const lock = tryFileLock(file)
  try {
    return lock && { done: await work() }
  } finally {
    lock?.release()
  }
}

function connectionsOf(pool: Pool, most: number): Connections {
  return { open: pool.totalCount, idle: pool.idleCount, waiting: pool.waitingCount, most }
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
  return path.join(dataDir, 'vitrina.sqlite')
}

/** Refuses before anything is created or changed: SQLite itself would make an empty database where a lost one was. */
async function lookBeforeOpening(file: string, { asGuest, onNew }: MigrationRules, readOnly: boolean) {
  const bytesOf = (name: string) => statSync(name, { throwIfNoEntry: false })?.size ?? 0
  if (bytesOf(file) > 0) return quickCheck(file, { readOnly, mayBeEmpty: true })
  if (bytesOf(`${file}-wal`) > 0) {
    throw new DatabaseUnusable('damaged', `The database ${file} is missing or empty, and its last writes lie beside it.`)
  }
  if (asGuest) throw new DatabaseUnusable('missing', `There is no database in ${path.dirname(file)}.`)
  await onNew?.()
}
