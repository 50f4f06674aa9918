import { randomUUID } from 'node:crypto'
import { rm } from 'node:fs/promises'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { deleteContact, listContacts } from '#contract/contacts.admin.ts'
import { sendContact } from '#contract/contacts.ts'
import { checkHealth, checkReadiness } from '#contract/health.ts'
import { homePage, sendFromPage } from '#contract/pages.ts'
import { createProject } from '#contract/projects.admin.ts'
import { listProjects } from '#contract/projects.ts'
import { requestUpload } from '#contract/uploads.ts'
import { runBuilt } from '../built-site.ts'
import { post, signInAt } from '../calls.ts'
import { anInquiry, aProject } from '../factories.ts'
import { aPhoto } from '../photos.ts'
import { smallDisk } from '../small-disk.ts'
import { addressOf } from '../test-app.ts'
import { owner, ownerAccount, startSite } from './site.ts'

async function aSiteOnASmallDisk() {
  const disk = await smallDisk()
  const site = await startSite({ DATA_DIR: disk.folder })
  const statusOf = async (path: string, url = site.url) => (await fetch(new URL(path, url))).status
  const outcomeOf = async (path: string, body: unknown, cookie = '') => {
    const answer = await post(site.url, path, body, { cookie })
    return [answer.status, ((await answer.json()) as { code?: string }).code]
  }
  const send = () => outcomeOf(sendContact.path, anInquiry({ message: randomUUID() }))
  return { disk, site, statusOf, outcomeOf, send }
}

describe('a disk that is full', () => {
  test('is said to be so; the site goes on showing and deleting, takes everything again once there is room, and starts on it though even its reserve is gone', async () => {
    const { disk, site, statusOf, outcomeOf, send } = await aSiteOnASmallDisk()
    expect(await send()).toEqual([200, undefined])
    disk.fill()
    expect(await send()).toEqual([507, 'disk_full'])
    expect(await statusOf(checkHealth.path)).toBe(507)
    for (const { path } of [checkReadiness, homePage, listProjects]) expect(await statusOf(path)).toBe(200)
    const form = new FormData()
    for (const [name, value] of Object.entries(anInquiry({ message: 'Typed with care' }))) form.set(name, value)
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

describe('a disk that cannot be written to', () => {
  test('is served from, and what would change something is refused with a sentence', async () => {
    const { disk, site, statusOf } = await aSiteOnASmallDisk()
    await site.stop()
    disk.makeReadOnly()
    // It is not well, and answers all the same.
    const { url: again } = await startSite({ DATA_DIR: disk.folder }, { well: false })
    for (const { path } of [checkReadiness, homePage, listProjects]) expect(await statusOf(path, again)).toBe(200)
    expect(await statusOf(checkHealth.path, again)).toBe(507)
    const answer = await post(again, sendContact.path, anInquiry())
    expect([answer.status, ((await answer.json()) as { code: string }).code]).toEqual([507, 'disk_read_only'])
  })
})
