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
  await fill(site)
  await storeProject(site.db, { ...aStoredProject({ title: 'In the trash' }), deletedAt: '2026-04-30T00:00:00.000Z' })
  await storeProject(site.db, aStoredProject({ title: 'A draft', draft: true }))
  const { filename } = await runJob(site.jobs, { kind: 'make', type: 'complete' })
  const config = { ...site.config, databaseUrl: place.url, bucket }
  const steps = new Set<string>()
  return {
    ...site,
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

let making: ReturnType<typeof makeArchive> | undefined

async function makeArchive() {
  const site = await openTestApp('sqlite')
  const { projects, messages } = await fill(site)
  // As another program may have left it.
  await site.db.updateTable('projects').set({ scale: ' 1:48 ' }).where('title', '=', 'Second').execute()
  const { filename } = await runJob(site.jobs, { kind: 'make', type: 'complete' })
  const archive = await site.storage.read(storedBackup(filename))
  return { archive: archive ?? Buffer.alloc(0), ids: [projects[0], ...messages].map((record) => record?.id ?? '') }
}

/** A site into which a backup was restored. The backup is made once. */
async function openRestored() {
  making ??= makeArchive()
  const { archive, ids } = await making
  const site = await openTestApp('sqlite')
  const incoming = await openBackupFile(asOpenFile(archive), 'complete_backup.zip')
  await mergeBackup(incoming, { mode: 'restore', filename: 'complete_backup.zip' }, site.jobs, noProgress)
  const [first = '', ada = '', grace = ''] = ids
  const [second = '', third = '', sent = ''] = await Promise.all(
    [2, 3, 21].map(async (number) => (await aStoredPhoto(number)).hash),
  )
  const compare = () => findDifference(incoming, site.jobs, noProgress)
  return { ...site, first, ada, grace, hashes: { second, third, sent }, compare }
}

type Restored = Awaited<ReturnType<typeof openRestored>>

test.each<[string, (site: Restored) => Promise<unknown>, (site: Restored) => string | undefined]>([
  ['nothing', async () => {}, () => undefined],
  [
    'a text of a project',
    ({ db, first }) => db.updateTable('projects').set({ scale: '1:1' }).where('id', '=', first).execute(),
    ({ first }) => `projects ${first}: scale`,
  ],
  [
    'its place in the trash',
    ({ db, first }) => db.updateTable('projects').set({ deletedAt: '2026-05-01' }).where('id', '=', first).execute(),
    ({ first }) => `projects ${first}: deletedAt`,
  ],
  [
    'a caption of its photos',
    ({ db, first }) => db.deleteFrom('projectPhotos').where('projectId', '=', first).execute(),
    ({ first }) => `projects ${first}: photos`,
  ],
  [
    'a message that is gone',
    ({ db, grace }) => db.deleteFrom('contactMessages').where('id', '=', grace).execute(),
    ({ grace }) => `contacts ${grace}: missing`,
  ],
  [
    'a reply to it',
    ({ db }) => db.updateTable('contactReplies').set({ sentAt: null }).execute(),
    ({ ada }) => `contacts ${ada}: replies`,
  ],
  ['a message too many', (site) => storeContact(site), () => 'contacts: 3 instead of 2'],
  ['a text of the site', ({ db }) => storeVersion(db, { 'maker.brand': 'Another' }), () => 'site: maker.brand'],
  [
    'the file of a photo',
    ({ storage, hashes }) => storage.put(imageName(hashes.second), Buffer.from('another')),
    ({ hashes }) => `images/${hashes.second}`,
  ],
  [
    'the row of a photo',
    ({ db, hashes }) => db.deleteFrom('images').where('hash', '=', hashes.third).execute(),
    ({ hashes }) => `images/${hashes.third}`,
  ],
  [
    'a photo that came with a message',
    ({ storage, hashes }) => storage.remove(contactPhotoName(hashes.sent)),
    ({ hashes }) => `inquiry-photos/${hashes.sent}`,
  ],
])('where %s differs from the backup, that is found', async (_, change, difference) => {
  const site = await openRestored()
  await change(site)
  expect(await site.compare()).toEqual(difference(site))
})
