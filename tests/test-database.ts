import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { inject, onTestFinished } from 'vitest'
import { type Dialect, dialects } from '#server/database/dialect.ts'
import { type Database, openDatabase } from '#server/database/open.ts'
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

/** A database of the test's own, with all tables, closed when the test is over. */
export async function openTestDatabase(dialect: Dialect): Promise<Database> {
  const database = await openDatabase(await emptyDatabase(dialect))
  onTestFinished(() => database.close())
  return database
}

function urlOf(name: string) {
  return inject('postgresUrl').replace('DATABASE', name)
}
