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
import { aReply, aStoredPhoto, everythingIn, fill, storeContact } from '#tests/backups.ts'
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
  expect(await site.testIt()).toEqual({ difference: null, onBuiltIn: false })
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
  expect(await site.testIt(restricted)).toEqual({ difference: null, onBuiltIn: true })
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

/** A backup of a full site, and a site into which it was restored. */
async function openRestored() {
  const source = await openTestApp('sqlite')
  const { projects, messages } = await fill(source)
  // As another program may have left it.
  await source.db.updateTable('projects').set({ scale: ' 1:48 ' }).where('title', '=', 'Second').execute()
  const { filename } = await runJob(source.jobs, { kind: 'make', type: 'complete' })
  const file = await source.storage.open(storedBackup(filename))
  if (!file) throw new Error('The backup is not there.')
  onTestFinished(() => file.close())
  const site = await openTestApp('sqlite')
  const incoming = await openBackupFile(file, filename)
  await mergeBackup(incoming, { mode: 'restore', filename }, site.jobs, noProgress)
  return { ...site, projects, messages, compare: () => findDifference(incoming, site.jobs, noProgress) }
}

type Restored = Awaited<ReturnType<typeof openRestored>>

const changeProject = async ({ db, projects: [project] }: Restored, values: { scale: string } | { deletedAt: string }) => {
  const id = project?.id ?? ''
  await db.updateTable('projects').set(values).where('id', '=', id).execute()
  return { list: 'projects', id, field: Object.keys(values)[0] }
}

test.each<[string, (site: Restored) => Promise<object | null>]>([
  ['nothing', async () => null],
  ['a text of a project', (site) => changeProject(site, { scale: '1:1' })],
  ['its place in the trash', (site) => changeProject(site, { deletedAt: site.clock.now().toISOString() })],
  [
    'a caption of its photos',
    async ({ db, projects: [project] }) => {
      const id = project?.id ?? ''
      await db.deleteFrom('projectPhotos').where('projectId', '=', id).execute()
      return { list: 'projects', id, field: 'photos' }
    },
  ],
  [
    'a message that is gone',
    async ({ db, messages: [, message] }) => {
      const id = message?.id ?? ''
      await db.deleteFrom('contactMessages').where('id', '=', id).execute()
      return { list: 'contacts', id, field: null }
    },
  ],
  [
    'a reply to it',
    async ({ db, messages: [message] }) => {
      await db.updateTable('contactReplies').set({ sentAt: null }).execute()
      return { list: 'contacts', id: message?.id, field: 'replies' }
    },
  ],
  [
    'a message too many',
    async (site) => {
      await storeContact(site, { replies: [aReply()] })
      return { list: 'contacts', expected: 2, found: 3 }
    },
  ],
  [
    'a text of the site',
    async ({ db }) => {
      await storeVersion(db, { 'maker.brand': 'Another' })
      return { site: 'maker.brand' }
    },
  ],
  [
    'the file of a photo',
    async ({ storage }) => {
      const { hash } = await aStoredPhoto(2)
      await storage.put(imageName(hash), Buffer.from('another'))
      return { photo: { kind: 'images', hash } }
    },
  ],
  [
    'the row of a photo',
    async ({ db }) => {
      const { hash } = await aStoredPhoto(3)
      await db.deleteFrom('images').where('hash', '=', hash).execute()
      return { photo: { kind: 'images', hash } }
    },
  ],
  [
    'a photo that came with a message',
    async ({ storage }) => {
      const { hash } = await aStoredPhoto(21)
      await storage.remove(contactPhotoName(hash))
      return { photo: { kind: 'inquiryPhotos', hash } }
    },
  ],
])('where %s differs from the backup, that is found', async (_, change) => {
  const site = await openRestored()
  const difference = await change(site)
  expect(await site.compare()).toEqual(difference)
})
