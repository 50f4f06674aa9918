import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { nameKeyOf } from '#server/features/accounts/accounts.queries.ts'
import { allContacts, allProjects } from '#tests/all-records.ts'
import { aContact, aStoredProject, storeContact, storeProject } from '#tests/factories.ts'
import { smallDisk } from '#tests/small-disk.ts'
import { databases, emptyDatabase, openTestDatabase } from '#tests/test-database.ts'
import { openDatabase } from './open.ts'
import type { Db } from './tables.ts'

const moment = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/

/** Before there were zones of whole hours, and before years of four digits. */
const oldMoments = [
  '0001-01-01T00:00:00.000Z',
  '0099-12-31T23:59:59.999Z',
  '1900-01-01T00:00:00.285Z',
  '9999-12-31T23:59:59.999Z',
]

async function addAdmin(db: Db, username: string) {
  const id = randomUUID()
  const nameKey = nameKeyOf(username)
  await db.insertInto('adminUsers').values({ id, username, nameKey, passwordHash: 'a hash', lastLogin: null }).execute()
  return id
}

async function addSession(db: Db, adminId: string, sid = randomUUID()) {
  const sess = { adminId, createdAt: '2026-05-01T12:00:00.000Z' }
  await db
    .insertInto('sessions')
    .values({ sid, adminId, sess: JSON.stringify(sess), expire: '2026-05-08T12:00:00.000Z' })
    .execute()
  return { sid, sess }
}

/** What stands in its own row. */
function columnsOf({ photos: _photos, translations: _translations, ...columns }: ReturnType<typeof aStoredProject>) {
  return { ...columns, version: 1, deletedAt: null }
}

describe.each(databases)('a database on %s', (dialect) => {
  test('an empty one gets every table at the first opening and keeps its content at the next', async () => {
    const place = await emptyDatabase(dialect)
    const first = await openDatabase(place)
    const tables = (await first.db.introspection.getTables()).map(({ name }) => name)
    expect(tables.toSorted()).toEqual([
      'activity',
      'admin_users',
      'backup_care',
      'contact_messages',
      'contact_photos',
      'contact_replies',
      'images',
      'jobs',
      'known_backups',
      'login_attempts',
      'merged_records',
      'outbox',
      'passkeys',
      'project_addresses',
      'project_photo_texts',
      'project_photos',
      'project_texts',
      'projects',
      'request_counts',
      'sessions',
      'settings',
      'site',
      'site_draft',
      'site_versions',
      'statistics',
      'tokens',
      'upload_tickets',
    ])
    await storeProject(first.db, aStoredProject({ title: 'Kept' }))
    await first.close()

    const second = await openDatabase(place)
    expect((await allProjects(second.db)).map(({ title }) => title)).toEqual(['Kept'])
    await second.close()
  })

  test('what is left out of a project gets its default', async () => {
    const { db } = await openTestDatabase(dialect)
    const before = Date.now()
    const { id, title, description, category, imageUrl } = aStoredProject()
    await sql`insert into projects (id, title, description, category, image_url, slug)
              values (${id}, ${title}, ${description}, ${category}, ${imageUrl}, 'tug')`.execute(db)

    const project = await db.selectFrom('projects').selectAll().executeTakeFirstOrThrow()
    expect(project).toEqual({
      ...columnsOf(aStoredProject({ id })),
      rank: 0,
      slug: 'tug',
      createdAt: expect.stringMatching(moment),
    })
    // The database's own clock, on the same machine.
    expect(Math.abs(Date.parse(project.createdAt) - before)).toBeLessThan(60_000)
  })

  test('booleans, JSON and moments come back as they went in', async () => {
    const { db } = await openTestDatabase(dialect)
    const stored = aStoredProject({ featured: true, createdAt: '2026-02-03T04:05:06.789Z' })
    await storeProject(db, stored)
    expect(await db.selectFrom('projects').selectAll().executeTakeFirst()).toEqual({
      ...columnsOf(stored),
      rank: Date.parse(stored.createdAt),
      slug: 'harbour-tug',
    })

    const adminId = await addAdmin(db, 'Ana')
    const { sid, sess } = await addSession(db, adminId)
    expect(await db.selectFrom('sessions').selectAll().executeTakeFirst()).toEqual({
      sid,
      adminId,
      sess,
      expire: '2026-05-08T12:00:00.000Z',
      ...{ browser: null, system: null, usedAt: null },
    })
  })

  test.each(oldMoments)('%s comes back as it went in', async (createdAt) => {
    const { db } = await openTestDatabase(dialect)
    await storeProject(db, aStoredProject({ createdAt }))
    expect(await db.selectFrom('projects').select('createdAt').execute()).toEqual([{ createdAt }])
  })

  test('counts are numbers', async () => {
    const { db } = await openTestDatabase(dialect)
    await addAdmin(db, 'Ana')
    const row = await db
      .selectFrom('adminUsers')
      .select((of) => of.fn.countAll().as('count'))
      .executeTakeFirst()
    expect(row).toEqual({ count: 1 })
  })

  test('projects are listed newest first, whatever the order they came in', async () => {
    const { db } = await openTestDatabase(dialect)
    await storeProject(db, aStoredProject({ title: 'Middle', createdAt: '2026-03-01T00:00:00.500Z' }))
    await storeProject(db, aStoredProject({ title: 'Newest', createdAt: '2026-03-01T00:00:01.000Z' }))
    await storeProject(db, aStoredProject({ title: 'Oldest', createdAt: '2025-12-31T23:59:59.999Z' }))
    expect((await allProjects(db)).map(({ title }) => title)).toEqual(['Newest', 'Middle', 'Oldest'])
  })

  test('a username is taken whatever its capitals', async () => {
    const { db } = await openTestDatabase(dialect)
    await addAdmin(db, 'Ana')
    await expect(addAdmin(db, 'aNA')).rejects.toThrow(/unique/i)
    await addAdmin(db, 'Anabel')
  })

  test('a username of more than fifty characters is refused', async () => {
    const { db } = await openTestDatabase(dialect)
    await addAdmin(db, 'a'.repeat(50))
    await expect(addAdmin(db, 'b'.repeat(51))).rejects.toThrow()
  })

  test('the sessions of a deleted account go with it, and no others', async () => {
    const { db } = await openTestDatabase(dialect)
    const ana = await addAdmin(db, 'Ana')
    const luis = await addAdmin(db, 'Luis')
    await addSession(db, ana)
    const { sid } = await addSession(db, luis)
    await db.deleteFrom('adminUsers').where('id', '=', ana).execute()
    expect(await db.selectFrom('sessions').select('sid').execute()).toEqual([{ sid }])
  })

  test('a session needs an account that exists', async () => {
    const { db } = await openTestDatabase(dialect)
    await expect(addSession(db, randomUUID())).rejects.toThrow(/foreign key/i)
  })

  test('work under the same name never overlaps', async () => {
    const database = await openTestDatabase(dialect)
    let inside = 0
    let most = 0
    const work = () =>
      database.exclusively('the same thing', async (tx) => {
        inside += 1
        most = Math.max(most, inside)
        await tx.selectFrom('projects').selectAll().execute()
        inside -= 1
      })
    await Promise.all(Array.from({ length: 10 }, work))
    expect(most).toBe(1)
  })

  test('a transaction that fails leaves nothing behind', async () => {
    const database = await openTestDatabase(dialect)
    const failing = database.exclusively('anything', async (tx) => {
      await storeProject(tx, aStoredProject())
      throw new Error('half-way')
    })
    await expect(failing).rejects.toThrow('half-way')
    expect(await allProjects(database.db)).toEqual([])
  })
})

describe('on postgres', () => {
  test('work that may take long is left alone by others of the same name, and begun again when it is over', async () => {
    const database = await openTestDatabase('postgres')
    const nested = await database.unlessBusy('the same thing', async () => ({
      same: await database.unlessBusy('the same thing', async () => 'begun'),
      other: await database.unlessBusy('another thing', async () => 'begun'),
    }))
    expect(nested).toEqual({ done: { same: undefined, other: { done: 'begun' } } })
    const failing = database.unlessBusy('the same thing', () => Promise.reject(new Error('half-way')))
    await expect(failing).rejects.toThrow('half-way')
    expect(await database.unlessBusy('the same thing', async () => 'begun')).toEqual({ done: 'begun' })
  })

  test('ten processes that open the same empty database at once all find it ready', async () => {
    const place = await emptyDatabase('postgres')
    const opened = await Promise.all(Array.from({ length: 10 }, () => openDatabase(place)))
    const lists = await Promise.all(opened.map(({ db }) => allProjects(db)))
    expect(lists).toEqual(Array.from({ length: 10 }, () => []))
    await Promise.all(opened.map((database) => database.close()))
  })

  test('moments, booleans and JSON have real types, which other programs can read', async () => {
    const { db } = await openTestDatabase('postgres')
    const { rows } = await sql<{ name: string; type: string }>`
      select table_name || '.' || column_name as name, data_type as type from information_schema.columns
      where table_schema = 'public'`.execute(db)
    const types = Object.fromEntries(rows.map(({ name, type }) => [name, type]))
    expect(types).toMatchObject({
      'projects.id': 'uuid',
      'projects.featured': 'boolean',
      'projects.created_at': 'timestamp with time zone',
      'sessions.sess': 'jsonb',
      'sessions.expire': 'timestamp with time zone',
      'admin_users.username': 'character varying',
    })
  })

  test.each(oldMoments)('%s comes back as it went in from a database in another zone', async (createdAt) => {
    const place = await emptyDatabase('postgres')
    const before = await openTestDatabase('postgres', { place })
    await sql`do $$ begin
      execute format('alter database %I set timezone to %L', current_database(), 'America/Mexico_City');
    end $$`.execute(before.db)
    const { db } = await openTestDatabase('postgres', { place })
    expect((await sql`show timezone`.execute(db)).rows).toEqual([{ TimeZone: 'America/Mexico_City' }])
    await storeProject(db, aStoredProject({ createdAt }))
    expect(await db.selectFrom('projects').select('createdAt').execute()).toEqual([{ createdAt }])
  })

  test('a database that cannot be reached is an error and not a wait without end', async () => {
    await expect(openDatabase({ url: 'postgres://nobody@127.0.0.1:1/nothing', dataDir: '' })).rejects.toThrow(
      /^Cannot start: the database could not be reached \(connect ECONNREFUSED 127\.0\.0\.1:1\)\./,
    )
  })
})

describe('on sqlite', () => {
  test('every acknowledged write is on the disk, and references are kept', async () => {
    const { db } = await openTestDatabase('sqlite')
    const pragma = async (name: string) => Object.values((await sql.raw<object>(`pragma ${name}`).execute(db)).rows[0] ?? {})
    expect(await pragma('journal_mode')).toEqual(['wal'])
    expect(await pragma('synchronous')).toEqual([2])
    expect(await pragma('foreign_keys')).toEqual([1])
    expect(await pragma('busy_timeout')).toEqual([0])
  })
})

describe('the built-in database', () => {
  test('on a disk that fills up keeps its last writes beside the main file, and is opened with them', async () => {
    const { folder: dataDir, fill } = await smallDisk()
    const first = await openDatabase({ dataDir })
    const message = 'x'.repeat(5_000)
    // While something reads, they cannot be moved into the main file.
    await first.snapshot(async (tx) => {
      await tx.selectFrom('site').selectAll().execute()
      await first.db.transaction().execute(async (writing) => {
        for (let number = 0; number < 200; number += 1) {
          const about = { id: randomUUID(), createdAt: '2026-05-01T12:00:00.000Z', projectType: null }
          await storeContact(writing, { ...aContact({ message }), ...about })
        }
      })
      fill()
    })
    await first.close()
    const again = await openDatabase({ dataDir })
    expect(await allContacts(again.db)).toHaveLength(200)
    await again.close()
  })

  test.each(['a\0b', '\ud800'])('refuses %j, of which it would keep something else', async (text) => {
    const { db } = await openTestDatabase('sqlite')
    await expect(storeProject(db, { ...aStoredProject(), title: text })).rejects.toThrow('cannot be stored')
    await expect(db.selectFrom('projects').select('id').where('title', '=', text).execute()).rejects.toThrow('cannot be stored')
    await storeProject(db, aStoredProject({ title: 'Galleon 🚢' }))
    expect((await allProjects(db)).map(({ title }) => title)).toEqual(['Galleon 🚢'])
  })
})
