import { randomUUID } from 'node:crypto'
import { mkdir, readdir, readFile, truncate, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import type { Dialect } from '#server/database/dialect.ts'
import { contactPhotoName } from '#server/features/contacts/photos.queries.ts'
import { imageName } from '#server/features/images/image.rules.ts'
import { freeBytesAt } from '#server/storage/disk.ts'
import { openBucket } from '#server/storage/s3.ts'
import { aStoredPhoto, asOpenFile, everythingIn, fill, storeContact } from '#tests/backups.ts'
import { aStoredProject, storeProject, storeVersion } from '#tests/factories.ts'
import { openTestApp, sites } from '#tests/test-app.ts'
import { emptyDatabase, openTestDatabase } from '#tests/test-database.ts'
import type { LoggedLine } from '#tests/test-log.ts'
import { type StorageKind, testBucket } from '#tests/test-storage.ts'
import { openBackupFile } from './archive/read-backup.ts'
import { storedBackup } from './backup-names.ts'
import { noProgress } from './job.ts'
import { mergeBackup } from './restore/restore.ts'
import { findDifference, testRestore } from './restore-test.ts'
import { runJob } from './run-job.ts'

async function openSite(dialect: Dialect = 'sqlite', kind: StorageKind = 'folder') {
  const bucket = kind === 's3' ? await testBucket() : undefined
  const place = await emptyDatabase(dialect)
  const logged: LoggedLine[] = []
  const site = await openTestApp(dialect, {
    place,
    onLogged: (line) => logged.push(line),
    ...(bucket && { storage: await openBucket(bucket) }),
  })
  const content = await fill(site)
  await storeProject(site.db, { ...aStoredProject({ title: 'In the trash' }), deletedAt: '2026-04-30T00:00:00.000Z' })
  await storeProject(site.db, aStoredProject({ title: 'A draft', draft: true }))
  const { filename } = await runJob(site.jobs, { kind: 'complete' })
  const config = { ...site.config, databaseUrl: place.url, bucket }
  const steps = new Set<string>()
  return {
    ...site,
    ...content,
    url: place.url ?? '',
    config,
    logged,
    steps,
    stored: path.join(site.dataDir, 'files', storedBackup(filename)),
    unfinished: path.join(site.dataDir, 'unfinished'),
    testIt: (database = site.database) =>
      testRestore({ ...site, config, database }, { filename }, (step, done, total) => {
        expect(done).toBeLessThanOrEqual(total)
        steps.add(step)
      }),
  }
}

test.each(sites)('a backup of a site on %s and %s is restored into an empty one and found to be the same', async (...on) => {
  const site = await openSite(...on)
  const before = await everythingIn(site)
  // Of a process that was killed.
  await mkdir(path.join(site.unfinished, 'left/files'), { recursive: true })
  expect(await site.testIt()).toEqual({ onBuiltIn: false })
  expect(await everythingIn(site)).toEqual(before)
  expect([...site.steps]).toEqual(expect.arrayContaining(['merging', 'checking']))
  if (!site.config.bucket) expect(await readdir(site.unfinished)).toEqual([])
})

test('where PostgreSQL refuses a temporary database, the built-in one is used, and that is said', async () => {
  const site = await openSite('postgres')
  const role = `restricted_${randomUUID().slice(0, 8)}`
  await sql`create role ${sql.id(role)} login in role pg_read_all_data`.execute(site.db)
  onTestFinished(async () => {
    await sql`drop role ${sql.id(role)}`.execute(site.db)
  })
  const url = site.url.replace('vitrina@', `${role}@`)
  const restricted = await openTestDatabase('postgres', { place: { url, dataDir: site.dataDir } })
  expect(await site.testIt(restricted)).toEqual({ onBuiltIn: true })
  expect(site.logged).toMatchObject([{ err: { message: 'permission denied to create database' } }])
  expect(await readdir(site.unfinished)).toEqual([])
})

test('a backup that is damaged is refused by the name of what is damaged', async () => {
  const site = await openSite()
  const archive = await readFile(site.stored)
  const { content, hash } = await aStoredPhoto(1)
  archive.set([(content.at(-1) ?? 0) ^ 1], archive.indexOf(content) + content.length - 1)
  await writeFile(site.stored, archive)
  await expect(site.testIt()).rejects.toMatchObject({ code: 'file_damaged', details: { entry: `images/${hash}` } })
  expect(await readdir(site.unfinished)).toEqual([])
})

test('without room for it nothing is restored', async () => {
  const site = await openSite()
  await truncate(site.stored, (await freeBytesAt(site.dataDir)) + 1_000_000_000)
  const details = { neededMegabytes: expect.any(Number), freeMegabytes: expect.any(Number) }
  await expect(site.testIt()).rejects.toMatchObject({ code: 'disk_full', details })
  expect(site.steps.size).toBe(0)
})

test('every kind of difference between a backup and the site it was restored into is found, and named', async () => {
  const { projects, messages, ...made } = await openSite()
  // As another program may have left it.
  await made.db.updateTable('projects').set({ scale: ' 1:48 ' }).where('title', '=', 'Second').execute()
  const { filename } = await runJob(made.jobs, { kind: 'complete' })
  const archive = (await made.storage.read(storedBackup(filename))) ?? Buffer.of()
  const incoming = await openBackupFile(asOpenFile(archive), filename)
  const { db, storage, ...site } = await openTestApp('sqlite')
  await mergeBackup(incoming, { mode: 'restore', filename }, site.jobs, noProgress)
  const compare = () => findDifference(incoming, site.jobs, noProgress)
  expect(await compare()).toBeUndefined()

  const first = projects[0]?.id ?? ''
  const [ada = '', grace = ''] = messages.map(({ id }) => id)
  const hashOfPhoto = async (number: number) => (await aStoredPhoto(number)).hash
  const [second = '', third = ''] = (await Promise.all([2, 3].map(hashOfPhoto))).toSorted()
  const sent = await hashOfPhoto(21)
  const project = (change: object) => db.updateTable('projects').set(change).where('id', '=', first).execute()
  // What is compared last comes first, so that each is found before those above it.
  const changes: [difference: string, change: () => Promise<unknown>][] = [
    [`inquiry-photos/${sent}`, () => storage.remove(contactPhotoName(sent))],
    [`images/${third}`, () => db.deleteFrom('images').where('hash', '=', third).execute()],
    [`images/${second}`, () => storage.put(imageName(second), Buffer.from('another'))],
    ['contacts: 3 instead of 2', () => storeContact({ db, storage })],
    ['site: maker.brand', () => storeVersion(db, { 'maker.brand': 'Another' })],
    [`contacts ${ada}: replies`, () => db.updateTable('contactReplies').set({ sentAt: null }).execute()],
    [`contacts ${grace}: missing`, () => db.deleteFrom('contactMessages').where('id', '=', grace).execute()],
    [`projects ${first}: deletedAt`, () => project({ deletedAt: '2026-05-01' })],
    [`projects ${first}: photos`, () => db.deleteFrom('projectPhotos').where('projectId', '=', first).execute()],
    [`projects ${first}: scale`, () => project({ scale: '1:1' })],
  ]
  for (const [difference, change] of changes) {
    await change()
    expect(await compare()).toBe(difference)
  }
})
