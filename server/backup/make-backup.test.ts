import { describe, expect, test } from 'vitest'
import {
  backupVersion,
  createCompleteBackup,
  createDatabaseBackup,
  downloadBackup,
  exportData,
  importData,
  listBackups,
  restoreComplete,
} from '#contract/backups.ts'
import { storedAddress } from '#contract/images.ts'
import { createProject } from '#contract/projects.admin.ts'
import { listProjects } from '#contract/projects.ts'
import type { Dialect } from '#server/database/dialect.ts'
import { imageName } from '#server/features/images/image.rules.ts'
import { quarantine } from '#server/features/images/image-quarantine.ts'
import { storeImage } from '#server/features/images/image-store.ts'
import { contentOf, everythingIn, fill, formWith } from '#tests/backups.ts'
import { aContact, aProject, aStoredProject, storeProject } from '#tests/factories.ts'
import { aPhoto } from '#tests/photos.ts'
import { openTestApp } from '#tests/test-app.ts'
import { databases } from '#tests/test-database.ts'
import type { StorageKind } from '#tests/test-storage.ts'
import { storedBackup } from './backup-names.ts'
import { backupsLock, readBackupState } from './backup-state.ts'
import { runJob } from './run-job.ts'

const none = { projects: 0, contacts: 0, images: 0, inquiryPhotos: 0 }

async function openSite(dialect: Dialect = 'sqlite', storage: StorageKind = 'folder') {
  const site = await openTestApp(dialect, { storage })
  const maker = await site.signedIn()
  return { ...site, maker, as: { as: maker } }
}
type Site = Awaited<ReturnType<typeof openSite>>

async function download({ call, as }: Site, filename: string) {
  const response = await call(downloadBackup, { params: { filename }, ...as })
  expect(response.statusCode).toBe(200)
  return response
}

const restore = ({ ask, as }: Site, archive: Buffer) => ask(restoreComplete, { ...formWith(archive), ...as })

async function completeBackup(site: Site) {
  const { filename } = await site.ask(createCompleteBackup, site.as)
  return (await download(site, filename)).rawPayload
}

describe('backups', () => {
  test('are listed newest first, with their sizes, under names that tell kind and moment, and two of one second apart', async () => {
    const { ask, as, clock, storage } = await openSite()
    for (let count = 0; count < 2; count += 1) await ask(exportData, as)
    clock.pass({ seconds: 1 })
    await ask(createDatabaseBackup, as)
    clock.pass({ seconds: 1 })
    await ask(createCompleteBackup, as)
    await storage.put('backups/somebody-elses.txt', Buffer.from('not ours'))
    const { backups, files } = await ask(listBackups, as)
    expect(backups).toEqual([
      expect.stringMatching(/^complete_backup_2026-05-01T12-00-02Z-\w{4}\.zip$/),
      expect.stringMatching(/^database_backup_.+-\w{4}\.sqlite$/),
      ...Array.from({ length: 2 }, () => expect.stringMatching(/^export_2026-05-01T12-00-00Z-\w{4}\.json$/)),
    ])
    expect(files.map(({ filename }) => filename)).toEqual(backups)
    for (const { filename, bytes } of files) {
      expect((await storage.read(`backups/${filename}`))?.length).toBe(bytes)
      expect(bytes).toBeGreaterThan(100)
    }
  })

  test('an export has nothing of the accounts, brings an empty site the same records, and nothing the second time', async () => {
    const site = await openSite()
    await fill(site)
    const { data } = await site.ask(exportData, site.as)
    expect(data).toMatchObject({ format: 'vitrina-export', version: backupVersion, counts: { projects: 3, contacts: 2 } })
    const { site: _words, ...records } = data
    expect(JSON.stringify(records)).not.toMatch(/password|argon2|maker/)
    const other = await openSite()
    const first = await other.ask(importData, { body: data, ...other.as })
    expect(first).toMatchObject({
      message: 'Import completed: 3 projects, 2 contacts',
      imported: { ...none, projects: 3, contacts: 2 },
      alreadyThere: none,
      // Those of the projects and of the messages: an export brings no bytes.
      missingImages: 3 + 2,
    })
    const { projects, contacts } = await contentOf(site)
    const withoutPhotos = contacts.map((contact) => ({ ...contact, photos: [] }))
    expect(await contentOf(other)).toMatchObject({ projects, contacts: withoutPhotos })

    const before = await everythingIn(other)
    const second = await other.ask(importData, { body: data, ...other.as })
    expect(second).toMatchObject({
      imported: none,
      alreadyThere: { ...none, projects: 3, contacts: 2 },
    })
    expect(await everythingIn(other)).toEqual(before)
  })

  test('a complete backup brings an empty site of the other kind the same records and bytes, back as well, and nothing the second time', async () => {
    const site = await openSite()
    await fill(site)
    const archive = await completeBackup(site)
    const other = await openSite('postgres', 's3')
    const { accounts, sessions } = await everythingIn(other)
    const report = await restore(other, archive)
    expect(report).toMatchObject({
      message: 'Complete backup restored: 3 projects, 2 contacts, 3 images found',
      imported: { projects: 3, contacts: 2, images: 3, inquiryPhotos: 2 },
      broughtBack: none,
      alreadyThere: none,
    })
    expect(await contentOf(other)).toEqual(await contentOf(site))
    expect(await everythingIn(other)).toMatchObject({ accounts, sessions })

    const before = await everythingIn(other)
    expect(await restore(other, archive)).toMatchObject({
      imported: none,
      alreadyThere: { projects: 3, contacts: 2, images: 3, inquiryPhotos: 2 },
    })
    expect(await everythingIn(other)).toEqual(before)
    await other.variants.settled()
    expect(await other.storage.list('incoming')).toEqual([])

    const third = await openSite()
    await restore(third, await completeBackup(other))
    expect(await contentOf(third)).toEqual(await contentOf(site))
    const { data } = await other.ask(exportData, other.as)
    expect((await site.ask(importData, { body: data, ...site.as })).imported).toEqual(none)
    for (const { ask, as, storage } of [site, other]) {
      const { filename, bytes } = await ask(createDatabaseBackup, as)
      expect((await storage.read(storedBackup(filename)))?.length).toBe(bytes)
    }
  })

  test('a complete backup whose photos stop coming half-way is not kept, and the next one is', async () => {
    const site = await openSite()
    await fill(site)
    const { read } = site.storage
    site.storage.read = async () => Promise.reject(Object.assign(new Error('aborted'), { code: 'ECONNRESET' }))
    const broken = await site.call(createCompleteBackup, site.as)
    expect([broken.statusCode, broken.json().code]).toEqual([503, 'unavailable'])
    expect(site.takeLoggedProblems().length).toBe(1)
    expect(await site.storage.list('incoming')).toEqual([])
    site.storage.read = read
    expect((await site.call(createCompleteBackup, site.as)).statusCode).toBe(200)
    expect((await site.ask(listBackups, site.as)).backups).toHaveLength(1)
  })

  test('are downloaded as files', async () => {
    const site = await openSite()
    await fill(site)
    const { data, filename } = await site.ask(exportData, site.as)
    const response = await download(site, filename)
    expect(response.json()).toEqual(data)
    expect(response.headers).toMatchObject({
      'content-type': 'application/octet-stream',
      'content-disposition': `attachment; filename="${filename}"`,
      'content-length': String(response.rawPayload.length),
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
    })
  })

  test('that are not listed are not handed out', async () => {
    const { call, as, storage } = await openSite()
    const others = ['../vitrina.sqlite', 'nothing.zip', '..%2f..%2fvitrina.sqlite', 'export_2020-01-01T00-00-00Z.json']
    await storage.put('backups/somebody-elses.txt', Buffer.from('not ours'))
    for (const filename of [...others, 'somebody-elses.txt']) {
      const response = await call(downloadBackup, { params: { filename }, ...as })
      expect([filename, response.statusCode, response.json().code]).toEqual([filename, 404, 'backup_not_found'])
    }
  })

  test('any part of an export can be imported; without ids the same content is the same record', async () => {
    const { ask, as } = await openSite()
    const part = { projects: [aProject(), aProject(), aProject({ title: 'Another' })], contacts: [aContact()] }
    expect((await ask(importData, { body: part, ...as })).imported).toEqual({ ...none, projects: 2, contacts: 1 })
    expect((await ask(importData, { body: part, ...as })).imported).toEqual(none)
    expect((await ask(importData, { body: { contacts: part.contacts }, ...as })).imported).toEqual(none)
    expect((await ask(listProjects)).length).toBe(2)
    // Also what was made in the panel.
    await ask(createProject, { body: aProject({ title: 'Of the panel' }), ...as })
    const typed = { projects: [aProject({ title: 'Of the panel' }), aProject({ title: 'New' })] }
    expect(await ask(importData, { body: typed, ...as })).toMatchObject({
      imported: { projects: 1 },
      alreadyThere: { projects: 1 },
    })
  })

  test('photos whose files are gone or damaged are named in the message, the list and the name of the backup', async () => {
    const site = await openSite()
    const upload = (colour: string) => storeImage(site, () => aPhoto({ colour }))
    const [gone, rotten] = [await upload('#3f6b62'), await upload('#b5843a')]
    await storeProject(
      site.db,
      aStoredProject({ title: 'Galleon', imageUrl: storedAddress(gone), afterImageUrl: storedAddress(rotten) }),
    )
    await site.storage.remove(imageName(gone))
    // One bit turns, as on an old disk.
    const bytes = Buffer.from((await site.storage.read(imageName(rotten))) ?? '')
    bytes[bytes.length >> 1] = (bytes[bytes.length >> 1] ?? 0) ^ 1
    await site.storage.put(imageName(rotten), bytes)
    const { message, filename, missingImages, missingFrom } = await site.ask(createCompleteBackup, site.as)
    expect(missingImages).toBe(2)
    expect(missingFrom).toEqual({ projects: ['Galleon'], senders: [], others: 0, site: false })
    expect(message).toContain('but 2 photos are missing from it: their files are gone or damaged. They belong to “Galleon”.')
    expect(filename).toMatch(/_without_2_photos\.zip$/)
    const { files } = await site.ask(listBackups, site.as)
    expect(files).toMatchObject([{ filename, bytes: expect.any(Number), missingImages: 2, madeBy: 'person', isLast: true }])
    expect((await download(site, filename)).statusCode).toBe(200)
    await upload('#b5843a')
    expect(await site.ask(createCompleteBackup, site.as)).toMatchObject({ counts: { images: 1 }, missingImages: 1 })
  })

  test('an import of a project whose photo is not here says so; one in quarantine is brought back', async () => {
    const site = await openSite()
    const here = await storeImage(site, () => aPhoto({ colour: '#3f6b62' }))
    await site.db.deleteFrom('images').execute()
    await quarantine(site, [imageName(here)])
    const projects = [
      aProject({ title: 'Aside', imageUrl: storedAddress(here) }),
      aProject({ title: 'Gone', imageUrl: storedAddress('e'.repeat(64)) }),
    ]
    expect(await site.ask(importData, { body: { projects }, ...site.as })).toMatchObject({ missingImages: 1 })
    expect((await site.app.inject(storedAddress(here))).statusCode).toBe(200)
    expect((await site.ask(listProjects)).find(({ title }) => title === 'Aside')?.image).toMatchObject({ width: 64 })
    expect(await site.ask(importData, { body: { projects }, ...site.as })).toMatchObject({
      missingImages: 1,
    })
  })
})

describe.each(databases)('on %s', (dialect) => {
  test('characters that no database keeps do not make a record come again and again', async () => {
    const { ask, as } = await openSite(dialect)
    const body = { projects: [{ ...aStoredProject(), title: 'Tug\u0000boat \ud800' }] }
    expect((await ask(importData, { body, ...as })).imported.projects).toBe(1)
    expect((await ask(importData, { body, ...as })).imported.projects).toBe(0)
    expect((await ask(listProjects))[0]?.title).toBe('Tugboat')
  })

  test('jobs are done one at a time in all processes', async () => {
    const site = await openSite(dialect)
    const makeAtConsole = () => runJob(site.jobs, { kind: 'export' })
    await site.database.unlessBusy(backupsLock, async () => {
      expect((await site.call(createDatabaseBackup, site.as)).json().code).toBe('backup_in_progress')
      await expect(makeAtConsole()).rejects.toMatchObject({ code: 'backup_in_progress' })
    })
    const { filename } = await makeAtConsole()
    expect((await site.ask(listBackups, site.as)).backups).toEqual([filename])
    expect((await readBackupState(site.db)).working).toBeNull()
  })
})
