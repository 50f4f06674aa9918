import { randomUUID } from 'node:crypto'
import { readdirSync } from 'node:fs'
import path from 'node:path'
import { DatabaseSync } from '@photostructure/sqlite'
import { sql } from 'kysely'
import pg from 'pg'
import { describe, expect, test } from 'vitest'
import { listStoredBackups, storedBackup } from '#server/backup/backup-names.ts'
import { findBySlugOrId, findProjects, readShowcase } from '#server/features/projects/projects.queries.ts'
import { asDiskProblem } from '#server/http/problem.ts'
import { keepBeforeUpdate } from '#server/start/open-data.ts'
import { aStoredProject } from '#tests/factories.ts'
import {
  layFirstTables,
  layOlderRelease,
  olderRecordsIn,
  rowsInCopyOf,
  undoJobs,
  undoProjectTexts,
} from '#tests/older-release.ts'
import { smallDisk } from '#tests/small-disk.ts'
import { temporaryFolder } from '#tests/temporary-folder.ts'
import { databases, emptyDatabase, type Place } from '#tests/test-database.ts'
import { testLog } from '#tests/test-log.ts'
import { openTestStorage } from '#tests/test-storage.ts'
import { insertProjects } from '../features/projects/project-records.ts'
import { readJobs } from '../jobs/jobs.ts'
import { type Database, openDatabase } from './open.ts'
import type { DumpOptions } from './postgres-dump.ts'
import type { Db } from './tables.ts'

async function anOlderSite() {
  const dataDir = await temporaryFolder()
  await layOlderRelease(dataDir)
  const file = path.join(dataDir, 'vitrina.sqlite')
  return { dataDir, file, records: olderRecordsIn(file) }
}

const schemaOf = (file: string) => rowsInCopyOf(file, 'select name, sql from sqlite_master order by name')[0] ?? []

async function hasSiteTable({ url, dataDir }: Place) {
  if (!url) return schemaOf(path.join(dataDir, 'vitrina.sqlite')).some(({ name }) => name === 'site')
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const { rows } = await client.query(`select to_regclass('site') as there`)
  await client.end()
  return rows[0]?.there !== null
}

describe('a database of the release before this one', () => {
  test('is brought up to date with every record it had', async () => {
    const { dataDir, file, records } = await anOlderSite()
    const { db, close } = await openDatabase({ dataDir })
    expect(await db.selectFrom('projects').select('version').distinct().execute()).toEqual([{ version: 1 }])
    expect(await db.selectFrom('site').select('id').execute()).toHaveLength(1)
    const { projects } = await readShowcase(db, undefined, 24)
    expect(projects.map(({ slug, draft }) => [slug, draft])).toEqual([
      ['of-an-older-site', false],
      ['second', false],
      ['tugboat-nandu', false],
    ])
    await close()
    expect(olderRecordsIn(file)).toEqual(records)
    expect(Object.values(records).map(({ length }) => length)).toEqual([3, 4, 4, 1])
  })

  test('has its account called admin taken for the demo’s, as far as its password says so too, and no other', async () => {
    const { dataDir, file } = await anOlderSite()
    const older = new DatabaseSync(file)
    older.exec(
      `insert into admin_users (id, username, name_key, password_hash) values ('${randomUUID()}', 'Admin', 'admin', 'x')`,
    )
    older.close()
    const { db, close } = await openDatabase({ dataDir })
    const accounts = await db.selectFrom('adminUsers').select(['nameKey', 'demo']).orderBy('nameKey').execute()
    const { deviceKey } = await db.selectFrom('site').select('deviceKey').executeTakeFirstOrThrow()
    await close()
    expect(accounts).toEqual([
      { nameKey: 'admin', demo: true },
      { nameKey: 'álvaro', demo: false },
    ])
    expect(Buffer.from(deviceKey, 'base64url')).toHaveLength(32)
  })

  test('has its messages of the last thirty days waiting for an answer, and the older ones closed', async () => {
    const { dataDir, file } = await anOlderSite()
    const older = new DatabaseSync(file)
    older.exec('delete from contact_messages')
    for (const [name, days] of [
      ['Lately', 29],
      ['Long ago', 31],
    ] as const) {
      const at = new Date(Date.now() - days * 86_400_000).toISOString()
      older.exec(
        `insert into contact_messages (id, name, email, message, created_at) values ('${randomUUID()}', '${name}', 'a@example.com', 'x', '${at}')`,
      )
    }
    older.close()
    const { db, close } = await openDatabase({ dataDir })
    const states = await db.selectFrom('contactMessages').select(['name', 'state']).orderBy('name').execute()
    await close()
    expect(states).toEqual([
      { name: 'Lately', state: 'new' },
      { name: 'Long ago', state: 'closed' },
    ])
  })

  test('has the first steps put away when its owner has signed in, and not when it was a demo', async () => {
    const isPutAway = async (change = '') => {
      const { dataDir, file } = await anOlderSite()
      const older = new DatabaseSync(file)
      older.exec(change)
      older.close()
      const { db, close } = await openDatabase({ dataDir })
      const { firstStepsDone, opened } = await db.selectFrom('site').selectAll().executeTakeFirstOrThrow()
      // Its visitors know it.
      expect(opened).toBe(true)
      await close()
      return firstStepsDone
    }
    expect(await isPutAway()).toBe(true)
    expect(await isPutAway("update admin_users set username = 'admin', name_key = 'admin'")).toBe(false)
    expect(await isPutAway('update admin_users set last_login = null')).toBe(false)
  })

  test('is kept whole before it is changed, and once', async () => {
    const { dataDir, records } = await anOlderSite()
    for (let start = 0; start < 2; start += 1) await (await openDatabase({ dataDir })).close()
    const folder = path.join(dataDir, 'before-update')
    const [copy = '', ...more] = readdirSync(folder)
    expect(copy).toMatch(/^database_backup_.*\.sqlite$/)
    expect(more).toEqual([])
    expect(olderRecordsIn(path.join(folder, copy))).toEqual(records)
    const [migrations = []] = rowsInCopyOf(path.join(folder, copy), 'select name from kysely_migration order by name')
    expect(migrations.map(({ name }) => String(name).slice(0, 4))).toEqual(['0001', '0002', '0003', '0004'])
  })

  test('is kept without the sessions it had', async () => {
    const { dataDir, file } = await anOlderSite()
    const sessionsIn = (place: string) => rowsInCopyOf(place, 'select sid from sessions')[0]?.length
    const older = new DatabaseSync(file)
    older.exec("insert into sessions select 'a-trace', id, '{}', '2030-01-01T00:00:00.000Z' from admin_users")
    older.close()
    expect(sessionsIn(file)).toBe(1)
    await (await openDatabase({ dataDir })).close()
    const [copy = ''] = readdirSync(path.join(dataDir, 'before-update'))
    expect(sessionsIn(path.join(dataDir, 'before-update', copy))).toBe(0)
    expect(sessionsIn(file)).toBe(1)
  })

  test('is left as it was on a disk that fills up while its tables are changed, and that is the reason given', async () => {
    const { folder: dataDir, fill } = await smallDisk()
    await layOlderRelease(dataDir)
    const file = path.join(dataDir, 'vitrina.sqlite')
    const before = { schema: schemaOf(file), records: olderRecordsIn(file) }
    const opened = openDatabase({ dataDir, onStatement: ({ sql }) => void (sql.startsWith('alter table') && fill()) })
    expect(asDiskProblem(await opened.catch((error: unknown) => error))).toMatchObject({ code: 'disk_full' })
    expect({ schema: schemaOf(file), records: olderRecordsIn(file) }).toEqual(before)
  })

  test('is refused by programs beside the site, which change nothing', async () => {
    const { dataDir, file, records } = await anOlderSite()
    const schema = schemaOf(file)
    await expect(openDatabase({ dataDir, asGuest: true })).rejects.toMatchObject({
      reason: 'older',
      message:
        'The database is of an older release of this site. Nothing was changed.\n' +
        'Start the site once: it keeps a copy and brings the database up to date.',
    })
    expect({ schema: schemaOf(file), records: olderRecordsIn(file) }).toEqual({ schema, records })
    expect(readdirSync(dataDir)).not.toContain('before-update')
  })
})

describe('a database of the first release on postgres', () => {
  async function update(pgDump: DumpOptions = {}) {
    const place = await emptyDatabase('postgres')
    await layFirstTables(place.url ?? '')
    const storage = await openTestStorage('folder')
    const levels: number[] = []
    const { log } = testLog(({ level }) => levels.push(level))
    const said: [boolean, number[]][] = []
    const beforeUpdate = async (dump: Database['dump']) => {
      await keepBeforeUpdate({ storage, log }, dump)
      said.push([await hasSiteTable(place), [...levels]])
    }
    await (await openDatabase({ ...place, beforeUpdate, pgDump })).close()
    expect(await hasSiteTable(place)).toBe(true)
    return { storage, said }
  }

  test('is kept as a database backup before it is changed', async () => {
    const { storage, said } = await update()
    const [{ filename } = { filename: '' }] = await listStoredBackups(storage, new Date())
    const dump = String(await storage.read(storedBackup(filename)))
    expect(filename).toMatch(/^database_backup_.*\.sql$/)
    expect(dump).toContain('CREATE TABLE public.projects')
    expect(dump).not.toContain('CREATE TABLE public.site')
    expect(said).toEqual([[false, [30]]])
  })

  test('is changed where no copy can be kept, and the log says so before', async () => {
    const { storage, said } = await update({ folders: [] })
    expect(await listStoredBackups(storage, new Date())).toEqual([])
    expect(await storage.list('incoming')).toEqual([])
    expect(said).toEqual([[false, [40]]])
  })
})

describe.each(databases)('a database of a newer release on %s', (dialect) => {
  test.each([{ asGuest: false }, { asGuest: true }])(
    'is refused and not changed (as a guest: $asGuest)',
    async ({ asGuest }) => {
      const place = await emptyDatabase(dialect)
      const ours = await openDatabase(place)
      await sql`insert into kysely_migration (name, timestamp) values ('0099-of-tomorrow', '2030-01-01')`.execute(ours.db)
      expect(await hasSiteTable(place)).toBe(true)
      await sql`drop table site`.execute(ours.db)
      await ours.close()
      const refused = openDatabase({ ...place, asGuest })
      await expect(refused).rejects.toMatchObject({ reason: 'newer', message: expect.stringContaining('0099-of-tomorrow') })
      await expect(refused).rejects.toMatchObject({ message: expect.stringContaining('Install that release again') })
      expect(await hasSiteTable(place)).toBe(false)
      expect(readdirSync(place.dataDir)).not.toContain('before-update')
    },
  )
})

describe.each(databases)('a project that a process of an older release has stored without an address, on %s', (dialect) => {
  const asOlderProcess = (db: Db, title: string) =>
    db
      .insertInto('projects')
      .values({ ...aRow, id: randomUUID(), title, slug: '' })
      .execute()
  const { photos: _photos, translations: _translations, ...aRow } = { ...aStoredProject(), deletedAt: null }

  test('gets one at the next start, and no other is taken', async () => {
    const place = await emptyDatabase(dialect)
    const before = await openDatabase(place)
    // As the release before left it.
    if (dialect === 'postgres') await sql`alter table projects drop constraint projects_slug`.execute(before.db)
    else
      for (const event of ['insert', 'update']) await sql`drop trigger ${sql.id(`projects_${event}_slug`)}`.execute(before.db)
    await sql`alter table site drop column clock`.execute(before.db)
    await sql`delete from kysely_migration where name >= '0012'`.execute(before.db)
    await insertProjects(before.db, [aStoredProject({ title: 'Galleon' })])
    for (const title of ['Galleon', 'Tender']) await asOlderProcess(before.db, title)
    await undoJobs(before.db, dialect)
    await undoProjectTexts(before.db)
    await before.close()

    const { db, close } = await openDatabase(place)
    const slugs = (await db.selectFrom('projects').select('slug').orderBy('slug').execute()).map(({ slug }) => slug)
    expect(slugs).toEqual(['galleon', expect.stringMatching(/^galleon-\w{4}$/), 'tender'])
    expect(await findBySlugOrId(db, 'tender')).toMatchObject({ draft: false })
    await expect(asOlderProcess(db, 'Barge')).rejects.toThrow(/slug/)
    await expect(db.updateTable('projects').set({ slug: '' }).execute()).rejects.toThrow(/slug/)
    await close()
  })
})

describe.each(databases)('a database in which Spanish texts are columns, on %s', (dialect) => {
  test('has them as translations after the update, and no columns for them', async () => {
    const place = await emptyDatabase(dialect)
    const before = await openDatabase(place)
    const photos = ['bow', 'stern'].map((name) => ({ imageUrl: `https://example.com/${name}.jpg`, caption: name }))
    const [whole, partly, none] = [aStoredProject({ photos }), aStoredProject({ photos }), aStoredProject({ photos })]
    await insertProjects(before.db, [whole, partly, none])
    const row = { mergeId: none.id, list: 'projects', recordId: whole.id, after: 'of the old shape' } as const
    await before.db.insertInto('mergedRecords').values(row).execute()
    await sql`update backup_care set last_merge = '{}'`.execute(before.db)
    await undoJobs(before.db, dialect)
    await undoProjectTexts(before.db)
    await sql`
      update projects set title_es = 'Ñandú', description_es = 'd', materials_es = 'm', techniques_es = 't'
      where id = ${whole.id}`.execute(before.db)
    await sql`update projects set materials_es = 'latón' where id = ${partly.id}`.execute(before.db)
    await sql`
      update project_photos set caption_es = 'popa' where position = 1 and project_id = ${partly.id}`.execute(before.db)
    await before.close()

    const { db, close } = await openDatabase(place)
    const nothing = { title: null, description: null, materials: null, techniques: null }
    const projects = new Map((await findProjects(db, [whole.id, partly.id, none.id])).map((each) => [each.id, each]))
    expect([whole, partly, none].map(({ id }) => projects.get(id)?.translations)).toEqual([
      { es: { title: 'Ñandú', description: 'd', materials: 'm', techniques: 't' } },
      { es: { ...nothing, materials: 'latón' } },
      { es: nothing },
    ])
    expect(projects.get(partly.id)?.photos.map(({ caption, translations }) => [caption, translations.es?.caption])).toEqual([
      ['bow', null],
      ['stern', 'popa'],
    ])
    const rows = { texts: await db.selectFrom('projectTexts').select('language').execute() }
    expect(rows.texts).toEqual([{ language: 'es' }, { language: 'es' }])
    expect(await db.selectFrom('projectPhotoTexts').select('position').execute()).toEqual([{ position: 1 }])
    await expect(sql`select title_es from projects`.execute(db)).rejects.toThrow(/title_es/)
    expect(await db.selectFrom('mergedRecords').selectAll().execute()).toEqual([])
    expect(await db.selectFrom('backupCare').select('lastMerge').execute()).toEqual([{ lastMerge: null }])
    await close()
  })
})

describe.each(databases)('a database in which jobs are columns, on %s', (dialect) => {
  test('has a row for each of them after the update, with what failed', async () => {
    const place = await emptyDatabase(dialect)
    const before = await openDatabase(place)
    await undoJobs(before.db, dialect)
    const [first, second] = ['2026-05-01T09:00:00.000Z', '2026-05-02T09:00:00.000Z']
    const fault = { code: 'disk_full', details: { freeMegabytes: 3 }, at: first, tries: 4, nextTryAt: second }
    const trial = { filename: 'a.zip', at: first, fault: null }
    await sql`
      update backup_care set night_done_at = ${first}, night_fault = ${JSON.stringify(fault)}, mailed_at = ${second},
        trial = ${JSON.stringify(trial)}`.execute(before.db)
    await sql`update site set reminded_at = ${first}`.execute(before.db)
    await before.close()

    const { db, close } = await openDatabase(place)
    const { tries: failures, nextTryAt: nextTry, details: _details, ...lastError } = fault
    const { hourly, copy, ...rows } = await readJobs(db)
    expect([hourly, copy].map(({ lastSuccess }) => lastSuccess)).toEqual([null, null])
    expect(rows).toMatchObject({
      nightly: { lastSuccess: first, failures, nextTry, lastError },
      'restore-test': { lastSuccess: first, failures: 0, lastError: null, result: { filename: 'a.zip' } },
      'fault-mails': { lastSuccess: second, result: null },
      reminders: { lastSuccess: first },
    })
    expect(rows.nightly.lastError).toEqual(lastError)
    await close()
  })
})

test('a process that finds older ones on its PostgreSQL database says how many', async () => {
  const place = await emptyDatabase('postgres')
  const counts: number[] = []
  const open = async () => (await openDatabase({ ...place, onOlder: (processes) => counts.push(processes) })).close()
  const connect = async (application_name: string) => {
    const client = new pg.Client({ connectionString: place.url, application_name })
    await client.connect()
    return client
  }
  const same = await openDatabase(place)
  const watch = await same.watchContent(
    () => {},
    () => {},
  )
  await open()
  expect(counts).toEqual([])
  const older = [await connect('vitrina content version'), await connect('vitrina content version 0011')]
  const newer = await connect('vitrina content version 9999')
  await open()
  expect(counts).toEqual([2])
  await Promise.all([...older, newer].map((client) => client.end()))
  await watch.stop()
  await same.close()
})
