import { randomUUID } from 'node:crypto'
import { copyFile } from 'node:fs/promises'
import path from 'node:path'
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
  return dialect === 'sqlite' ? { dataDir } : { url: await newPostgres('template1'), dataDir }
}

/** A copy of the run's migrated database: migrating each anew would take most of the time of a small test. */
export async function migratedDatabase(dialect: Dialect): Promise<Place> {
  const dataDir = await temporaryFolder()
  if (dialect === 'postgres') return { url: await newPostgres(inject('migrated').postgres), dataDir }
  await copyFile(inject('migrated').sqlite, path.join(dataDir, 'vitrina.sqlite'))
  return { dataDir }
}

async function newPostgres(template: string) {
  const name = `test_${randomUUID().replaceAll('-', '')}`
  await administer(`create database ${name} template ${template} strategy file_copy`)
  // Each takes 7 MB, and the run makes hundreds.
  onTestFinished(() => administer(`drop database if exists ${name} with (force)`))
  return urlOf(name)
}

async function administer(statement: string) {
  const client = new pg.Client({ connectionString: urlOf('postgres') })
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}

export type DatabaseOptions = {
  /** Where, when it is not to be a new one. */
  place?: Place
  onStatement?: (statement: CompiledQuery) => void
  pgDump?: DumpOptions
}

/** A database of the test's own, with all tables, closed when the test is over. */
export async function openTestDatabase(dialect: Dialect, { place, ...options }: DatabaseOptions = {}): Promise<Database> {
  const database = await openDatabase({ ...(place ?? (await migratedDatabase(dialect))), ...options })
  onTestFinished(() => database.close())
  return database
}

function urlOf(name: string) {
  return inject('postgresUrl').replace('DATABASE', name)
}
