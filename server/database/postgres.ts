import type { Duplex } from 'node:stream'
import { PostgresDialect } from 'kysely'
import pg from 'pg'

export type PoolLimits = {
  /** At most so many connections at once; who needs one more waits for a few seconds. */
  most: number
  /** Nobody waits longer for a statement than this. 0 is: as long as it takes. */
  statementMilliseconds: number
  /** Hears of connections the server has dropped. */
  onLost(error: Error): void
}

/** The pool behind DATABASE_URL. Connections are made when they are needed, so it outlives any restart of the database. */
export function openPostgres(url: string, { most, statementMilliseconds, onLost }: PoolLimits) {
  const pool = new pg.Pool({
    ...connectionTo(url, 'vitrina'),
    max: most,
    idleTimeoutMillis: 30_000,
    // After a failover the old address may lead to the wrong server; no connection is older than this.
    maxLifetimeSeconds: 30 * 60,
    statement_timeout: statementMilliseconds,
    // A process that hangs in the middle of a transaction must not keep the others waiting for its locks.
    idle_in_transaction_session_timeout: 120_000,
    types: { getTypeParser: typeParser },
  })
  pool.on('error', onLost)
  // The pool listens to idle connections only. One that breaks in a pause of a transaction would end the process; the
  // transaction notices by itself.
  const lines = new Map<pg.PoolClient, Duplex>()
  pool.on('connect', (client) => {
    client.on('error', () => {})
    lines.set(client, (client as unknown as pg.Client).connection.stream)
  })
  pool.on('remove', (client) => lines.delete(client))
  return {
    dialect: new PostgresDialect({ pool }),
    pool,
    /** For a server that has vanished without a word: what waits for its answer would wait for a quarter of an hour. */
    cutAll() {
      for (const line of lines.values()) line.destroy()
    },
  }
}

/** How every connection is made. TCP looks after silent ones, so that a server that vanished is noticed. */
export function connectionTo(url: string, name: string): pg.ClientConfig {
  return {
    connectionString: asLibpqReads(url),
    application_name: name,
    connectionTimeoutMillis: 10_000,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
  }
}

/**
 * What `sslmode` means is PostgreSQL's to say, and pg_dump reads the same address; pg on its own gives some modes another
 * meaning.
 */
function asLibpqReads(url: string) {
  if (!/[?&]sslmode=/.test(url) || /[?&](uselibpqcompat=|sslmode=no-verify)/.test(url)) return url
  return `${url}&uselibpqcompat=true`
}

const momentTypes: number[] = [pg.types.builtins.TIMESTAMPTZ, pg.types.builtins.TIMESTAMP]

/** Moments arrive as ISO text, as they do from SQLite; counts as numbers; the rest as pg does it. */
const typeParser: typeof pg.types.getTypeParser = (oid: number, format?: unknown) => {
  if (oid === pg.types.builtins.INT8) return Number
  const parse = pg.types.getTypeParser(oid, format as 'text')
  // Written in the server's zone, whose offset may have seconds and whose year may be one before ours: pg reads them all.
  return momentTypes.includes(oid) ? (text: string) => (parse(text) as Date).toISOString() : parse
}
