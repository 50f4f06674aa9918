import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { describe, expect, onTestFinished, test } from 'vitest'
import { insertImages, markUnreferenced } from '#server/features/images/images.queries.ts'
import { changeProject } from '#server/features/projects/projects.queries.ts'
import { writeDraft } from '#server/features/site-content/site-content.queries.ts'
import { aStoredProject, removeProject, storeContact, storeProject, storeVersion } from '#tests/factories.ts'
import { databases, emptyDatabase, openTestDatabase, type Place } from '#tests/test-database.ts'
import type { Database } from './open.ts'
import type { Db } from './tables.ts'

const polling = { timeout: 30_000, interval: 50 }
const project = aStoredProject()
const image = { hash: 'a'.repeat(64), contentType: 'image/jpeg', bytes: 1, width: 1, height: 1, placeholder: '' }

async function versionOf(db: Db) {
  return (await db.selectFrom('site').select('contentVersion').executeTakeFirstOrThrow()).contentVersion
}

async function watch(database: Database) {
  let changes = 0
  const count = () => {
    changes += 1
  }
  const { check, stop } = await database.watchContent(count, count)
  onTestFinished(stop)
  return { changes: () => changes, check }
}

describe.each(databases)('the content version on %s', (dialect) => {
  test('is another one after every change of what visitors see, and never one of before', async () => {
    const { db } = await openTestDatabase(dialect)
    const versions = [await versionOf(db)]
    for (const change of [
      () => storeProject(db, project),
      () => db.transaction().execute((tx) => changeProject(tx, project.id, { title: 'Renamed' })),
      () => insertImages(db, [image]),
      () => removeProject(db, project.id),
      () => db.deleteFrom('images').execute(),
      () => storeProject(db, project),
      () => storeVersion(db, { 'maker.brand': 'Taller Ana' }),
      () => storeVersion(db, {}),
    ]) {
      await change()
      versions.push(await versionOf(db))
    }
    expect(new Set(versions).size).toBe(versions.length)
  })

  test('stays as it is when nothing of that changes', async () => {
    const { db } = await openTestDatabase(dialect)
    await insertImages(db, [image])
    const before = await versionOf(db)
    const message = { name: 'Ana', email: 'ana@example.com', projectType: null, message: 'Hello' }
    await storeContact(db, { ...message, id: randomUUID(), createdAt: '2026-05-01T12:00:00.000Z' })
    await markUnreferenced(db, '2026-05-01T12:00:00.000Z')
    const draft = { revision: '1', author: null, changedAt: '2026-05-01T12:00:00.000Z' }
    await writeDraft(db, { ...draft, changes: { 'maker.brand': 'Taller Ana' } })
    await insertImages(db, [image])
    await db
      .transaction()
      .execute(async (tx) => {
        await storeProject(tx, project)
        throw new Error('rolled back')
      })
      .catch(() => {})
    expect(await versionOf(db)).toBe(before)
  })

  test('tells every process of what another one changes, each time', async () => {
    const place = await emptyDatabase(dialect)
    const [first, second] = [await openTestDatabase(dialect, { place }), await openTestDatabase(dialect, { place })]
    const { changes } = await watch(first)
    for (const title of ['first', 'second']) {
      const before = changes()
      await storeProject(second.db, aStoredProject({ title }))
      await expect.poll(changes, polling).toBe(before + 1)
    }
  })

  test('tells who asks at once', async () => {
    const database = await openTestDatabase(dialect)
    const { changes, check } = await watch(database)
    const before = changes()
    await storeProject(database.db, project)
    await check()
    expect(changes()).toBe(before + 1)
    await check()
    expect(changes()).toBe(before + 1)
  })
})

describe('on postgres', () => {
  test('a long transaction that changes content keeps no other change waiting', async () => {
    const { db } = await openTestDatabase('postgres')
    await db.transaction().execute(async (tx) => {
      await storeProject(tx, project)
      await storeProject(db, aStoredProject({ title: 'Meanwhile' }))
    })
    expect(await db.selectFrom('projects').select('id').execute()).toHaveLength(2)
  })

  test('another database in the place of the first is noticed, though it has the same version', async () => {
    const [first, second] = [await emptyDatabase('postgres'), await emptyDatabase('postgres')]
    const database = await openTestDatabase('postgres', { place: first })
    const other = await openTestDatabase('postgres', { place: second })
    for (const { db } of [database, other]) await db.updateTable('site').set({ contentVersion: 'the same' }).execute()
    const { changes } = await watch(database)
    const administration = await openTestDatabase('postgres')
    for (const name of [nameOf(first), nameOf(second)]) {
      await sql`alter database ${sql.id(name)} allow_connections false`.execute(administration.db)
      await sql`select pg_terminate_backend(pid, 10000) from pg_stat_activity where datname = ${name}`.execute(
        administration.db,
      )
    }
    await sql`alter database ${sql.id(nameOf(first))} rename to ${sql.id(`${nameOf(first)}_old`)}`.execute(administration.db)
    await sql`alter database ${sql.id(nameOf(second))} rename to ${sql.id(nameOf(first))}`.execute(administration.db)
    await sql`alter database ${sql.id(nameOf(first))} allow_connections true`.execute(administration.db)
    const before = changes()
    await expect.poll(changes, polling).toBeGreaterThan(before)
    expect(await versionOf(database.db)).toBe('the same')
  })
})

function nameOf({ url = '' }: Place) {
  return /test_[0-9a-f]+/.exec(url)?.[0] ?? ''
}
