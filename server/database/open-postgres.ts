import { sql } from 'kysely'
import { watchContentVersion } from './content-version.ts'
import { DatabaseUnreachable } from './database-away.ts'
import { healthQueries, kyselyOn } from './kysely.ts'
import { type MigrationRules, migrate } from './migrate.ts'
import type { Database, OpenOptions } from './open.ts'
import { dumpPostgres } from './postgres-dump.ts'
import { openPool } from './postgres-pool.ts'
import type { Db } from './tables.ts'

/** Longer than any page needs, and shorter than a visitor waits. */
const statementTimeout = 15_000
/** A server that has not answered for so long has vanished without closing its connections. */
const silenceTimeout = 10_000
/** More than there are names to be held: chores, nights, backups, copies, trials. */
const mostHeld = 8
/** What pg says of a query, of a new connection, and of one of the pool. */
const noAnswer = /Query read timeout|timeout expired|trying to connect|connection timeout/

export async function openPostgresDatabase(url: string, options: OpenOptions): Promise<Database> {
  const { maxConnections: max = 10, onLost = () => {}, pgDump, onStatement, asGuest, onNew } = options
  await prepareTables(url, { asGuest, onNew })
  const { pool, dialect, destroyConnections } = openPool(url, { max, statement_timeout: statementTimeout }, onLost)
  const db = kyselyOn(dialect, onStatement)
  // Connections of their own: what holds a name for hours, as a copy over a slow line does, takes none away from visitors.
  const holding = openPool(url, { max: mostHeld, application_name: 'vitrina locks' }, onLost)
  const holdingDb = kyselyOn(holding.dialect)
  // Kysely closes only what has been used.
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
      // A connection of its own: when all of the pool are busy, the server has not vanished.
      const settings = {
        max: 1,
        query_timeout: silenceTimeout,
        // Who waits for a lock on the row has a server that answers.
        lock_timeout: silenceTimeout / 2,
        application_name: 'vitrina content version',
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
    async dump(write) {
      const { rows } = await sql<{ version: string }>`select current_setting('server_version_num') as version`.execute(db)
      await dumpPostgres(url, Math.floor(Number(rows[0]?.version) / 10_000), write, pgDump)
    },
    async check() {
      for (const query of healthQueries) await sql.raw(query).execute(db)
    },
    checkpoint: () => {},
    connections: () => ({ open: pool.totalCount, idle: pool.idleCount, waiting: pool.waitingCount, max }),
    async close() {
      await holdingDb.destroy()
      await db.destroy()
    },
  }
}

/** On a connection of its own, without a timeout: a change of tables, or waiting for another process's, may take long. */
async function prepareTables(url: string, rules: MigrationRules) {
  let db: Db | undefined
  try {
    db = kyselyOn(openPool(url, { max: 1 }, () => {}).dialect)
    await sql`select 1`.execute(db)
  } catch (error) {
    await db?.destroy()
    throw new DatabaseUnreachable(error)
  }
  await migrate(db, 'postgres', rules).finally(() => db.destroy())
}

async function disableTimeouts(tx: Db) {
  await sql`set local statement_timeout = 0`.execute(tx)
  await sql`set local idle_in_transaction_session_timeout = 0`.execute(tx)
}

/** Holds an advisory lock by a transaction that does nothing else: PostgreSQL releases it however this process ends. */
async function holdingLock<T>(db: Db, name: string, work: () => Promise<T>): Promise<{ done: T } | undefined> {
  let outcome: { done: T } | undefined
  try {
    await db.transaction().execute(async (tx) => {
      await disableTimeouts(tx)
      const { rows } = await sql<{ free: boolean }>`select pg_try_advisory_xact_lock(hashtext(${name})) as free`.execute(tx)
      if (rows[0]?.free) outcome = { done: await work() }
    })
  } catch (error) {
    // The work was finished, though the connection that held the lock was lost meanwhile.
    if (!outcome) throw error
  }
  return outcome
}
