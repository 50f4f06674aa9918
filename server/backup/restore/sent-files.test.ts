import { once } from 'node:events'
import { request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { generateX25519Identity } from 'age-encryption'
import { describe, expect, test } from 'vitest'
import { createCompleteBackup, downloadBackup, restoreComplete } from '#contract/backups.ts'
import { storedAddress } from '#contract/images.ts'
import { applyMerge, beginBackupUpload, previewMerge, sendBackupPart, uploadPartBytes } from '#contract/restores.ts'
import { archiveEntries, aStoredPhoto, contentOf, fill, formWith, hashOf } from '#tests/backups.ts'
import { aProject } from '#tests/factories.ts'
import { rawZip } from '#tests/raw-zip.ts'
import { addressOf, openTestApp, type SomeoneSignedIn, type TestApp } from '#tests/test-app.ts'
import { emptyDatabase, type Place } from '#tests/test-database.ts'
import { backupsLock, updateBackupState } from '../backup-state.ts'
import { sweepSentFiles } from './sent-files.ts'

// Keys: to stretch a passphrase takes a second each time.
const secret = { key: 'AGE-SECRET-KEY-1GQ9778VQXMMJVE8SK7J6VT8UJ4HDQAJUVSFCWCM02D8GEWQ72PVQ2Y5J33' }

const about = (content: Buffer, filename = 'from elsewhere.ZIP') => ({
  filename,
  bytes: content.length,
  modified: 1_700_000_000_000,
})
const partOf = (content: Buffer, part: number) => content.subarray(part * uploadPartBytes, (part + 1) * uploadPartBytes)
const headers = { 'content-type': 'application/octet-stream' }

/** An archive of more than two parts, with photos across their ends. */
async function aLargeArchive() {
  const photos = await Promise.all([1, 2, 3, 4, 5, 6].map((number) => aStoredPhoto(number)))
  // A JPEG may have any number of these bytes before its end.
  const padding = Buffer.alloc(3_000_000, 0xff)
  const images = photos.map(({ content }) => Buffer.concat([content.subarray(0, -2), padding, content.subarray(-2)]))
  const projects = images.map((content, index) => aProject({ title: `Tug ${index}`, imageUrl: storedAddress(hashOf(content)) }))
  return { archive: rawZip(archiveEntries({ projects, images })), images }
}

describe('files that are sent to be restored', () => {
  type Site = Pick<TestApp, 'ask' | 'call'> & { maker: SomeoneSignedIn }

  async function openSite(config = {}, place?: Place) {
    const site = await openTestApp('sqlite', { config, ...(place && { place }) })
    return { ...site, maker: await site.signedIn() }
  }

  const begin = ({ ask, maker }: Site, content: Buffer, filename?: string) =>
    ask(beginBackupUpload, { body: about(content, filename), as: maker })
  const send = ({ call, maker }: Site, id: string, part: number | string, body: Buffer) =>
    call(sendBackupPart, { params: { id, part: String(part) }, body, headers, as: maker })
  async function sendAll(site: Site, content: Buffer, filename?: string) {
    const { id, parts } = await begin(site, content, filename)
    for (let part = 0; part < parts; part += 1) expect((await send(site, id, part, partOf(content, part))).statusCode).toBe(200)
    return id
  }
  const preview = ({ call, maker }: Site, upload: string) =>
    call(previewMerge, { body: { source: { upload }, mode: 'restore' }, as: maker })
  const apply = ({ call, maker }: Site, upload: string) =>
    call(applyMerge, { body: { source: { upload }, mode: 'restore', without: [] }, as: maker })
  const codeOf = ({ statusCode, json }: Awaited<ReturnType<TestApp['call']>>) => [statusCode, json().code]

  test('go on in another process where they were cut off, in any order and twice, and are restored like any other', async () => {
    const place = await emptyDatabase('sqlite')
    const site = await openSite({}, place)
    const { archive, images } = await aLargeArchive()
    const { id, parts, received } = await begin(site, archive)
    expect([parts, received]).toEqual([3, []])
    await send(site, id, 2, partOf(archive, 2))
    await send(site, id, 0, partOf(archive, 0))
    await send(site, id, 0, partOf(archive, 0))
    expect(codeOf(await preview(site, id))).toEqual([409, 'upload_incomplete'])
    expect(codeOf(await apply(site, id))).toEqual([409, 'upload_incomplete'])

    const other = { ...(await openTestApp('sqlite', { storage: site.storage, place })), maker: site.maker }
    expect(await begin(other, archive)).toEqual({ id, parts: 3, received: [0, 2] })
    await send(other, id, 1, partOf(archive, 1))
    expect((await preview(other, id)).json()).toMatchObject({ projects: { added: 6 }, images: { added: 6 }, missingImages: 0 })
    expect((await apply(site, id)).json()).toMatchObject({ filename: 'from elsewhere.ZIP', added: { projects: 6, images: 6 } })
    for (const content of images) expect((await site.storage.read(`objects/${hashOf(content)}`))?.equals(content)).toBe(true)
    // What was restored is not kept.
    expect(await site.storage.list('restores')).toEqual([])
    expect(codeOf(await preview(site, id))).toEqual([404, 'backup_upload_not_found'])
  })

  test('belong to who sends them, and parts of a wrong size or number are not kept', async () => {
    const site = await openSite()
    const content = Buffer.from(JSON.stringify({ projects: [aProject()] }))
    const { id } = await begin(site, content, 'pasted.json')
    expect(codeOf(await send(site, id, 0, content.subarray(1)))).toEqual([409, 'upload_incomplete'])
    expect(codeOf(await send(site, id, 0, Buffer.concat([content, content])))).toEqual([413, 'body_too_large'])
    expect(codeOf(await send(site, id, 1, content))).toEqual([404, 'not_found'])
    expect((await begin(site, content, 'pasted.json')).received).toEqual([])
    await send(site, id, 0, content)

    const guest = { ...site, maker: await site.signedIn({ username: 'guest' }) }
    expect((await begin(guest, content, 'pasted.json')).id).not.toBe(id)
    const refused = [await send(guest, id, 0, content), await preview(guest, id), await apply(guest, id)]
    for (const answer of refused) expect(codeOf(answer)).toEqual([404, 'backup_upload_not_found'])
    expect((await preview(site, id)).json()).toMatchObject({ projects: { added: 1 } })
    for (const filename of ['photo.jpg', 'backup.zip.exe', 'age']) {
      expect(codeOf(await site.call(beginBackupUpload, { body: about(content, filename), as: site.maker }))).toEqual([
        400,
        'zip_expected',
      ])
    }
  })

  test('are refused before the first byte while a backup is under way', async () => {
    const site = await openSite()
    const working = { kind: 'night', step: 'writing', done: 1, total: 2, startedAt: site.clock.now().toISOString() } as const
    const body = about(Buffer.from('{}'))
    await site.database.unlessBusy(backupsLock, async () => {
      await updateBackupState(site.db, { working })
      expect(codeOf(await site.call(beginBackupUpload, { body, as: site.maker }))).toEqual([409, 'backup_in_progress'])
    })
    // What a killed process has left is no obstacle.
    expect((await site.call(beginBackupUpload, { body, as: site.maker })).statusCode).toBe(200)
  })

  test('are swept once nothing has arrived for two days', async () => {
    const site = await openSite()
    await begin(site, Buffer.from('{}'), 'export.json')
    const now = Date.now()
    const at = (days: number) => ({ now: () => new Date(now + days * 86_400_000) })
    await sweepSentFiles({ ...site, clock: at(1.9) })
    expect((await site.storage.list('restores')).length).toBe(1)
    await sweepSentFiles({ ...site, clock: at(2.1) })
    expect(await site.storage.list('restores')).toEqual([])
  })

  test('are decrypted as the site hands them out, in parts or in a form, and refused with another secret', async () => {
    const site = await openSite({ backupSecret: secret })
    await fill(site)
    const { filename } = await site.ask(createCompleteBackup, { as: site.maker })
    const { headers, rawPayload } = await site.call(downloadBackup, { params: { filename }, as: site.maker })
    expect(headers).toMatchObject({
      'content-type': 'application/octet-stream',
      'content-length': String(rawPayload.length),
      'content-disposition': `attachment; filename="${filename}.age"`,
    })
    const url = addressOf(downloadBackup, { filename })
    const head = await site.app.inject({ method: 'HEAD', url, headers: { cookie: site.maker.cookie } })
    expect(head.headers['content-length']).toBe(headers['content-length'])

    const other = await openSite({ backupSecret: secret })
    const id = await sendAll(other, rawPayload, `${filename}.age`)
    expect((await preview(other, id)).json()).toMatchObject({ projects: { added: 3 }, images: { added: 3 } })
    expect((await begin(other, rawPayload, `${filename}.age`)).received).toEqual([0])
    expect((await apply(other, id)).json()).toMatchObject({ filename, added: { projects: 3 } })
    expect(await contentOf(other)).toEqual(await contentOf(site))
    const form = formWith(rawPayload, { filename: `${filename}.AGE` })
    const third = await openSite({ backupSecret: secret })
    expect(await third.ask(restoreComplete, { ...form, as: third.maker })).toMatchObject({ added: { projects: 3 } })

    const stranger = await openSite({ backupSecret: { key: await generateX25519Identity() } })
    const upload = await sendAll(stranger, rawPayload, `${filename}.age`)
    const inForm = await stranger.call(restoreComplete, { ...form, as: stranger.maker })
    for (const refused of [await preview(stranger, upload), await apply(stranger, upload), inForm]) {
      expect(refused.json().code).toBe('secret_wrong')
    }
    expect((await contentOf(stranger)).projects).toEqual([])
    for (const { storage, variants } of [other, third, stranger]) {
      await variants.settled()
      expect(await storage.list('incoming')).toEqual([])
    }
  })
})

test('a part whose connection is cut is not kept', async () => {
  const site = await openTestApp('sqlite')
  const maker = await site.signedIn()
  const content = Buffer.alloc(200_000, 'x')
  const { id } = await site.ask(beginBackupUpload, { body: about(content), as: maker })
  await site.app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = site.app.server.address() as AddressInfo
  const answered = once(site.app.server, 'request').then(([, response]) => once(response, 'close'))
  const path = addressOf(sendBackupPart, { id, part: '0' })
  const sending = request({
    port,
    method: 'PUT',
    path,
    headers: { ...headers, cookie: maker.cookie, 'content-length': content.length },
  })
  sending.on('error', () => {})
  sending.write(content.subarray(0, 100_000), () => sending.destroy())
  await answered
  expect((await site.ask(beginBackupUpload, { body: about(content), as: maker })).received).toEqual([])
})
