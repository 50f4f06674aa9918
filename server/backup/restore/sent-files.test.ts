import { once } from 'node:events'
import { request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { generateX25519Identity } from 'age-encryption'
import { describe, expect, test } from 'vitest'
import { createCompleteBackup, downloadBackup, restoreComplete } from '#contract/backups.ts'
import { storedAddress } from '#contract/images.ts'
import { applyMerge, previewMerge, sendBackup } from '#contract/restores.ts'
import { archiveEntries, aStoredPhoto, contentOf, fill, formWith, hashOf } from '#tests/backups.ts'
import { aProject } from '#tests/factories.ts'
import { rawZip } from '#tests/raw-zip.ts'
import { addressOf, openTestApp, type SomeoneSignedIn, type TestApp } from '#tests/test-app.ts'
import { emptyDatabase, type Place } from '#tests/test-database.ts'
import { sweepSentFiles } from './sent-files.ts'

// Keys: to stretch a passphrase takes a second each time.
const secret = { key: 'AGE-SECRET-KEY-1GQ9778VQXMMJVE8SK7J6VT8UJ4HDQAJUVSFCWCM02D8GEWQ72PVQ2Y5J33' }

const headers = { 'content-type': 'application/octet-stream' }

describe('files that are sent to be restored', () => {
  type Site = Pick<TestApp, 'ask' | 'call'> & { maker: SomeoneSignedIn }

  async function openSite(config = {}, place?: Place) {
    const site = await openTestApp('sqlite', { config, ...(place && { place }) })
    return { ...site, maker: await site.signedIn() }
  }

  async function send({ call, maker }: Site, body: Buffer, filename: string) {
    const { id } = (await call(sendBackup, { body, headers, as: maker })).json()
    return { upload: id as string, filename }
  }
  type Source = Awaited<ReturnType<typeof send>>
  const preview = ({ call, maker }: Site, source: Source) =>
    call(previewMerge, { body: { source, mode: 'restore' }, as: maker })
  const apply = ({ call, maker }: Site, source: Source) =>
    call(applyMerge, { body: { source, mode: 'restore', without: [] }, as: maker })
  const codeOf = ({ statusCode, json }: Awaited<ReturnType<TestApp['call']>>) => [statusCode, json().code]

  test('are previewed and restored by their id, in any process, and removed then', async () => {
    const place = await emptyDatabase('sqlite')
    const site = await openSite({}, place)
    const { content } = await aStoredPhoto()
    const project = aProject({ imageUrl: storedAddress(hashOf(content)) })
    const archive = rawZip(archiveEntries({ projects: [project], images: [content] }))
    const source = await send(site, archive, 'from elsewhere.ZIP')

    const other = { ...(await openTestApp('sqlite', { storage: site.storage, place })), maker: site.maker }
    expect((await preview(other, source)).json()).toMatchObject({
      projects: { added: 1 },
      images: { added: 1 },
      missingImages: 0,
    })
    const added = { projects: 1, images: 1 }
    expect((await apply(site, source)).json()).toMatchObject({ filename: 'from elsewhere.ZIP', added })
    expect((await site.storage.read(`objects/${hashOf(content)}`))?.equals(content)).toBe(true)
    expect(await site.storage.list('restores')).toEqual([])
    for (const answer of [await preview(site, source), await apply(site, source)]) {
      expect(codeOf(answer)).toEqual([404, 'backup_upload_not_found'])
    }
  })

  test('stay after a failure, to be tried again, and are swept after two days', async () => {
    const site = await openSite()
    const source = await send(site, Buffer.from('a letter'), 'export.json')
    for (const answer of [await preview(site, source), await apply(site, source)]) {
      expect(codeOf(answer)).toEqual([422, 'not_a_backup'])
    }
    const now = Date.now()
    const at = (days: number) => ({ now: () => new Date(now + days * 86_400_000) })
    await sweepSentFiles({ ...site, clock: at(1.9) })
    expect((await site.storage.list('restores')).length).toBe(1)
    await sweepSentFiles({ ...site, clock: at(2.1) })
    expect(await site.storage.list('restores')).toEqual([])
  })

  test('are decrypted as the site hands them out, alone or in a form, and refused with another secret', async () => {
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
    const sent = await send(other, rawPayload, `${filename}.age`)
    expect((await preview(other, sent)).json()).toMatchObject({ projects: { added: 3 }, images: { added: 3 } })
    expect((await apply(other, sent)).json()).toMatchObject({ filename, added: { projects: 3 } })
    expect(await contentOf(other)).toEqual(await contentOf(site))
    const form = formWith(rawPayload, { filename: `${filename}.AGE` })
    const third = await openSite({ backupSecret: secret })
    expect(await third.ask(restoreComplete, { ...form, as: third.maker })).toMatchObject({ added: { projects: 3 } })

    const stranger = await openSite({ backupSecret: { key: await generateX25519Identity() } })
    const refusedFile = await send(stranger, rawPayload, `${filename}.age`)
    const inForm = await stranger.call(restoreComplete, { ...form, as: stranger.maker })
    for (const refused of [await preview(stranger, refusedFile), await apply(stranger, refusedFile), inForm]) {
      expect(refused.json().code).toBe('secret_wrong')
    }
    expect((await contentOf(stranger)).projects).toEqual([])
    for (const { storage, variants } of [other, third, stranger]) {
      await variants.settled()
      expect(await storage.list('incoming')).toEqual([])
    }
  })
})

test('a file whose connection is cut is not kept', async () => {
  const site = await openTestApp('sqlite')
  const { cookie } = await site.signedIn()
  await site.app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = site.app.server.address() as AddressInfo
  const answered = once(site.app.server, 'request').then(([, response]) => once(response, 'close'))
  const sending = request({
    port,
    method: 'POST',
    path: addressOf(sendBackup),
    headers: { ...headers, cookie, 'content-length': 200_000 },
  })
  sending.on('error', () => {})
  sending.write(Buffer.alloc(100_000, 'x'), () => sending.destroy())
  await answered
  expect(await site.storage.list('restores')).toEqual([])
})
