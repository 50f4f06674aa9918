import { CamelCasePlugin, Kysely, type Dialect as KyselyDialect, PostgresAdapter, type RawBuilder, sql } from 'kysely'
import type { OpenOptions } from './open.ts'
import type { Db, Tables } from './tables.ts'

export const dialects = ['sqlite', 'postgres'] as const
export type Dialect = (typeof dialects)[number]

type ColumnTypes = Record<'uuid' | 'moment' | 'json' | 'boolean' | 'username' | 'now', RawBuilder<unknown>>

/**
 * How each database spells the kinds of column we use. SQLite keeps what a column was declared as, and
 * `sqlite.ts` reads it back from there to return real booleans and JSON.
 */
export const columnTypes: Record<Dialect, ColumnTypes> = {
  sqlite: {
    uuid: sql`text`,
    moment: sql`text`,
    json: sql`json`,
    boolean: sql`boolean`,
    username: sql`text`,
    now: sql`(strftime('%Y-%m-%dT%H:%M:%fZ', 'now'))`,
  },
  postgres: {
    uuid: sql`uuid`,
    moment: sql`timestamptz(3)`,
    json: sql`jsonb`,
    boolean: sql`boolean`,
    username: sql`varchar(50)`,
    now: sql`now()`,
  },
}

export function kyselyOn(dialect: KyselyDialect, onStatement?: OpenOptions['onStatement']) {
  return new Kysely<Tables>({
    dialect,
    plugins: [new CamelCasePlugin({ maintainNestedObjectKeys: true })],
    ...(onStatement && { log: ({ query }) => onStatement(query) }),
  })
}

/** The rows a transaction reads stay as they are until it ends. SQLite has no such clause: it has one writer at a time. */
export function lockRows<Query extends { forUpdate(): Query }>(db: Db, query: Query) {
  return db.getExecutor().adapter instanceof PostgresAdapter ? query.forUpdate() : query
}

/** Read by every health check: what visitors are shown, and a page of what the panel shows. */
export const healthQueries = [
  'select sum(length(title)) from projects',
  'select message from contact_messages limit 1',
  'select username from admin_users limit 1',
]
