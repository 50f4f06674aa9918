import { randomBytes } from 'node:crypto'
import { PassThrough, Readable } from 'node:stream'
import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import { deleteContact, readContactPhoto } from '#contract/contacts.admin.ts'
import { sendContact, sendContactPhoto } from '#contract/contacts.ts'
import { readImage } from '#contract/images.ts'
import { sweepStrayFiles } from '#server/features/images/sweep-images.ts'
import type { Problem } from '#server/http/problem.ts'
import { sweepRequestCounts } from '#server/http/request-counts.ts'
import { StorageFailed } from '#server/storage/storage.ts'
import { aContact, storeContact } from '#tests/factories.ts'
import { aGrainyPhoto, aPhoto, aPhotoOfBytes, aPhotoWithSecrets, aPngBomb } from '#tests/photos.ts'
import { openTestApp, sites, type TestApp } from '#tests/test-app.ts'
import { databases, migratedDatabase } from '#tests/test-database.ts'
import { sweepSpam } from './contacts.queries.ts'
import { contactPhotoName } from './photos.queries.ts'
import { photoLimits, photosOfVisitor, receivePhoto, sweepPhotos } from './visitor-photos.ts'

const asPhoto = { 'content-type': 'image/jpeg' }
const sendPhoto = (site: TestApp, body: Buffer, from = '203.0.113.7') =>
  site.call(sendContactPhoto, { body, headers: asPhoto, from })

async function ticketFor(site: TestApp, photo?: Buffer, from?: string) {
  const response = await sendPhoto(site, photo ?? (await aPhoto()), from)
  if (response.statusCode !== 200) throw new Error(response.body)
  return String(response.json().photo)
}

const rows = ({ db }: TestApp) => db.selectFrom('contactPhotos').selectAll().orderBy('position').execute()
const files = async ({ storage }: TestApp) => (await storage.list('inquiry-photos')).map(({ name }) => name)
const contacts = ({ db }: TestApp) => db.selectFrom('contactMessages').selectAll().orderBy('createdAt').execute()

describe('a photo of a visitor', () => {
  test('goes with the message it was sent for, small and without its secrets, and only the maker sees it', async () => {
    const site = await openTestApp('sqlite')
    const large = await sharp(await aPhotoWithSecrets())
      .resize(3_000, 300, { fit: 'fill' })
      .keepMetadata()
      .toBuffer()
    const tickets = [await ticketFor(site, large), await ticketFor(site)]
    expect(await site.ask(sendContact, { body: aContact({ photos: tickets }) })).toEqual({
      message: 'Message sent!',
      answerBy: expect.any(String),
    })
    const [contact] = await contacts(site)
    const [photo, second] = await rows(site)
    expect(photo).toMatchObject({ contactId: contact?.id, width: 2_400, height: 240, contentType: 'image/jpeg', position: 0 })
    expect(second).toMatchObject({ contactId: contact?.id, width: 64, position: 1 })
    const params = { hash: photo?.hash ?? '' }
    const shown = await site.call(readContactPhoto, { params, as: await site.signedIn() })
    expect(shown.statusCode).toBe(200)
    expect(shown.headers).toMatchObject({
      'content-type': 'image/jpeg',
      'cache-control': 'private, max-age=43200',
      'content-security-policy': "default-src 'none'; sandbox",
      'cross-origin-resource-policy': 'same-origin',
    })
    const { width, exif, xmp } = await sharp(shown.rawPayload).metadata()
    expect([width, exif, xmp]).toEqual([2_400, undefined, undefined])
    const small = await site.call(readContactPhoto, { params, query: { size: 'small' }, as: await site.signedIn() })
    expect(small.headers['cache-control']).toBe('private, max-age=43200')
    expect(await sharp(small.rawPayload).metadata()).toMatchObject({ format: 'webp', width: 480 })
    expect((await site.call(readContactPhoto, { params })).statusCode).toBe(401)
    expect((await site.call(readImage, { params })).statusCode).toBe(404)
  })

  test('whose row is unknown is set aside and not removed, and only where the database is not at fault', async () => {
    const site = await openTestApp('sqlite')
    const stray = contactPhotoName('7'.repeat(64))
    await site.storage.put(stray, Buffer.from('left behind'))
    site.clock.pass({ days: 400 })
    await site.ask(sendContact, { body: aContact({ photos: [await ticketFor(site)] }) })
    await sweepStrayFiles(site)
    // The file is older than a day by this clock, and the database was made before it.
    expect((await files(site)).includes(stray)).toBe(false)
    expect((await site.storage.list('aside')).map(({ name }) => name)).toEqual([
      expect.stringMatching(/^aside\/\d{4}-\d\d-\d\d\.inquiry-photos\.7{64}$/),
    ])
  })
})

describe.each(sites)('a photo of a visitor on %s and %s', (dialect, storage) => {
  test('that was never sent for is gone after a day, and so is that of a deleted message; one with the same bytes stays', async () => {
    const site = await openTestApp(dialect, { storage })
    const as = await site.signedIn()
    const same = await aPhoto()
    const kept = await ticketFor(site, same)
    await site.ask(sendContact, { body: aContact({ photos: [kept] }) })
    const deleted = [await ticketFor(site, same), await ticketFor(site, await aPhoto({ colour: '#111111' }))]
    await site.ask(sendContact, { body: aContact({ name: 'Delete me', photos: deleted }) })
    const unbound = await ticketFor(site, await aPhoto({ colour: '#222222' }))
    expect([await rows(site), await files(site)].map(({ length }) => length)).toEqual([4, 3])

    const id = (await contacts(site)).find(({ name }) => name === 'Delete me')?.id ?? ''
    await site.ask(deleteContact, { as, params: { id } })
    expect([await rows(site), await files(site)].map(({ length }) => length)).toEqual([2, 2])

    site.clock.pass({ hours: 23 })
    await sweepPhotos(site)
    expect(await rows(site)).toHaveLength(2)
    site.clock.pass({ hours: 1 })
    // Too late, though nothing has swept it yet.
    expect(await site.ask(sendContact, { body: aContact({ name: 'Late', photos: [unbound] }) })).toMatchObject({
      photosLost: 1,
    })
    site.clock.pass({ hours: 2 })
    await sweepPhotos(site)
    expect(await files(site)).toEqual((await rows(site)).map(({ hash }) => contactPhotoName(hash)))
    expect(await rows(site)).toHaveLength(1)
  })
})

describe('the file of a photo', () => {
  test('that could not be stored leaves a row that is swept, and no ticket', async () => {
    const site = await openTestApp('sqlite')
    const { put } = site.storage
    site.storage.put = async () => {
      throw new StorageFailed(new Error('The bucket is gone'))
    }
    const response = await sendPhoto(site, await aPhoto())
    expect([response.statusCode, response.json().code]).toEqual([503, 'storage_unavailable'])
    expect(site.takeLoggedProblems()).toHaveLength(1)
    site.storage.put = put
    site.clock.pass({ hours: 26 })
    await sweepPhotos(site)
    expect(await rows(site)).toEqual([])
  })

  test('that comes again while the last one of its kind is being removed is there in the end', async () => {
    const site = await openTestApp('sqlite')
    const photo = await aPhoto()
    await ticketFor(site, photo)
    site.clock.pass({ hours: 26 })
    const { remove } = site.storage
    let ticket = ''
    site.storage.remove = async (name) => {
      if (name.startsWith('inquiry-photos/')) ticket = await ticketFor(site, photo)
      await remove(name)
    }
    await sweepPhotos(site)
    await site.ask(sendContact, { body: aContact({ photos: [ticket] }) })
    expect(await files(site)).toEqual((await rows(site)).map(({ hash }) => contactPhotoName(hash)))
    expect(await rows(site)).toHaveLength(1)
  })
})

describe('tickets', () => {
  test('are good for one message: another one goes through without the photo', async () => {
    const site = await openTestApp('sqlite')
    const ticket = await ticketFor(site)
    const invented = randomBytes(32).toString('base64url')
    const first = { body: aContact({ photos: [ticket, ticket] }) }
    expect(await site.ask(sendContact, first)).toEqual({ message: 'Message sent!', answerBy: expect.any(String) })
    // The same again, whose answer did not arrive.
    expect(await site.ask(sendContact, first)).toEqual({ message: 'Message sent!', answerBy: expect.any(String) })
    const second = { body: aContact({ name: 'Somebody else', photos: [ticket, invented] }) }
    expect(await site.ask(sendContact, second)).toEqual({
      message: 'Message sent!',
      answerBy: expect.any(String),
      photosLost: 2,
    })
    expect(await contacts(site)).toHaveLength(2)
    const [photo, ...others] = await rows(site)
    expect([photo?.contactId, others]).toEqual([(await contacts(site)).find(({ name }) => name === 'Inés Robles')?.id, []])
  })

  test('that cannot be are refused', async () => {
    const site = await openTestApp('sqlite', { config: { rateLimits: false } })
    const ticket = 'x'.repeat(43)
    const refused: [unknown, string][] = [
      [Array(5).fill(ticket), 'too_many'],
      [Array(100).fill(ticket), 'too_many'],
      [['short'], 'wrong'],
      [['../'.repeat(20)], 'wrong'],
      [ticket, 'not_a_list'],
    ]
    for (const [photos, fault] of refused) {
      const response = await site.call(sendContact, { body: { ...aContact(), photos } })
      expect([response.statusCode, response.json().details.faults[0].fault]).toEqual([400, fault])
    }
  })

  test('of spam are kept with it, and all of it is removed after sixty days', async () => {
    const site = await openTestApp('sqlite')
    await site.ask(sendContact, { body: aContact({ website: 'x', photos: [await ticketFor(site)] }) })
    const marked = { id: '00000000-0000-4000-8000-000000000001', name: 'Marked', email: 'a@example.com', message: 'Hm' }
    const changedAt = new Date(site.clock.now().getTime() + 30 * 86_400_000).toISOString()
    const details = { projectType: null, language: null, aboutId: null, aboutTitle: null, note: null, changedAt }
    await storeContact(site.db, {
      ...marked,
      ...details,
      state: 'spam',
      spamReason: 'marked',
      createdAt: site.clock.now().toISOString(),
    })
    site.clock.pass({ days: 59 })
    await sweepSpam(site.db, site.clock)
    expect(await contacts(site)).toHaveLength(2)
    site.clock.pass({ days: 2 })
    await sweepSpam(site.db, site.clock)
    await sweepPhotos(site)
    expect((await contacts(site)).map(({ name }) => name)).toEqual(['Marked'])
    expect([await rows(site), await files(site)]).toEqual([[], []])
  })
})

describe.each(databases)('tickets on %s', (dialect) => {
  test('of two processes at once bind once, and a message sent again takes no fifth photo', async () => {
    const place = await migratedDatabase(dialect)
    const first = await openTestApp(dialect, { place })
    const second = await openTestApp(dialect, { place, storage: first.storage })
    const tickets = await Promise.all(Array.from({ length: 6 }, (_, index) => ticketFor(index % 2 ? first : second)))
    const answers = await Promise.all(
      [first, second].map((site, index) =>
        site.ask(sendContact, { body: aContact({ name: `Visitor ${index}`, photos: tickets.slice(0, 4) }) }),
      ),
    )
    expect(answers.reduce((sum, { photosLost = 0 }) => sum + photosLost, 0)).toBe(4)
    expect((await rows(first)).filter(({ contactId }) => contactId)).toHaveLength(4)
    const again = aContact({ name: 'Twice', photos: tickets.slice(4) })
    await first.ask(sendContact, { body: again })
    const more = await Promise.all(Array.from({ length: 3 }, async () => ticketFor(first, await aGrainyPhoto(), '203.0.113.9')))
    expect(await second.ask(sendContact, { body: { ...again, photos: more } })).toMatchObject({ photosLost: 1 })
    // The photos it has, uploaded once more.
    const same = await Promise.all([ticketFor(first), ticketFor(second)])
    expect(await first.ask(sendContact, { body: { ...again, photos: same } })).toEqual({
      message: 'Message sent!',
      answerBy: expect.any(String),
    })
    const { id } = (await contacts(first)).find(({ name }) => name === 'Twice') ?? {}
    expect((await rows(first)).filter(({ contactId }) => contactId === id).map(({ position }) => position)).toEqual([
      0, 1, 2, 3,
    ])
  })
})

describe('a photo that cannot be taken', () => {
  test.each([
    ['not_an_image', 415, async () => Buffer.from('<svg onload="alert(1)"/>')],
    ['not_an_image', 415, async () => Buffer.alloc(0)],
    ['image_too_many_pixels', 413, async () => aPngBomb()],
    ['image_too_large', 413, () => aPhotoOfBytes(10 * 1024 * 1024 + 1)],
    ['image_broken', 422, async () => (await aGrainyPhoto({ width: 400, height: 300 })).subarray(0, 20_000)],
  ])('is refused with %s, and nothing of it stays', async (code, status, make) => {
    const site = await openTestApp('sqlite')
    const response = await sendPhoto(site, await make())
    expect([response.statusCode, response.json().code]).toEqual([status, code])
    expect([await rows(site), await files(site), await site.storage.list('incoming')]).toEqual([[], [], []])
  })

  test('for it is one too many of a visitor or of the day; the message itself goes through', async () => {
    const site = await openTestApp('sqlite')
    const photo = await aPhoto()
    for (let sent = 0; sent < photosOfVisitor.max; sent += 1) await ticketFor(site, photo)
    const refused = await sendPhoto(site, photo)
    expect([refused.statusCode, refused.json().code]).toEqual([429, 'too_many_photos'])
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
    const windowEnds = new Date(site.clock.now().getTime() + 86_400_000).toISOString()
    const subject = 'bytes of photos of all visitors'
    const full = site.db.updateTable('requestCounts').set({ count: photoLimits.perDay.bytes, windowEnds })
    await full.where('subject', '=', subject).execute()
    expect((await sendPhoto(site, photo, '203.0.113.8')).json().code).toBe('too_many_photos')
    expect(await site.ask(sendContact, { body: aContact() })).toEqual({
      message: 'Message sent!',
      answerBy: expect.any(String),
    })
    expect([await rows(site), await files(site)].map(({ length }) => length)).toEqual([photosOfVisitor.max, 1])
    site.clock.pass({ days: 1 })
    await sweepRequestCounts(site.db, site.clock)
    const ticket = await ticketFor(site, photo)
    // What is kept at all has its limit, too.
    await site.db
      .updateTable('contactPhotos')
      .set({ bytes: photoLimits.bytes / 4 })
      .execute()
    expect((await sendPhoto(site, photo)).json().code).toBe('too_many_photos')
    expect(await site.ask(sendContact, { body: aContact({ photos: [ticket] }) })).toEqual({
      message: 'Message sent!',
      answerBy: expect.any(String),
    })
  })

  test('because the disk is the maker’s, or too many come at once, is told so as well', async () => {
    const site = await openTestApp('sqlite', { config: { rateLimits: false } })
    const { freeBytes } = site.storage
    site.storage.freeBytes = async () => photoLimits.leastFree - 1
    expect((await sendPhoto(site, await aPhoto())).json().code).toBe('too_many_photos')
    site.storage.freeBytes = freeBytes
    const photo = await aPhoto()
    const answers = await Promise.all(
      Array.from({ length: photoLimits.atOnce + 6 }, (_, sender) => sendPhoto(site, photo, `203.0.113.${sender}`)),
    )
    const codes = answers.map((answer) => answer.json().code ?? 'taken')
    expect(codes.filter((code) => code === 'taken')).toHaveLength(photoLimits.atOnce)
    expect(new Set(codes)).toEqual(new Set(['taken', 'too_many_photos']))
    expect((await sendPhoto(site, photo)).statusCode).toBe(200)
  })
  test('from two visitors who send them for ever leaves places for a third, and frees its own when it ends', async () => {
    const site = await openTestApp('sqlite')
    const encoder = { prepareVisitors: () => Promise.reject(new Error('Nothing is kept here.')) }
    const receive = (content: Readable, ip: string) => receivePhoto({ ...site, encoder }, content, ip)
    const bodies = Array.from({ length: 2 * photoLimits.atOnce }, () => new PassThrough())
    const codes: string[] = []
    const ends = bodies.map((body, index) =>
      receive(body, `203.0.113.${index % 2}`).catch(({ code }: Problem) => codes.push(code)),
    )
    const refused: string[] = Array(2 * (photoLimits.atOnce - photoLimits.atOnceOfVisitor)).fill('too_many_photos')
    await expect.poll(() => codes).toEqual(refused)
    const third = await receive(Readable.from([await aPhoto()]), '203.0.113.9')
    await third.drop()
    for (const body of bodies) body.destroy()
    await Promise.all(ends)
    expect(codes.slice(refused.length)).toEqual(Array(2 * photoLimits.atOnceOfVisitor).fill('upload_interrupted'))
    const again = await receive(Readable.from([await aPhoto()]), '203.0.113.0')
    await again.drop()
    expect(await site.storage.list('incoming')).toEqual([])
  })
})
