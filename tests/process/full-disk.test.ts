import { randomUUID } from 'node:crypto'
import { statSync } from 'node:fs'
import { chmod, chown, mkdir, readdir, rm } from 'node:fs/promises'
import path from 'node:path'
import { DatabaseSync } from '@photostructure/sqlite'
import { describe, expect, test } from 'vitest'
import { signOut } from '#contract/accounts.ts'
import { createCompleteBackup, createDatabaseBackup, downloadBackup, exportData } from '#contract/backups.ts'
import { deleteContact, exportContacts, listContacts } from '#contract/contacts.admin.ts'
import { sendContact } from '#contract/contacts.ts'
import { checkHealth, checkReadiness } from '#contract/health.ts'
import { requestUpload } from '#contract/images.ts'
import { homePage, sendFromPage } from '#contract/pages.ts'
import { createProject } from '#contract/projects.admin.ts'
import { listProjects } from '#contract/projects.ts'
import { fill } from '../backups.ts'
import { type BuiltSite, runBuilt } from '../built-site.ts'
import { openToVisitors, post, signInAt } from '../calls.ts'
import { aContact, aProject } from '../factories.ts'
import { layOlderRelease, rowsInCopyOf } from '../older-release.ts'
import { aPhoto } from '../photos.ts'
import { mountReadOnly, smallDisk } from '../small-disk.ts'
import { addressOf } from '../test-app.ts'
import { owner, ownerAccount, startSite, within } from './site.ts'

async function aSiteOnASmallDisk() {
  const disk = await smallDisk()
  const site = await startSite({ DATA_DIR: disk.folder })
  await openToVisitors(site.url, ownerAccount)
  const statusOf = async (path: string, url = site.url) => (await fetch(new URL(path, url))).status
  const outcomeOf = async (path: string, body: unknown, cookie = '') => {
    const answer = await post(site.url, path, body, { cookie })
    return [answer.status, ((await answer.json()) as { code?: string }).code]
  }
  const send = () => outcomeOf(sendContact.path, aContact({ message: randomUUID() }))
  return { disk, site, statusOf, outcomeOf, send }
}

describe('a disk that is full', () => {
  test('is said to be so; the site goes on showing and deleting, takes everything again once there is room, and starts on it though even its reserve is gone', async () => {
    const { disk, site, statusOf, outcomeOf, send } = await aSiteOnASmallDisk()
    expect(await send()).toEqual([200, undefined])
    const made = await post(site.url, createDatabaseBackup.path, {}, { cookie: await signInAt(site.url, ownerAccount) })
    const downloaded = { path: addressOf(downloadBackup, (await made.json()) as { filename: string }) }
    disk.fill()
    expect(await send()).toEqual([507, 'disk_full'])
    expect(await statusOf(checkHealth.path)).toBe(507)
    for (const { path } of [checkReadiness, homePage, listProjects]) expect(await statusOf(path)).toBe(200)
    const form = new FormData()
    for (const [name, value] of Object.entries(aContact({ message: 'Typed with care' }))) form.set(name, value)
    form.set('photos', new Blob([new Uint8Array(await aPhoto())]), 'a.jpg')
    const page = await fetch(new URL(sendFromPage.path, site.url), { method: 'POST', body: form })
    expect([page.status, await page.text()]).toEqual([507, expect.stringContaining('Typed with care')])

    const cookie = await signInAt(site.url, ownerAccount)
    expect(await outcomeOf(requestUpload.path, { bytes: 1, contentType: 'image/jpeg' }, cookie)).toEqual([507, 'disk_full'])
    expect(await outcomeOf(createProject.path, aProject(), cookie)).toEqual([507, 'disk_full'])
    const [message] = (await (await fetch(new URL(listContacts.path, site.url), { headers: { cookie } })).json()) as {
      id: string
    }[]
    const address = new URL(addressOf(deleteContact, { id: message?.id ?? '' }), site.url)
    expect((await fetch(address, { method: 'DELETE', headers: { cookie } })).status).toBe(200)
    disk.fill()
    for (const call of [exportContacts, downloaded])
      expect((await fetch(new URL(call.path, site.url), { headers: { cookie } })).status).toBe(200)
    expect(await outcomeOf(signOut.path, {}, cookie)).toEqual([200, undefined])

    disk.free()
    expect(await send()).toEqual([200, undefined])
    expect(await statusOf(checkHealth.path)).toBe(200)

    await site.stop()
    disk.fill()
    const again = await startSite({ DATA_DIR: disk.folder }, { well: false })
    expect(await statusOf(homePage.path, again.url)).toBe(200)
    expect(await statusOf(checkHealth.path, again.url)).toBe(507)
    await again.stop()
    for (const name of ['reserve', 'vitrina.sqlite-shm', 'vitrina.sqlite-wal'])
      await rm(path.join(disk.folder, name), { force: true })
    disk.fill()
    const withoutReserve = await startSite({ DATA_DIR: disk.folder }, { well: false })
    expect(await statusOf(homePage.path, withoutReserve.url)).toBe(200)
  })

  test('is named by a first start', async () => {
    const disk = await smallDisk()
    disk.fill()
    const { code, stderr } = await runBuilt('main', { ...owner, DATA_DIR: disk.folder, PORT: '0' }).ended
    expect(code).toBe(1)
    expect(stderr).toMatch(/^Cannot start: .*room/)
    expect(stderr).not.toContain('    at ')
  })
})

describe('an update on a disk that is nearly full', () => {
  test('is refused with a sentence before anything is changed, and made once there is room', async () => {
    const disk = await smallDisk()
    const dataDir = path.join(disk.folder, 'data')
    await layOlderRelease(dataDir)
    const file = path.join(dataDir, 'vitrina.sqlite')
    const older = new DatabaseSync(file)
    older.exec(`
      with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n < 20000)
      insert into contact_messages (id, name, email, message, created_at)
      select 'of-the-older-release-' || n, 'Ana', 'ana@example.com', printf('%.300c', 'x'), '2026-05-01T12:00:00.000Z' from numbers`)
    older.exec('pragma wal_checkpoint(truncate)')
    older.close()
    const schema = () => rowsInCopyOf(file, 'select sql from sqlite_master', 'select name from kysely_migration')
    const before = schema()
    const neededMegabytes = Math.ceil(1 + (statSync(file).size * 2.5) / 1_000_000)
    // Room for no copy, and for the change but not for its end: what is needed is known before it begins.
    for (const free of [8, 24]) {
      disk.leave(free)
      const { code, stderr } = await runBuilt('main', { ...owner, DATA_DIR: dataDir, PORT: '0' }).ended
      expect([code, stderr]).toEqual([1, expect.stringMatching(/^Cannot start: .* update.*\d+ MB.* Nothing was changed\./)])
      expect(stderr).toContain(`${neededMegabytes} MB`)
      expect(stderr).not.toContain('    at ')
      expect(schema()).toEqual(before)
    }
    disk.leave(32)
    const site = await startSite({ DATA_DIR: dataDir })
    await site.stop()
    expect(schema()).not.toEqual(before)
  })
})

describe('a folder of the backups that cannot be written to', () => {
  async function aSiteWithBackups() {
    const { folder: dataDir } = await smallDisk()
    await within({ dataDir }, fill)
    const backups = path.join(dataDir, 'files/backups')
    await mkdir(backups, { recursive: true })
    return { dataDir, backups }
  }

  async function onlyBackupsFail(site: BuiltSite, folder: string) {
    expect(site.output.stdout).toContain(`"folder":"${folder}"`)
    expect((await post(site.url, sendContact.path, aContact())).status).toBe(200)
    const cookie = await signInAt(site.url, ownerAccount)
    for (const call of [createDatabaseBackup, createCompleteBackup, exportData]) {
      const answer = await post(site.url, call.path, {}, { cookie })
      expect([answer.status, await answer.json()]).toEqual([
        507,
        expect.objectContaining({ code: 'disk_read_only', message: expect.stringContaining(folder) }),
      ])
    }
    expect((await post(site.url, createProject.path, aProject(), { cookie })).status).toBe(200)
  }

  test('on a disk that is read-only fails backups and nothing else, and is named', async () => {
    const { dataDir, backups } = await aSiteWithBackups()
    mountReadOnly(backups)
    await onlyBackupsFail(await startSite({ DATA_DIR: dataDir }), backups)
  })

  test('of another account fails backups and nothing else, and is named', async () => {
    const { dataDir, backups } = await aSiteWithBackups()
    const account = { uid: 12_345, gid: 12_345 }
    const names = await readdir(dataDir, { recursive: true })
    for (const name of ['.', ...names]) await chown(path.join(dataDir, name), account.uid, account.gid)
    await chown(backups, 0, 0)
    await chmod(backups, 0o755)
    await onlyBackupsFail(await startSite({ DATA_DIR: dataDir }, { well: true, account }), backups)
  })
})

describe('a disk that cannot be written to', () => {
  test('is served from, and what would change something is refused with a sentence', async () => {
    const { disk, site, statusOf } = await aSiteOnASmallDisk()
    await site.stop()
    disk.makeReadOnly()
    // It is not well, and answers all the same.
    const { url: again } = await startSite({ DATA_DIR: disk.folder }, { well: false })
    for (const { path } of [checkReadiness, homePage, listProjects]) expect(await statusOf(path, again)).toBe(200)
    expect(await statusOf(checkHealth.path, again)).toBe(507)
    const answer = await post(again, sendContact.path, aContact())
    expect([answer.status, ((await answer.json()) as { code: string }).code]).toEqual([507, 'disk_read_only'])
  })
})
