import type { Duplex } from 'node:stream'
import { PostgresDialect } from 'kysely'
import pg from 'pg'
import { parse, toClientConfig } from 'pg-connection-string'

type Settings = Pick<pg.PoolConfig, 'max' | 'statement_timeout' | 'query_timeout' | 'lock_timeout' | 'application_name'>

/** Connections are made when they are needed, so that a pool outlives any restart of the database. */
export function openPool(url: string, settings: Settings, onLost: (error: Error) => void) {
  let address = toClientConfig(parseAddress(url))
  /** Reads the certificates that the address names for each connection: they may be renewed while the site runs. */
  class AddressedClient extends pg.Client {
    constructor(config: pg.ClientConfig) {
      try {
        address = toClientConfig(parseAddress(url))
      } catch {
        // Unreadable now: those that were read last are used. An error thrown in a constructor would end the process.
      }
      super({ ...config, ...address })
    }
  }
  const pool = new pg.Pool({
    application_name: 'vitrina',
    connectionTimeoutMillis: 10_000,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    idleTimeoutMillis: 30_000,
    // After a failover an old connection may lead to the wrong server.
    maxLifetimeSeconds: 30 * 60,
    // A process that hangs in the middle of a transaction must not keep its locks.
    idle_in_transaction_session_timeout: 120_000,
    types: { getTypeParser: typeParser },
    ...settings,
    Client: AddressedClient as unknown as new () => pg.ClientBase,
  })
  pool.on('error', onLost)
  const sockets = new Map<pg.PoolClient, Duplex>()
  pool.on('connect', (client) => {
    // The pool handles errors of idle connections only: one that breaks in a pause of a transaction would end the process.
    client.on('error', () => {})
    sockets.set(client, (client as unknown as pg.Client).connection.stream)
  })
  pool.on('remove', (client) => sockets.delete(client))
  return {
    pool,
    dialect: new PostgresDialect({ pool }),
    /** For a server that vanished without closing its connections: TCP alone would wait for a quarter of an hour. */
    destroyConnections() {
      for (const socket of sockets.values()) socket.destroy()
    },
  }
}

const momentTypes: number[] = [pg.types.builtins.TIMESTAMPTZ, pg.types.builtins.TIMESTAMP]

/** Moments as ISO text, as they come from SQLite; counts as numbers; the rest as pg does it. */
const typeParser: typeof pg.types.getTypeParser = (oid: number, format?: unknown) => {
  if (oid === pg.types.builtins.INT8) return Number
  const parse = pg.types.getTypeParser(oid, format as 'text')
  // Written in the server's zone, whose offset may have seconds and whose year may be one before ours: pg reads them all.
  return momentTypes.includes(oid) ? (text: string) => (parse(text) as Date).toISOString() : parse
}

/** Reads DATABASE_URL. `sslmode` means what it means to PostgreSQL's own programs; pg alone reads some modes differently. */
function parseAddress(url: string) {
  const settings = new URLSearchParams(url.split('?')[1])
  // The library knows no-verify only without this option, and refuses the option where the address has it too.
  const isPgOnly = settings.get('sslmode') === 'no-verify' || settings.has('uselibpqcompat')
  return parse(url, { useLibpqCompat: !isPgOnly })
}

/** The names of the others follow one rule. */
const spelledDifferently: Record<string, string> = { connect_timeout: 'PGCONNECT_TIMEOUT', application_name: 'PGAPPNAME' }

/** As environment variables: every user of the machine can read the arguments of a program. */
export function postgresEnvironment(url: string): Record<string, string> {
  const { ssl, sslmode, ...settings } = parseAddress(url)
  const variables = { ...settings, sslmode: ssl === true || sslmode === 'no-verify' ? 'require' : sslmode }
  return Object.fromEntries(
    Object.entries(variables).flatMap(([name, value]) =>
      typeof value === 'string' && value
        ? [[spelledDifferently[name] ?? `PG${name.toUpperCase().replaceAll('_', '')}`, value]]
        : [],
    ),
  )
}
