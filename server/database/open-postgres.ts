import { sql } from 'kysely'
import { watchContentVersion } from './content-version.ts'
import { DatabaseUnreachable } from './database-errors.ts'
import { healthQueries, kyselyOn } from './dialect.ts'
import { migrate, release } from './migrate.ts'
import type { Database, OpenOptions } from './open.ts'
import { type DumpOptions, dumpPostgres } from './postgres-dump.ts'
import { openPool } from './postgres-pool.ts'
import type { Db } from './tables.ts'
import { createTemporaryPostgres } from './temporary-postgres.ts'

/** Longer than any page needs, and shorter than a visitor waits. */
const statementTimeout = 15_000
/** A server that does not answer within this time is gone, though its connections look open. */
const silenceTimeout = 10_000
/** One connection for each lock that can be held at once, and some spare. */
const mostHeld = 8
/** Every process has one connection of this name. Older releases have another number behind it, or none. */
const watchName = 'vitrina content version'
/** The messages of pg for a query, a new connection, and one of the pool. */
const noAnswer = /Query read timeout|timeout expired|trying to connect|connection timeout/

export async function openPostgresDatabase(url: string, options: OpenOptions): Promise<Database> {
  const { maxConnections: max = 10, onLost = () => {}, pgDump, onStatement } = options
  await prepareTables(url, options)
  const { pool, dialect, destroyConnections } = openPool(url, { max, statement_timeout: statementTimeout }, onLost)
  const db = kyselyOn(dialect, onStatement)
  // A pool of its own: a lock that is held for hours, as by an off-site copy, takes no connection from visitors.
  const holding = openPool(url, { max: mostHeld, application_name: 'vitrina locks' }, onLost)
  const holdingDb = kyselyOn(holding.dialect)
  // Kysely closes only a pool that was used.
  await sql`select 1`.execute(db)
  return {
    db,
    dialect: 'postgres',
    exclusively: (name, work, { withoutTimeout = false } = {}) =>
      db.transaction().execute(async (tx) => {
        if (withoutTimeout) await disableTimeouts(tx)
        await sql`select pg_advisory_xact_lock(hashtext(${name}))`.execute(tx)
        return work(tx)
      }),
    unlessBusy: (name, work) => holdingLock(holdingDb, name, work),
    snapshot: (work) =>
      db
        .transaction()
        .setIsolationLevel('repeatable read')
        .execute(async (tx) => {
          await disableTimeouts(tx)
          return work(tx)
        }),
    async watchContent(changed, unknown) {
      // A connection of its own: waiting for a busy pool would look like a server that is gone.
      const settings = {
        max: 1,
        query_timeout: silenceTimeout,
        // Shorter: waiting for a lock on the row does not mean that the server is gone.
        lock_timeout: silenceTimeout / 2,
        application_name: `${watchName} ${release}`,
      }
      const own = openPool(url, settings, () => {})
      // A new connection may lead to another database, of the same version by chance.
      own.pool.on('connect', unknown)
      const ownDb = kyselyOn(own.dialect)
      const watch = await watchContentVersion(ownDb, changed, (error) => {
        unknown()
        if (!(error instanceof Error && noAnswer.test(error.message))) return
        own.destroyConnections()
        holding.destroyConnections()
        destroyConnections()
      })
      return {
        check: watch.check,
        async stop() {
          await watch.stop()
          await ownDb.destroy()
        },
      }
    },
    dump: dumpOf(db, url, pgDump),
    openTemporary: () => openTemporary(url),
    async check() {
      for (const query of healthQueries) await sql.raw(query).execute(db)
    },
    checkpoint: async () => {},
    async measure() {
      const { rows } = await sql<{ bytes: string; now: string }>`
        select pg_database_size(current_database()) as bytes, clock_timestamp() as now`.execute(db)
      const [{ bytes, now } = { bytes: 0, now: 0 }] = rows
      return { bytes: Number(bytes), now: new Date(now) }
    },
    async findDamage() {
      // By its row as JSON: PostgreSQL before 12 has no such column.
      const { rows } = await sql<{ failures: string | null }>`
        select to_jsonb(stat) ->> 'checksum_failures' as failures
        from pg_stat_database as stat where datname = current_database()`.execute(db)
      const failures = Number(rows[0]?.failures ?? 0)
      return failures > 0 ? `PostgreSQL has found ${failures} damaged pages (checksum_failures in pg_stat_database).` : null
    },
    connections: () => ({ open: pool.totalCount, idle: pool.idleCount, waiting: pool.waitingCount, max }),
    async close() {
      await holdingDb.destroy()
      await db.destroy()
    },
  }
}

async function openTemporary(url: string): Promise<Database> {
  const temporary = await createTemporaryPostgres(url)
  try {
    const database = await openPostgresDatabase(temporary.url, { dataDir: '', maxConnections: 2 })
    return { ...database, close: () => database.close().finally(temporary.drop) }
  } catch (error) {
    await temporary.drop()
    throw error
  }
}

/** On a connection of its own, without a timeout: an update, or waiting for another process to finish one, may take long. */
async function prepareTables(url: string, { asGuest, onNew, onOlder, beforeUpdate, pgDump }: OpenOptions) {
  let db: Db | undefined
  try {
    db = kyselyOn(openPool(url, { max: 1 }, () => {}).dialect)
    const older = await countOlder(db)
    if (older > 0) onOlder?.(older)
  } catch (error) {
    await db?.destroy()
    throw new DatabaseUnreachable(error)
  }
  const dump = dumpOf(db, url, pgDump)
  await migrate(db, 'postgres', { asGuest, onNew, beforeUpdate: async () => beforeUpdate?.(dump) }).finally(() => db.destroy())
}

function dumpOf(db: Db, url: string, pgDump?: DumpOptions): Database['dump'] {
  return async (write) => {
    const { rows } = await sql<{ version: string }>`select current_setting('server_version_num') as version`.execute(db)
    await dumpPostgres(url, Math.floor(Number(rows[0]?.version) / 10_000), write, pgDump)
  }
}

async function countOlder(db: Db) {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from pg_stat_activity
    where datname = current_database() and application_name like ${`${watchName}%`}
      and application_name < ${`${watchName} ${release}`}`.execute(db)
  return rows[0]?.count ?? 0
}

async function disableTimeouts(tx: Db) {
  await sql`set local statement_timeout = 0`.execute(tx)
  await sql`set local idle_in_transaction_session_timeout = 0`.execute(tx)
}

/** Holds an advisory lock in a transaction of its own: PostgreSQL releases it when this process ends, even by a kill. */
async function holdingLock<T>(db: Db, name: string, work: () => Promise<T>): Promise<{ done: T } | undefined> {
  let outcome: { done: T } | undefined
  try {
    await db.transaction().execute(async (tx) => {
      await disableTimeouts(tx)
      const { rows } = await sql<{ free: boolean }>`select pg_try_advisory_xact_lock(hashtext(${name})) as free`.execute(tx)
      if (rows[0]?.free) outcome = { done: await work() }
    })
  } catch (error) {
    // The work is done, though the connection that held the lock was lost.
    if (!outcome) throw error
  }
  return outcome
}
