import { copyFileSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { copyFile, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { DatabaseSync } from '@photostructure/sqlite'
import { Kysely, Migrator, PostgresDialect, sql } from 'kysely'
import pg from 'pg'
import { columnTypes, type Dialect } from '#server/database/dialect.ts'
import { firstTables } from '#server/database/migrations/0001-first-tables.ts'
import type { Db } from '#server/database/tables.ts'
import { projectRoot } from '#server/own-program.ts'

/** The account of the sample. */
export const olderAccount = { username: 'Álvaro', password: 'brass and pear' }

/**
 * Lays a site of the release before this one into a data folder, with its photos. As that release leaves it, all its records
 * are in the -wal file.
 */
export async function layOlderRelease(dataDir: string) {
  const sample = readFileSync(path.join(projectRoot, 'tests/older-release.sql'), 'utf8')
  const objects = path.join(dataDir, 'files/objects')
  await mkdir(objects, { recursive: true })
  for (const [, hash = '', content = ''] of sample.matchAll(/^insert into stored_photos values \('(\w+)', x'(\w+)'\);$/gm))
    await writeFile(path.join(objects, hash), Buffer.from(content, 'hex'))
  const folder = await mkdtemp(path.join(tmpdir(), 'vitrina-older-'))
  const database = new DatabaseSync(path.join(folder, 'vitrina.sqlite'))
  try {
    database.exec('pragma journal_mode = wal')
    database.exec(`begin; ${sample}; commit`)
    // Closing would empty the -wal.
    for (const name of ['vitrina.sqlite', 'vitrina.sqlite-wal'])
      await copyFile(path.join(folder, name), path.join(dataDir, name))
  } finally {
    database.close()
    await rm(folder, { recursive: true, force: true })
  }
}

/** The tables of the first release with a message in them, in an empty database. */
export async function layFirstTables(url: string) {
  const db = new Kysely<unknown>({ dialect: new PostgresDialect({ pool: new pg.Pool({ connectionString: url }) }) })
  const up = (tx: Kysely<unknown>) => firstTables(tx, 'postgres')
  const migrator = new Migrator({ db, provider: { getMigrations: async () => ({ '0001-first-tables': { up } }) } })
  const { error } = await migrator.migrateToLatest()
  if (error) throw error
  await sql`insert into contact_messages (id, name, email, message) values (gen_random_uuid(), 'Ana', 'ana@example.com', 'x')`.execute(
    db,
  )
  await db.destroy()
}

/**
 * Reads a database that is not in use, without opening it: a statement of this library keeps its connection open until the
 * garbage collector comes, and a site that starts meanwhile would not be the first to open the file.
 */
export function rowsInCopyOf(file: string, ...queries: string[]) {
  const folder = mkdtempSync(path.join(tmpdir(), 'vitrina-copy-'))
  const copy = path.join(folder, 'copy.sqlite')
  for (const ending of ['', '-wal']) if (existsSync(file + ending)) copyFileSync(file + ending, copy + ending)
  const database = new DatabaseSync(copy)
  try {
    return queries.map((query) => database.prepare(query).all() as Record<string, unknown>[])
  } finally {
    database.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Takes back migration 0014. */
export async function undoJobs(db: Db, dialect: Dialect) {
  const { moment, json } = columnTypes[dialect]
  const columns = { night_done_at: moment, night_fault: json, copy_fault: json, trial: json, mailed_at: moment }
  for (const [column, type] of Object.entries(columns)) {
    await sql`alter table backup_care add column ${sql.id(column)} ${type}`.execute(db)
  }
  await sql`alter table site add column reminded_at ${moment}`.execute(db)
  await sql`drop table jobs`.execute(db)
  await undoSiteOpened(db, dialect)
  // And 0020.
  for (const column of ['browser', 'system', 'used_at'])
    await sql`alter table sessions drop column ${sql.id(column)}`.execute(db)
  // And 0021.
  for (const table of ['passkeys', 'tokens', 'activity']) await sql`drop table ${sql.id(table)}`.execute(db)
  for (const column of ['role', 'email']) await sql`alter table admin_users drop column ${sql.id(column)}`.execute(db)
  // And 0023.
  await sql`drop table statistics`.execute(db)
  await sql`alter table site drop column counts_visits`.execute(db)
  // And 0024.
  await sql`drop table settings`.execute(db)
  await sql`delete from kysely_migration where name >= '0014'`.execute(db)
}

/** The same with 0017. */
async function undoSiteOpened(db: Db, dialect: Dialect) {
  if (dialect === 'sqlite') await sql`drop trigger site_opened_content_version`.execute(db)
  else await sql`drop trigger change_content_version on site`.execute(db)
  await sql`alter table site drop column opened`.execute(db)
}

/** Takes back migration 0013, so that a database is as the release before it left it. */
export async function undoProjectTexts(db: Db) {
  await sql`drop table project_photo_texts`.execute(db)
  await sql`drop table project_texts`.execute(db)
  for (const column of ['title_es', 'description_es', 'materials_es', 'techniques_es']) {
    await sql`alter table projects add column ${sql.id(column)} text`.execute(db)
  }
  await sql`alter table project_photos add column caption_es text`.execute(db)
  await sql`delete from kysely_migration where name >= '0013'`.execute(db)
}

const added = [
  ...['version', 'demo', 'slug', 'rank', 'draft', 'deleted_at'],
  ...['state', 'language', 'about_id', 'about_title', 'note', 'spam_reason', 'changed_at'],
  ...['role', 'email'],
]

function knownBefore(row: Record<string, unknown>) {
  return Object.fromEntries(Object.entries(row).filter(([column]) => !added.includes(column)))
}

const tables = ['projects', 'contact_messages', 'images', 'admin_users'] as const

/** The columns that the older release has for them, once they are rows of a table. */
function spanishTextsIn(file: string) {
  const [tables] = rowsInCopyOf(file, `select name from sqlite_master where name = 'project_texts'`)
  if (tables?.length === 0) return undefined
  const [projects = [], texts = []] = rowsInCopyOf(file, 'select id from projects', 'select * from project_texts')
  const ids = new Set(projects.map(({ id }) => id))
  return (id: unknown) => {
    const {
      title = null,
      description = null,
      materials = null,
      techniques = null,
    } = texts.find(({ project_id, language }) => project_id === id && language === 'es') ?? {}
    return ids.has(id)
      ? { title_es: title, description_es: description, materials_es: materials, techniques_es: techniques }
      : {}
  }
}

/** Every record of a database that the older release knows as well, by table. */
export function olderRecordsIn(file: string) {
  const found = rowsInCopyOf(file, ...tables.map((table) => `select * from ${table} order by 1`))
  const texts = spanishTextsIn(file)
  const known = found.map((rows) => rows.map((row): Record<string, unknown> => ({ ...knownBefore(row), ...texts?.(row.id) })))
  return Object.fromEntries(tables.map((table, index) => [table, known[index] ?? []]))
}
