import { PostgresDialect } from 'kysely'
import pg from 'pg'

/** The pool behind DATABASE_URL. `onIdleError` hears of connections the server dropped while nobody was using them. */
export function openPostgres(url: string, onIdleError: (error: Error) => void): PostgresDialect {
  const pool = new pg.Pool({
    connectionString: url,
    max: 10,
    connectionTimeoutMillis: 5_000,
    idleTimeoutMillis: 30_000,
    statement_timeout: 15_000,
    application_name: 'vitrina',
    types: { getTypeParser: typeParser },
  })
  pool.on('error', onIdleError)
  return new PostgresDialect({ pool })
}

const momentTypes: number[] = [pg.types.builtins.TIMESTAMPTZ, pg.types.builtins.TIMESTAMP]

/** Moments arrive as ISO text, as they do from SQLite; counts as numbers; the rest as pg does it. */
const typeParser: typeof pg.types.getTypeParser = (oid: number, format?: unknown) => {
  if (momentTypes.includes(oid)) return (text: string) => new Date(text).toISOString()
  if (oid === pg.types.builtins.INT8) return Number
  return pg.types.getTypeParser(oid, format as 'text')
}
