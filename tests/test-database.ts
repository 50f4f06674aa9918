import { randomUUID } from 'node:crypto'
import type { CompiledQuery } from 'kysely'
import pg from 'pg'
import { inject, onTestFinished } from 'vitest'
import { type Dialect, dialects } from '#server/database/dialect.ts'
import { type Database, openDatabase } from '#server/database/open.ts'
import type { DumpOptions } from '#server/database/postgres-dump.ts'
import { temporaryFolder } from './temporary-folder.ts'

/** For `describe.each`: what holds on one database holds on the other. */
export const databases: readonly Dialect[] = dialects

export type Place = { url?: string; dataDir: string }

/** Where a database without any tables may be opened, as often as the test likes. */
export async function emptyDatabase(dialect: Dialect): Promise<Place> {
  const dataDir = await temporaryFolder()
  if (dialect === 'sqlite') return { dataDir }
  const name = `test_${randomUUID().replaceAll('-', '')}`
  const administration = new pg.Client({ connectionString: urlOf('postgres') })
  await administration.connect()
  try {
    await administration.query(`create database ${name}`)
  } finally {
    await administration.end()
  }
  return { url: urlOf(name), dataDir }
}

export type DatabaseOptions = {
  /** Where, when it is not to be a new one. */
  place?: Place
  onStatement?: (statement: CompiledQuery) => void
  pgDump?: DumpOptions
}

/** A database of the test's own, with all tables, closed when the test is over. */
export async function openTestDatabase(dialect: Dialect, { place, ...options }: DatabaseOptions = {}): Promise<Database> {
  const database = await openDatabase({ ...(place ?? (await emptyDatabase(dialect))), ...options })
  onTestFinished(() => database.close())
  return database
}

function urlOf(name: string) {
  return inject('postgresUrl').replace('DATABASE', name)
}
