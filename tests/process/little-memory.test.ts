import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { createCompleteBackup, importData, restoreComplete } from '#contract/backups.ts'
import { contactLimits } from '#contract/contact-fields.ts'
import { listContacts } from '#contract/contacts.admin.ts'
import { sendContactPhoto } from '#contract/contacts.ts'
import type { AnyEndpoint } from '#contract/endpoint.ts'
import { variantAddress } from '#contract/first-visit.ts'
import { problems } from '#contract/problems.ts'
import { changeSiteDraft, readSiteContent } from '#contract/site-content.ts'
import { openDatabase } from '#server/database/open.ts'
import { emptyObjects, formWith } from '#tests/backups.ts'
import { signInAt } from '#tests/calls.ts'
import { peakMegabytes } from '#tests/peak-memory.ts'
import { aLongPng, aPhoto, aPhotoOfNotes, aPngOfTexts, heavyPhotos } from '#tests/photos.ts'
import { temporaryFolder } from '#tests/temporary-folder.ts'
import { uploadPhoto } from '#tests/upload-photo.ts'
import { ownerAccount, startSite } from './site.ts'

async function startSmall(dataDir: string) {
  const site = await startSite({ DATA_DIR: dataDir, NODE_OPTIONS: '--max-old-space-size=64' })
  const cookie = await signInAt(site.url, ownerAccount)
  const send = ({ method, path }: AnyEndpoint, body?: string | Buffer, headers: Record<string, string> = {}) =>
    fetch(new URL(path, site.url), { method, headers: { cookie, ...headers }, ...(body && { body: body as BodyInit }) })
  return { ...site, send, cookie }
}

/** A machine of 512 MB has a system to run as well. */
const maxMegabytes = 450

describe('with little memory', { timeout: 300_000 }, () => {
  test('files made to fill it are refused with a sentence or end the worker, which is told, and the site goes on', async () => {
    const site = await startSmall(await temporaryFolder())
    const bomb = formWith(emptyObjects(3_000_000))
    const json = { 'content-type': 'application/json' }
    const answers = [
      await site.send(restoreComplete, bomb.body, bomb.headers),
      await site.send(importData, '['.repeat(8_000_000), json),
      await site.send(importData, `{"contacts":[${'['.repeat(8_000_000)}`, json),
      await site.send(importData, `{"contacts":[{"name":"${'x'.repeat(8_000_000)}"}]}`, json),
      await site.send(importData, ' '.repeat(8_000_000), json),
    ]
    for (const answer of answers)
      expect([answer.status, (await answer.json()).message]).toEqual([422, expect.stringContaining('Nothing was changed.')])
    const bombed = await site.send(importData, `{"projects":[${'{},'.repeat(3_000_000)}{}]}`, json)
    expect([bombed.status, (await bombed.json()).code]).toEqual([503, 'backup_job_ended'])
    expect(peakMegabytes(site.pid)).toBeLessThan(maxMegabytes)
    expect((await site.send(createCompleteBackup)).status).toBe(200)
    expect((await site.stop()).code).toBe(0)
  })

  test('photos made to fill it are refused with a sentence, and those of 50 megapixels are taken, in the widest copies too', async () => {
    const site = await startSmall(await temporaryFolder())
    const byVisitor = async (photo: Buffer) => {
      const answer = await site.send(sendContactPhoto, photo, { 'content-type': 'image/jpeg' })
      return answer.ok ? 'taken' : (await answer.json()).message
    }
    const byMaker = (photo: Buffer) =>
      uploadPhoto(site.url, site.cookie, photo).then(
        () => 'taken',
        (error: Error) => error.message,
      )
    const bombs: [Buffer, string][] = [
      [aLongPng({ width: 8_000_000, height: 1 }), problems.image_too_long[1]],
      [aLongPng({ width: 1, height: 5_000_000 }), problems.image_too_long[1]],
      [await aPhotoOfNotes(2_400_000), problems.image_needs_memory[1]],
      [aPngOfTexts(1_200), 'taken'],
    ]
    for (const [bomb, outcome] of bombs) {
      expect([await byVisitor(bomb), await byMaker(bomb)]).toEqual([outcome, expect.stringContaining(outcome)])
    }
    expect(await byVisitor(await aPhoto())).toBe('taken')
    expect(peakMegabytes(site.pid)).toBeLessThan(maxMegabytes)

    expect(await byMaker(await heavyPhotos['a PNG of 50 megapixels, with 16 bits and transparent']())).toBe('taken')
    expect(peakMegabytes(site.pid)).toBeLessThan(maxMegabytes)
    const sideways = await heavyPhotos['a JPEG of 50 megapixels, progressive and on its side']()
    const photo = await uploadPhoto(site.url, site.cookie, sideways)
    expect(peakMegabytes(site.pid)).toBeLessThan(maxMegabytes)
    const { revision } = await (await site.send(readSiteContent)).json()
    const draft = JSON.stringify({ revision, changes: { 'photos.hero.image': photo } })
    expect((await site.send(changeSiteDraft, draft, { 'content-type': 'application/json' })).status).toBe(200)
    const widest = new URL(variantAddress(photo, 2400, 'avif'), site.url)
    await expect.poll(async () => (await fetch(widest)).headers.get('content-type')).toBe('image/avif')
    expect(peakMegabytes(site.pid)).toBeLessThan(maxMegabytes)
  })

  test('a flood of the largest messages is listed and backed up', async () => {
    const dataDir = await temporaryFolder()
    const { db, close } = await openDatabase({ dataDir })
    const count = 3_300
    for (let start = 0; start < count; start += 100) {
      const some = Array.from({ length: 100 }, () => ({
        id: randomUUID(),
        name: 'x'.repeat(contactLimits.name),
        email: 'flood@example.com',
        projectType: null,
        message: '漢'.repeat(contactLimits.message),
        createdAt: '2026-05-01T12:00:00.000Z',
      }))
      await db.insertInto('contactMessages').values(some).execute()
    }
    await close()
    const site = await startSmall(dataDir)
    const listed = await site.send(listContacts)
    expect(await listed.json()).toHaveLength(count)
    const backup = await site.send(createCompleteBackup)
    expect(await backup.json()).toMatchObject({ counts: { contacts: count } })
    expect((await site.stop()).code).toBe(0)
  })
})
