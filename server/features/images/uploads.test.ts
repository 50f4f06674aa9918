import { once } from 'node:events'
import { request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, test } from 'vitest'
import { maxImageBytes } from '#contract/contact-fields.ts'
import { storedHash } from '#contract/first-visit.ts'
import { checkHealth } from '#contract/health.ts'
import { finalizeUpload, readImage, requestUpload, uploadImage } from '#contract/images.ts'
import { openBucket } from '#server/storage/s3.ts'
import { aGrainyPhoto, aPhoto, aPhotoOfBytes, aPhotoWithSecrets, aPolyglot, photoFormats } from '#tests/photos.ts'
import { addressOf, openTestApp, type SomeoneSignedIn, sites, type TestApp } from '#tests/test-app.ts'
import { testBucket } from '#tests/test-storage.ts'
import { uploadName } from './image.rules.ts'

const ticketIn = (uploadURL: string) => uploadURL.split('/').at(-1) ?? ''

async function begin(site: TestApp, as: SomeoneSignedIn) {
  const { uploadURL } = await site.ask(requestUpload, { as })
  return { uploadURL, ticket: ticketIn(uploadURL) }
}

const send = (site: TestApp, as: SomeoneSignedIn, ticket: string, body: Buffer) =>
  site.call(uploadImage, { as, params: { ticket }, body, headers: { 'content-type': 'image/jpeg' } })

const finalize = (site: TestApp, as: SomeoneSignedIn, imageURL: string) => site.call(finalizeUpload, { as, body: { imageURL } })

async function upload(site: TestApp, as: SomeoneSignedIn, file: Buffer) {
  const { uploadURL, ticket } = await begin(site, as)
  expect((await send(site, as, ticket, file)).statusCode).toBe(200)
  return finalize(site, as, uploadURL)
}

/** What an upload leaves in the store, in any of its folders. */
async function filesOf(site: TestApp) {
  const lists = await Promise.all(['uploads', 'objects', 'incoming'].map((folder) => site.storage.list(folder)))
  return lists.flat().map(({ name }) => name)
}

describe('uploading', () => {
  test('knows its tickets by their hash only', async () => {
    const site = await openTestApp('sqlite')
    const { ticket } = await begin(site, await site.signedIn())
    const [row] = await site.db.selectFrom('uploadTickets').selectAll().execute()
    expect(JSON.stringify(row)).not.toContain(ticket)
  })

  test('takes each ticket once', async () => {
    const site = await openTestApp('sqlite')
    const maker = await site.signedIn()
    const { uploadURL, ticket } = await begin(site, maker)
    const used = { message: 'That upload was already used. Please choose the photo again.', code: 'upload_used' }

    await send(site, maker, ticket, await aPhoto())
    const again = await send(site, maker, ticket, await aPhoto({ colour: '#3f6b62' }))
    expect([again.statusCode, again.json()]).toEqual([409, used])

    await finalize(site, maker, uploadURL)
    const finalizedAgain = await finalize(site, maker, uploadURL)
    expect([finalizedAgain.statusCode, finalizedAgain.json()]).toEqual([409, used])
    expect((await send(site, maker, ticket, await aPhoto())).json()).toEqual(used)
    expect(await site.storage.list('objects')).toHaveLength(1)
  })

  test('ends after ten minutes, whatever has happened until then', async () => {
    const site = await openTestApp('sqlite')
    const maker = await site.signedIn()
    const [untouched, sent] = [await begin(site, maker), await begin(site, maker)]
    site.clock.pass({ minutes: 9, seconds: 59 })
    expect((await send(site, maker, sent.ticket, await aPhoto())).statusCode).toBe(200)
    site.clock.pass({ seconds: 1 })
    const expired = {
      message: 'That upload was not finished within ten minutes. Please choose the photo again.',
      code: 'upload_expired',
    }
    const late = await send(site, maker, untouched.ticket, await aPhoto())
    expect([late.statusCode, late.json()]).toEqual([410, expired])
    const lateVerdict = await finalize(site, maker, sent.uploadURL)
    expect([lateVerdict.statusCode, lateVerdict.json()]).toEqual([410, expired])
  })

  test('belongs to who began it', async () => {
    const site = await openTestApp('sqlite')
    const [maker, other] = [await site.signedIn(), await site.signedIn({ username: 'somebody else' })]
    const { uploadURL, ticket } = await begin(site, maker)
    expect((await send(site, other, ticket, await aPhoto())).json()).toMatchObject({ code: 'upload_not_found' })
    await send(site, maker, ticket, await aPhoto())
    const stolen = await finalize(site, other, uploadURL)
    expect([stolen.statusCode, stolen.json().code]).toEqual([404, 'upload_not_found'])
    expect((await finalize(site, maker, uploadURL)).statusCode).toBe(200)
  })

  test('cannot be finalized before the photo is there', async () => {
    const site = await openTestApp('sqlite')
    const maker = await site.signedIn()
    const { uploadURL, ticket } = await begin(site, maker)
    const early = await finalize(site, maker, uploadURL)
    expect([early.statusCode, early.json()]).toEqual([
      409,
      { message: 'The photo has not arrived yet. Please upload it first.', code: 'upload_not_received' },
    ])
    await send(site, maker, ticket, await aPhoto())
    expect((await finalize(site, maker, uploadURL)).statusCode).toBe(200)
  })

  test('keeps nothing of a file it refuses', async () => {
    const site = await openTestApp('sqlite')
    const maker = await site.signedIn()
    const refused = await upload(site, maker, Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'))
    expect([refused.statusCode, refused.json().code]).toEqual([415, 'not_an_image'])
    expect(await filesOf(site)).toEqual([])
    expect(await site.db.selectFrom('images').selectAll().execute()).toEqual([])
  })

  test('a photo is finalized though what was uploaded cannot be cleared away', async () => {
    const site = await openTestApp('sqlite')
    const maker = await site.signedIn()
    const { uploadURL, ticket } = await begin(site, maker)
    await send(site, maker, ticket, await aPhoto())
    site.storage.remove = () => Promise.reject(new Error('not now'))
    expect((await finalize(site, maker, uploadURL)).statusCode).toBe(200)
  })

  test('keeps the upload and its ticket when the store fails, so that the same may be tried again', async () => {
    const site = await openTestApp('sqlite')
    const maker = await site.signedIn()
    const { uploadURL, ticket } = await begin(site, maker)
    await send(site, maker, ticket, await aPhoto())
    const { put } = site.storage
    site.storage.put = () => Promise.reject(Object.assign(new Error('no space left on device'), { code: 'ENOSPC' }))
    const failed = await finalize(site, maker, uploadURL)
    expect([failed.statusCode, failed.json().code]).toEqual([507, 'disk_full'])
    expect(site.takeLoggedProblems()).toHaveLength(1)
    site.storage.put = put
    expect((await finalize(site, maker, uploadURL)).statusCode).toBe(200)
    expect(await site.storage.list('uploads')).toEqual([])
    expect((await finalize(site, maker, uploadURL)).json().code).toBe('upload_used')
  })

  test('says that the disk is full while a photo arrives, and takes it with the same ticket when there is room', async () => {
    const site = await openTestApp('sqlite')
    const maker = await site.signedIn()
    const { uploadURL, ticket } = await begin(site, maker)
    const { put } = site.storage
    site.storage.put = () => Promise.reject(Object.assign(new Error('no space left on device'), { code: 'ENOSPC' }))
    expect((await send(site, maker, ticket, await aPhoto())).statusCode).toBe(507)
    expect(site.takeLoggedProblems()).toHaveLength(1)
    site.storage.put = put
    expect((await send(site, maker, ticket, await aPhoto())).statusCode).toBe(200)
    expect((await finalize(site, maker, uploadURL)).statusCode).toBe(200)
  })

  test('many at once are judged one after the other and all arrive', async () => {
    const site = await openTestApp('sqlite')
    const maker = await site.signedIn()
    const files = await Promise.all(Array.from({ length: 8 }, () => aGrainyPhoto()))
    const answers = await Promise.all(files.map((file) => upload(site, maker, file)))
    const paths = new Set(answers.map((answer) => answer.json().objectPath))
    expect(paths.size).toBe(8)
    expect(await site.storage.list('objects')).toHaveLength(8)
  })
})

describe.each(sites)('uploading on %s and %s', (dialect, storage) => {
  test('takes a photo from its address into the store, and leaves nothing of the upload', async () => {
    const site = await openTestApp(dialect, { storage })
    const maker = await site.signedIn()
    const { uploadURL, ticket } = await begin(site, maker)
    expect(uploadURL).toMatch(/^http:\/\/localhost(:80)?\/api\/objects\/upload\/[\w-]{43}$/)

    const received = await send(site, maker, ticket, await aPhoto())
    expect(received.statusCode).toBe(200)
    expect(await filesOf(site)).toEqual([expect.stringMatching(/^uploads\/[0-9a-f]{64}$/)])

    const { objectPath } = await site.ask(finalizeUpload, { as: maker, body: { imageURL: uploadURL } })
    const hash = storedHash(objectPath) ?? ''
    await site.variants.settled()
    expect(await filesOf(site)).toEqual([`objects/${hash}`])
    expect((await site.call(readImage, { params: { hash } })).headers['content-type']).toBe('image/jpeg')
    expect((await site.call(readImage, { params: { hash }, query: { w: '480', f: 'avif' } })).headers['content-type']).toBe(
      'image/avif',
    )
  })

  test('of ten who use a ticket at the same time hears one', async () => {
    const site = await openTestApp(dialect, { storage })
    const maker = await site.signedIn()
    const photo = await aPhoto()
    const { uploadURL, ticket } = await begin(site, maker)
    const ten = Array.from({ length: 10 })
    const sent = await Promise.all(ten.map(() => send(site, maker, ticket, photo)))
    expect(sent.map(({ statusCode }) => statusCode).toSorted()).toEqual([200, ...Array(9).fill(409)])
    const finalized = await Promise.all(ten.map(() => finalize(site, maker, uploadURL)))
    expect(finalized.map(({ statusCode }) => statusCode).toSorted()).toEqual([200, ...Array(9).fill(409)])
  })
})

describe('what is uploaded', () => {
  test('may be any of the formats, whatever it calls itself', async () => {
    const site = await openTestApp('sqlite')
    const maker = await site.signedIn()
    for (const format of photoFormats) {
      const { uploadURL, ticket } = await begin(site, maker)
      const body = await aPhoto({ format })
      await site.call(uploadImage, { as: maker, params: { ticket }, body, headers: { 'content-type': 'text/html' } })
      expect((await finalize(site, maker, uploadURL)).statusCode, format).toBe(200)
    }
  })

  test('is published without what a phone or a stranger has hidden in it', async () => {
    const site = await openTestApp('sqlite')
    const maker = await site.signedIn()
    for (const { file, secret } of [
      { file: await aPhotoWithSecrets(), secret: 'A phone' },
      { file: await aPolyglot(), secret: '<script>' },
    ]) {
      expect(file.includes(secret)).toBe(true)
      const { objectPath } = (await upload(site, maker, file)).json()
      const published = await site.app.inject({ url: objectPath })
      expect(published.headers['content-type']).toBe('image/jpeg')
      expect(published.rawPayload.includes(secret)).toBe(false)
    }
  })

  test('is refused as SVG, whatever it says it is', async () => {
    const site = await openTestApp('sqlite')
    const maker = await site.signedIn()
    const body = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>')
    for (const type of ['image/jpeg', 'image/svg+xml', 'text/html']) {
      const { uploadURL, ticket } = await begin(site, maker)
      await site.call(uploadImage, { as: maker, params: { ticket }, body, headers: { 'content-type': type } })
      expect((await finalize(site, maker, uploadURL)).json()).toMatchObject({ code: 'not_an_image' })
    }
  })

  test('may have 10 MB to the byte', async () => {
    const site = await openTestApp('sqlite')
    expect((await upload(site, await site.signedIn(), await aPhotoOfBytes(maxImageBytes))).statusCode).toBe(200)
  })

  const tooLarge = { message: 'That photo is larger than 10 MB. Export a smaller copy and try again.', code: 'image_too_large' }

  test('may not have one byte more, and the ticket stays good for a smaller one', async () => {
    const site = await openTestApp('sqlite')
    const maker = await site.signedIn()
    const { uploadURL, ticket } = await begin(site, maker)
    const refused = await send(site, maker, ticket, await aPhotoOfBytes(maxImageBytes + 1))
    expect([refused.statusCode, refused.json()]).toEqual([413, tooLarge])
    expect(await filesOf(site)).toEqual([])
    await send(site, maker, ticket, await aPhoto())
    expect((await finalize(site, maker, uploadURL)).statusCode).toBe(200)
  })
})

describe.each(sites)('over a real line on %s and %s', (dialect, storage) => {
  /** An upload whose length nobody announced, under way. */
  async function openLine(site: TestApp) {
    const maker = await site.signedIn()
    const { uploadURL, ticket } = await begin(site, maker)
    await site.app.listen({ host: '127.0.0.1', port: 0 })
    const { port } = site.app.server.address() as AddressInfo
    const line = request({
      port,
      method: 'PUT',
      path: addressOf(uploadImage, { ticket }),
      headers: { cookie: maker.cookie, 'transfer-encoding': 'chunked' },
    })
    return { maker, uploadURL, ticket, line }
  }

  test('a photo without end is refused while it arrives', async () => {
    const site = await openTestApp(dialect, { storage })
    const { line } = await openLine(site)
    const answered = once(line, 'response')
    const megabyte = Buffer.alloc(1024 * 1024)
    for (let sent = 0; sent < 11; sent += 1) line.write(megabyte)
    // Nothing has said that the photo is over.
    const [response] = await answered
    expect(response.statusCode).toBe(413)
    line.destroy()
    expect(await filesOf(site)).toEqual([])
  })

  test('a photo that breaks off is not kept, and may be sent again', async () => {
    const site = await openTestApp(dialect, { storage })
    const { maker, uploadURL, ticket, line } = await openLine(site)
    line.on('error', () => {})
    const { put } = site.storage
    let storing: Promise<void> | undefined
    site.storage.put = (...args) => {
      storing = put(...args)
      return storing
    }
    line.write((await aPhoto()).subarray(0, 100))
    await expect.poll(() => storing !== undefined, { timeout: 30_000 }).toBe(true)
    line.destroy()
    await expect(storing).rejects.toThrow()
    site.storage.put = put
    expect(await filesOf(site)).toEqual([])
    expect((await send(site, maker, ticket, await aPhoto())).statusCode).toBe(200)
    expect((await finalize(site, maker, uploadURL)).statusCode).toBe(200)
  })
})

describe('the address of an upload', () => {
  test('is asked for as SPEC has it: no body, and JSON declared', async () => {
    const site = await openTestApp('sqlite')
    const maker = await site.signedIn()
    const headers = { 'content-type': 'application/json' }
    expect((await site.call(requestUpload, { as: maker, headers })).statusCode).toBe(200)
  })

  test('has the name under which the browser knows the site, whatever stands between', async () => {
    const site = await openTestApp('sqlite')
    const maker = await site.signedIn()
    const headers = { host: 'models.example', origin: 'https://models.example' }
    const { uploadURL } = await site.ask(requestUpload, { as: maker, headers })
    expect(new URL(uploadURL).origin).toBe('https://models.example')
  })

  test('that was never issued leads nowhere', async () => {
    const site = await openTestApp('sqlite')
    const maker = await site.signedIn()
    for (const imageURL of [
      '/objects/upload',
      'https://example.com/elsewhere.jpg',
      'http://[',
      '../../etc/passwd',
      addressOf(uploadImage, { ticket: '..' }),
      addressOf(uploadImage, { ticket: 'a'.repeat(43) }),
    ]) {
      const response = await finalize(site, maker, imageURL)
      expect([response.statusCode, response.json().code], imageURL).toEqual([404, 'upload_not_found'])
    }
  })

  test('may be given back without the name of the site', async () => {
    const site = await openTestApp('sqlite')
    const maker = await site.signedIn()
    const { uploadURL, ticket } = await begin(site, maker)
    await send(site, maker, ticket, await aPhoto())
    expect((await finalize(site, maker, new URL(uploadURL).pathname)).statusCode).toBe(200)
  })
})

describe('with a bucket, a photo that is announced', () => {
  /** An address for exactly this photo. */
  async function announce(site: TestApp, as: SomeoneSignedIn, photo: Buffer) {
    const announced = { bytes: photo.length, contentType: 'image/jpeg' }
    return (await site.ask(requestUpload, { as, body: announced })).uploadURL
  }

  const sendStraight = (uploadURL: string, photo: Buffer) =>
    fetch(uploadURL, { method: 'PUT', body: new Uint8Array(photo), headers: { 'content-type': 'image/jpeg' } })

  const openSite = async () => {
    const site = await openTestApp('sqlite', { storage: 's3' })
    return { site, maker: await site.signedIn(), photo: await aPhoto() }
  }

  test('goes straight into it, past the site, and is judged like all others', async () => {
    const { site, maker, photo } = await openSite()
    const uploadURL = await announce(site, maker, photo)
    expect(new URL(uploadURL).origin).toBe(site.storage.direct?.uploadOrigin)
    expect((await sendStraight(uploadURL, photo)).status).toBe(200)
    const { objectPath } = await site.ask(finalizeUpload, { as: maker, body: { imageURL: uploadURL } })
    await site.variants.settled()
    expect(await filesOf(site)).toEqual([`objects/${storedHash(objectPath)}`])
  })

  test('cannot be finalized before it is there, and can be afterwards, once', async () => {
    const { site, maker, photo } = await openSite()
    const uploadURL = await announce(site, maker, photo)
    expect((await finalize(site, maker, uploadURL)).json().code).toBe('upload_not_received')
    await sendStraight(uploadURL, photo)
    const ten = await Promise.all(Array.from({ length: 10 }, () => finalize(site, maker, uploadURL)))
    expect(ten.map(({ statusCode }) => statusCode).toSorted()).toEqual([200, ...Array(9).fill(409)])
    await sendStraight(uploadURL, photo)
    expect((await finalize(site, maker, uploadURL)).json().code).toBe('upload_used')
  })

  test('belongs to who announced it, for ten minutes', async () => {
    const { site, maker, photo } = await openSite()
    const other = await site.signedIn({ username: 'somebody else' })
    const uploadURL = await announce(site, maker, photo)
    await sendStraight(uploadURL, photo)
    expect((await finalize(site, other, uploadURL)).json().code).toBe('upload_not_found')
    site.clock.pass({ minutes: 10 })
    expect((await finalize(site, maker, uploadURL)).json().code).toBe('upload_expired')
  })

  test('gets no address when it is too large', async () => {
    const { site, maker } = await openSite()
    const body = { bytes: maxImageBytes + 1, contentType: 'image/jpeg' }
    const refused = await site.call(requestUpload, { as: maker, body })
    expect([refused.statusCode, refused.json().code]).toEqual([413, 'image_too_large'])
  })

  test('is not read when it is too large after all', async () => {
    const { site, maker, photo } = await openSite()
    const uploadURL = await announce(site, maker, photo)
    const id = new URL(uploadURL).pathname.split('/').at(-1) ?? ''
    await site.storage.put(uploadName(id), await aPhotoOfBytes(maxImageBytes + 1))
    expect((await finalize(site, maker, uploadURL)).json().code).toBe('image_too_large')
    expect(await filesOf(site)).toEqual([])
  })

  test('is refused when it is none, and nothing of it is left', async () => {
    const { site, maker } = await openSite()
    const page = Buffer.from('<script>alert(1)</script>')
    const uploadURL = await announce(site, maker, page)
    expect((await sendStraight(uploadURL, page)).status).toBe(200)
    expect((await finalize(site, maker, uploadURL)).json().code).toBe('not_an_image')
    expect(await filesOf(site)).toEqual([])
  })

  test('is announced with a size and a type and nothing else', async () => {
    const { site, maker } = await openSite()
    for (const body of [
      { bytes: 5 },
      { bytes: 0, contentType: 'image/png' },
      { bytes: 5, contentType: 'text/html' },
      { bytes: 5, contentType: 'image/png', x: 1 },
    ]) {
      expect((await site.call(requestUpload, { as: maker, body })).statusCode, JSON.stringify(body)).toBe(400)
    }
  })

  test('may be sent to by the pages of the site, which otherwise speak to the site only', async () => {
    const { site } = await openSite()
    const policy = String((await site.app.inject({ url: '/admin/login' })).headers['content-security-policy'])
    expect(policy).toContain(`connect-src 'self' ${site.storage.direct?.uploadOrigin};`)
    const small = await openTestApp('sqlite')
    expect((await small.app.inject({ url: '/admin/login' })).headers['content-security-policy']).toContain(
      "connect-src 'self';",
    )
  })

  test('goes through the site where there is no bucket', async () => {
    const site = await openTestApp('sqlite')
    const maker = await site.signedIn()
    const uploadURL = await announce(site, maker, await aPhoto())
    await send(site, maker, ticketIn(uploadURL), await aPhoto())
    expect((await finalize(site, maker, uploadURL)).statusCode).toBe(200)
  })
})

describe('a bucket that does not answer', () => {
  test('is said so in a sentence, and health says so too', async () => {
    const storage = await openBucket({ ...(await testBucket()), endpoint: 'http://127.0.0.1:1' })
    const site = await openTestApp('sqlite', { storage })
    const maker = await site.signedIn()
    const { ticket } = await begin(site, maker)
    const refused = await send(site, maker, ticket, await aPhoto())
    expect([refused.statusCode, refused.json()]).toEqual([
      503,
      {
        message: 'The storage for photos and backups is not responding. Nothing was changed. Please try again in a moment.',
        code: 'storage_unavailable',
      },
    ])
    expect((await site.call(checkHealth)).statusCode).toBe(503)
    expect(site.takeLoggedProblems()).toHaveLength(2)
  })
})
