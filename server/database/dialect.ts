import { type RawBuilder, sql } from 'kysely'

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
