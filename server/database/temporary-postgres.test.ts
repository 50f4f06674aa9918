import { sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { aStoredProject, storeProject } from '#tests/factories.ts'
import { openTestDatabase } from '#tests/test-database.ts'
import { temporaryName } from './temporary-postgres.ts'

async function openBeside() {
  const database = await openTestDatabase('postgres')
  const { rows } = await sql<{ name: string }>`select current_database() as name`.execute(database.db)
  const name = temporaryName(rows[0]?.name ?? '')
  onTestFinished(async () => {
    await sql`drop database if exists ${sql.id(name)} with (force)`.execute(database.db)
  })
  const isThere = async () =>
    (await sql`select 1 from pg_database where datname = ${name}`.execute(database.db)).rows.length > 0
  return { ...database, name, isThere }
}

test('a temporary database is an empty one beside the site’s, in place of a killed process’s, and gone when it is closed', async () => {
  const site = await openBeside()
  await storeProject(site.db, aStoredProject())
  const killed = await site.openTemporary('')
  await storeProject(killed.db, aStoredProject({ title: 'Left' }))
  const temporary = await site.openTemporary('')
  expect(await temporary.db.selectFrom('projects').select('title').execute()).toEqual([])
  await storeProject(temporary.db, aStoredProject())
  await temporary.close()
  expect(await site.isThere()).toBe(false)
  await killed.close()
  expect(await site.db.selectFrom('projects').select('id').execute()).toHaveLength(1)
})

test('another database of that name is not touched', async () => {
  const site = await openBeside()
  await sql`create database ${sql.id(site.name)}`.execute(site.db)
  await expect(site.openTemporary('')).rejects.toThrow('already exists')
  expect(await site.isThere()).toBe(true)
})

test.each([
  ['models', 'models_restore_test'],
  ['m'.repeat(63), `${'m'.repeat(50)}_restore_test`],
  [`${'m'.repeat(49)}ñ`, `${'m'.repeat(49)}_restore_test`],
])('for %s its name fits', (name, temporary) => {
  expect(temporaryName(name)).toBe(temporary)
})
