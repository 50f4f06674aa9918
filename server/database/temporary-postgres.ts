import { sql } from 'kysely'
import { kyselyOn } from './dialect.ts'
import { openPool } from './postgres-pool.ts'
import type { Db } from './tables.ts'

const nameEnd = '_restore_test'
/** PostgreSQL cuts longer names. */
const mostNameBytes = 63
/** A mark that a database has from its first moment: one of that name without it belongs to somebody, and stays. */
const connectionLimit = 34

/** Makes an empty database beside the one the address names, in place of what a killed process has left of it. */
export async function createTemporaryPostgres(url: string) {
  // Without a timeout for statements.
  const db = kyselyOn(openPool(url, { max: 1 }, () => {}).dialect)
  try {
    const { name, encoding, collation, ctype } = await describeOwn(db)
    const temporary = temporaryName(name)
    await dropMarked(db, temporary)
    // From template0: it can be copied while others are connected to template1.
    await sql`create database ${sql.id(temporary)} template template0 encoding ${sql.lit(encoding)}
      lc_collate ${sql.lit(collation)} lc_ctype ${sql.lit(ctype)} connection limit ${sql.lit(connectionLimit)}`.execute(db)
    return {
      url: url.replace(/^(\w+:\/\/[^/?#]*)(\/[^?#]*)?/, (_, server: string) => `${server}/${encodeURIComponent(temporary)}`),
      drop: () => dropMarked(db, temporary).finally(() => db.destroy()),
    }
  } catch (error) {
    await db.destroy()
    throw error
  }
}

export function temporaryName(name: string) {
  const start = Buffer.from(name).subarray(0, mostNameBytes - nameEnd.length)
  // Without half a character.
  return `${start.toString().replace(/\uFFFD+$/, '')}${nameEnd}`
}

async function describeOwn(db: Db) {
  const { rows } = await sql<Record<'name' | 'encoding' | 'collation' | 'ctype', string>>`
    select datname as name, pg_encoding_to_char(encoding) as encoding, datcollate as collation, datctype as ctype
    from pg_database where datname = current_database()`.execute(db)
  const [own] = rows
  if (!own) throw new Error('The database is not listed.')
  return own
}

async function dropMarked(db: Db, name: string) {
  const { rows } = await sql`
    select 1 from pg_database where datname = ${name} and datconnlimit = ${connectionLimit}`.execute(db)
  if (rows.length > 0) await sql`drop database ${sql.id(name)} with (force)`.execute(db)
}
