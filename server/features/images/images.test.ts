import type { AddressInfo } from 'node:net'
import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import { variantAddress, variantFormats } from '#contract/first-visit.ts'
import { readImage, storedAddress } from '#contract/images.ts'
import { createProject, deleteProject, emptyTrash, restoreProject } from '#contract/projects.admin.ts'
import { changeSiteDraft, readSiteContent } from '#contract/site-content.ts'
import type { Dialect } from '#server/database/dialect.ts'
import { openBucket } from '#server/storage/s3.ts'
import { aProject, storeVersion } from '#tests/factories.ts'
import { aPhoto } from '#tests/photos.ts'
import { openTestApp, sites, type TestApp } from '#tests/test-app.ts'
import { testClock } from '#tests/test-clock.ts'
import { type StorageKind, testBucket } from '#tests/test-storage.ts'
import { allVariants, imageName, siteVariants, standIns, variantName } from './image.rules.ts'
import { storeImage } from './image-store.ts'
import { judgeImage, makeVariant } from './image-tasks.ts'
import { sweepUnreferencedImages } from './sweep-images.ts'
import { createVariants } from './variants.ts'

const forGood = 'public, max-age=31536000, immutable'

async function store(site: TestApp, file: Buffer) {
  const hash = await storeImage(site, async () => file)
  site.variants.prepare(hash)
  return hash
}

/** Stores a photo without beginning to make its copies. */
const storeWithoutCopies = (site: TestApp, file: Buffer) => storeImage(site, async () => file)

const get = (site: TestApp, hash: string, query: Record<string, string> = {}) =>
  site.call(readImage, { params: { hash }, query })

describe('a stored photo', () => {
  test('is sent whole to who asks oddly, and in no shape there is none of', async () => {
    const site = await openTestApp('sqlite')
    const hash = await store(site, await aPhoto())
    const whole = await site.storage.read(imageName(hash))
    for (const headers of [
      { range: 'bytes=0-9' },
      { range: 'bytes=999999999-' },
      { range: 'bytes=5-1' },
      { range: 'nonsense' },
      { range: 'bytes=0-9', 'if-range': '"another"' },
      { 'if-match': '"another"' },
      { 'if-unmodified-since': 'yesterday' },
      { 'if-none-match': ',,"' },
    ]) {
      const response = await site.call(readImage, { params: { hash }, headers })
      expect([response.statusCode, response.rawPayload], JSON.stringify(headers)).toEqual([200, whole])
    }
    for (const query of ['w=481', 'w=480&w=960', 'f=png', 'w[]=480', '__proto__=1', 'w=%00', 'x'.repeat(5_000)]) {
      const response = await site.app.inject({ url: `/objects/${hash}?${query}` })
      expect([response.statusCode, response.json().code], query).toEqual([400, 'invalid_input'])
    }
  })

  test('never makes a visitor wait: the original stands in, is not kept, and the copy is there the next time', async () => {
    const site = await openTestApp('sqlite')
    const hash = await storeWithoutCopies(site, await aPhoto({ width: 60, height: 40 }))
    const standIn = await get(site, hash, { w: '480', f: 'avif' })
    expect(standIn.headers).toMatchObject({ 'content-type': 'image/jpeg', 'cache-control': 'no-store' })
    expect(standIn.rawPayload).toEqual(await site.storage.read(imageName(hash)))

    await site.variants.settled()
    const copy = await get(site, hash, { w: '480', f: 'avif' })
    expect(copy.headers).toMatchObject({ 'content-type': 'image/avif', 'cache-control': forGood })
  })

  test('lets another copy stand in before the original, with its own type', async () => {
    const site = await openTestApp('sqlite')
    const hash = await storeWithoutCopies(site, await aPhoto({ width: 60, height: 40 }))
    const made = await aPhoto({ width: 30, format: 'webp' })
    await site.storage.put(variantName(hash, { width: 960, format: 'webp' }), made)
    const response = await get(site, hash, { w: '480', f: 'webp' })
    expect(response.headers).toMatchObject({ 'content-type': 'image/webp', 'cache-control': 'no-store' })
    expect(response.rawPayload).toEqual(made)
  })

  test('that does not exist is 404, and so are its copies, and nothing is made', async () => {
    const site = await openTestApp('sqlite')
    for (const query of [{}, { w: '480', f: 'webp' }]) {
      const response = await get(site, '0'.repeat(64), query)
      expect(response.statusCode).toBe(404)
      expect(response.json()).toMatchObject({ code: 'not_found' })
      expect(response.headers['cache-control']).toBe('no-store')
    }
    await site.variants.settled()
    expect(await site.storage.list('variants')).toEqual([])
  })
})

describe.each(sites)('a stored photo on %s and %s', (dialect, storage) => {
  test('is read as it was stored, and may be kept for ever', async () => {
    const site = await openTestApp(dialect, { storage })
    const hash = await store(site, await aPhoto({ format: 'png', alpha: true }))
    const response = await get(site, hash)
    expect(response.statusCode).toBe(200)
    expect(response.headers).toMatchObject({
      'content-type': 'image/webp',
      'cache-control': forGood,
      'content-security-policy': "default-src 'none'; sandbox",
      'x-content-type-options': 'nosniff',
      'content-length': String(response.rawPayload.length),
    })
    expect(response.rawPayload).toEqual(await site.storage.read(imageName(hash)))
  })

  test('is stored once, however often it comes', async () => {
    const site = await openTestApp(dialect, { storage })
    const [first, again] = [await store(site, await aPhoto()), await store(site, await aPhoto())]
    expect(again).toBe(first)
    expect(await site.storage.list('objects')).toHaveLength(1)
    expect(await site.db.selectFrom('images').selectAll().execute()).toHaveLength(1)
  })

  test('has a copy in every width and format, no wider than itself', async () => {
    const site = await openTestApp(dialect, { storage })
    const hash = await store(site, await aPhoto({ width: 1_000, height: 20 }))
    await site.variants.settled()
    for (const { width, format } of allVariants) {
      const response = await get(site, hash, { w: String(width), f: format })
      expect(response.headers).toMatchObject({ 'content-type': `image/${format}`, 'cache-control': forGood })
      const facts = await sharp(response.rawPayload).metadata()
      expect(facts.width).toBe(Math.min(width, 1_000))
      expect(facts.format).toBe(format === 'avif' ? 'heif' : format)
    }
    expect(await site.storage.list('variants')).toHaveLength(allVariants.length)
  })
})

describe('a photo of the page itself', () => {
  const widest = { w: '2400', f: 'avif' }

  test('has the copies besides that the photos the site came with have, made when it is first asked for them', async () => {
    const site = await openTestApp('sqlite')
    const hash = await storeWithoutCopies(site, await aPhoto({ width: 60, height: 40 }))
    await storeVersion(site.db, { 'photos.hero.image': storedAddress(hash) })
    for (const { width, format } of siteVariants) {
      const query = { w: String(width), f: format }
      expect((await get(site, hash, query)).headers['cache-control']).toBe('no-store')
      await site.variants.settled()
      const made = await get(site, hash, query)
      expect(made.headers).toMatchObject({ 'content-type': `image/${format}`, 'cache-control': forGood })
    }
    expect(siteVariants).toHaveLength(5)
  })

  test('has them as soon as it is put into the draft', async () => {
    const site = await openTestApp('sqlite')
    const hash = await storeWithoutCopies(site, await aPhoto({ width: 60, height: 40 }))
    const maker = await site.signedIn()
    const { revision } = await site.ask(readSiteContent, { as: maker })
    const changes = { 'photos.heroTall.image': storedAddress(hash) }
    await site.ask(changeSiteDraft, { as: maker, body: { revision, changes } })
    await site.variants.settled()
    const made = (await site.storage.list('variants')).map(({ name }) => name)
    expect(made.toSorted()).toEqual([...allVariants, ...siteVariants].map((each) => variantName(hash, each)).toSorted())
  })

  test('is the only kind they are made of: of another one a copy it has is sent, however often they are asked for', async () => {
    const site = await openTestApp('sqlite')
    const hash = await store(site, await aPhoto({ width: 60, height: 40 }))
    const shown = await storeWithoutCopies(site, await aPhoto({ width: 61, height: 40 }))
    await storeVersion(site.db, { 'photos.hero.image': storedAddress(shown) })
    await site.variants.settled()
    for (const { width, format } of siteVariants) {
      const response = await get(site, hash, { w: String(width), f: format })
      expect([response.statusCode, response.headers['cache-control']]).toEqual([200, 'no-store'])
    }
    expect((await get(site, hash, widest)).headers['content-type']).toBe('image/webp')
    await site.variants.settled()
    expect(await site.storage.list('variants')).toHaveLength(allVariants.length)
  })
})

describe('an address of a photo', () => {
  test('without a format means JPEG, without a width the widest that pages show; for looking closely there is one', async () => {
    const site = await openTestApp('sqlite')
    const hash = await store(site, await aPhoto({ width: 60, height: 40 }))
    await site.variants.settled()
    expect((await get(site, hash, { w: '480' })).headers['content-type']).toBe('image/jpeg')
    const widest = await get(site, hash, { f: 'webp' })
    expect(widest.rawPayload).toEqual(await site.storage.read(variantName(hash, { width: 1600, format: 'webp' })))
    const close = await site.storage.read(variantName(hash, { width: 2400, format: 'webp' }))
    for (const format of [{}, { f: 'webp' }]) {
      const response = await get(site, hash, { w: '2400', ...format })
      expect(response.headers['content-type']).toBe('image/webp')
      expect(response.rawPayload).toEqual(close)
    }
  })

  test('asks for nothing we do not make', async () => {
    const site = await openTestApp('sqlite')
    const hash = await storeWithoutCopies(site, await aPhoto())
    const unknown = [{ w: '481' }, { w: '100000' }, { w: '-1' }, { f: 'svg' }, { f: 'png' }, { size: '1' }]
    for (const query of unknown as Record<string, string>[]) {
      expect((await get(site, hash, query)).statusCode, JSON.stringify(query)).toBe(400)
    }
  })

  test('leads nowhere else', async () => {
    const { app } = await openTestApp('sqlite')
    for (const url of [
      '/objects/../../vitrina.sqlite',
      '/objects/..%2f..%2fvitrina.sqlite',
      '/objects/%2e%2e%2f%2e%2e%2fvitrina.sqlite',
      '/objects/..%5c..%5cvitrina.sqlite',
      '/objects/%00',
      `/objects/${'a'.repeat(63)}`,
      `/objects/${'A'.repeat(64)}`,
      `/objects/${'a'.repeat(64)}.jpg`,
      `/objects/${'a'.repeat(64)}%00.jpg`,
    ]) {
      expect((await app.inject({ url })).statusCode, url).toBe(404)
    }
  })
})

describe('a browser that has a photo already', () => {
  test.each([{}, { w: '480', f: 'avif' }])(
    'is told so instead of being sent it again: %o',
    async (query: Record<string, string>) => {
      const site = await openTestApp('sqlite')
      const hash = await store(site, await aPhoto({ width: 60, height: 40 }))
      await site.variants.settled()
      const { etag } = (await get(site, hash, query)).headers
      expect(etag).toMatch(/^"[0-9a-f]{64}[^"]*"$/)
      for (const mark of [etag, `"another", ${etag}`]) {
        const again = await site.call(readImage, { params: { hash }, query, headers: { 'if-none-match': String(mark) } })
        expect([again.statusCode, again.body, again.headers['cache-control']]).toEqual([304, '', forGood])
      }
      const other = await site.call(readImage, { params: { hash }, query, headers: { 'if-none-match': '"another"' } })
      expect(other.statusCode).toBe(200)
    },
  )

  test('each copy has a mark of its own, and a stand-in none', async () => {
    const site = await openTestApp('sqlite')
    const hash = await storeWithoutCopies(site, await aPhoto({ width: 60, height: 40 }))
    expect((await get(site, hash, { w: '480', f: 'webp' })).headers).not.toHaveProperty('etag')
    site.variants.prepare(hash)
    await site.variants.settled()
    const marks = new Set<unknown>()
    for (const { width, format } of allVariants) {
      marks.add((await get(site, hash, { w: String(width), f: format })).headers.etag)
    }
    expect(marks.size).toBe(allVariants.length)
  })

  test.each([{}, { w: '480', f: 'webp' }])('can ask for the headers alone: %o', async (query: Record<string, string>) => {
    const site = await openTestApp('sqlite')
    const hash = await store(site, await aPhoto({ width: 60, height: 40 }))
    await site.variants.settled()
    const whole = await get(site, hash, query)
    const head = await site.app.inject({ method: 'HEAD', url: `/objects/${hash}`, query })
    expect(head.body).toBe('')
    expect(head.statusCode).toBe(200)
    for (const name of ['content-type', 'content-length', 'cache-control', 'etag', 'content-security-policy']) {
      expect(head.headers[name]).toBe(whole.headers[name])
    }
  })

  test('is answered the same whatever it says it accepts, so caches need not tell browsers apart', async () => {
    const site = await openTestApp('sqlite')
    const hash = await store(site, await aPhoto({ width: 60, height: 40 }))
    await site.variants.settled()
    const query = { w: '480', f: 'webp' }
    const plain = await site.call(readImage, { params: { hash }, query, headers: { accept: 'image/jpeg' } })
    expect(plain.headers['content-type']).toBe('image/webp')
    expect(String(plain.headers.vary ?? '')).not.toMatch(/accept/i)
  })
})

describe('stand-ins', () => {
  test('are wider ones before narrower ones, and the same format before another', () => {
    const names = standIns({ width: 960, format: 'webp' }).map(({ width, format }) => `${width} ${format}`)
    expect(names).toEqual(['960 webp', '960 jpeg', '1600 webp', '1600 jpeg', '2400 webp', '480 webp', '480 jpeg'])
  })

  test('are never AVIF for a browser that asked for something else', () => {
    expect(standIns({ width: 480, format: 'jpeg' }).filter(({ format }) => format === 'avif')).toEqual([])
    expect(standIns({ width: 480, format: 'avif' })).toHaveLength(allVariants.length)
  })
})

describe('making copies', () => {
  test('goes on after a photo that cannot be read, and says so in the log', async () => {
    const site = await openTestApp('sqlite')
    const broken = 'b'.repeat(64)
    await site.storage.put(imageName(broken), Buffer.from('not a photo'))
    site.variants.prepare(broken)
    const hash = await store(site, await aPhoto())
    await site.variants.settled()
    const copies = (await site.storage.list('variants')).map(({ name }) => name)
    expect(copies.filter((name) => name.includes(hash))).toHaveLength(allVariants.length)
    expect(copies.filter((name) => name.includes(broken))).toEqual([])
    expect(site.takeLoggedProblems()).toHaveLength(allVariants.length)
  })

  test('is not tried again for every visitor when it failed, but after a while', async () => {
    const clock = testClock()
    const site = await openTestApp('sqlite', { clock })
    const broken = 'b'.repeat(64)
    await site.storage.put(imageName(broken), Buffer.from('not a photo'))
    const failures = async () => {
      site.variants.prioritize(broken, { width: 480, format: 'webp' })
      await site.variants.settled()
      return site.takeLoggedProblems().length
    }
    expect([await failures(), await failures(), await failures()]).toEqual([1, 0, 0])
    clock.pass({ minutes: 1 })
    expect([await failures(), await failures()]).toEqual([1, 0])
  })

  test('begins with what visitors ask for, in that order', async () => {
    const site = await openTestApp('sqlite')
    const hashes = Array.from('abcdef', (letter) => letter.repeat(64))
    const read: string[] = []
    const storage = { ...site.storage, has: async (name: string) => read.push(name) > 0 }
    const variants = createVariants({ ...site, storage })
    for (const hash of hashes) variants.prepare(hash)
    const urgent = hashes.slice(3).map((hash) => ({ hash, variant: { width: 960, format: 'webp' } as const }))
    for (const { hash, variant } of [...urgent, ...urgent]) variants.prioritize(hash, variant)
    expect(variants.waiting()).toBe(hashes.length * allVariants.length - 1)
    await variants.settled()
    // The first was begun before anything was urgent.
    expect(read.slice(1, 4)).toEqual(urgent.map(({ hash, variant }) => variantName(hash, variant)))
    expect(read).toHaveLength(hashes.length * allVariants.length)
  })

  test('remembers the last thousand failures, and no more', async () => {
    const site = await openTestApp('sqlite')
    const storage = { ...site.storage, has: () => Promise.reject(new Error('out of order')) }
    const variants = createVariants({ ...site, storage })
    const failuresOf = async (...numbers: number[]) => {
      for (const number of numbers) {
        variants.prioritize(String(number).padStart(64, '0'), { width: 480, format: 'webp' })
        await variants.settled()
      }
      return site.takeLoggedProblems().length
    }
    expect(await failuresOf(...Array(1_001).keys())).toBe(1_001)
    expect(await failuresOf(1_000, 1)).toBe(0)
    expect(await failuresOf(0)).toBe(1)
  })

  test.each(variantFormats)('is possible in %s also of a photo that is longer than the format', async (format) => {
    const long = await aPhoto({ width: 10, height: 20_000 })
    expect(await judgeImage(long)).toMatchObject({ width: 10, height: 20_000 })
    const variant = await makeVariant(long, { width: 480, format })
    expect(await sharp(variant).metadata()).toMatchObject({ width: 8, height: 16_383 })
  })

  test('stops when the site does, and what is half done is not there', async () => {
    const site = await openTestApp('sqlite')
    await store(site, await aPhoto({ width: 600, height: 10 }))
    await site.variants.stop()
    const made = await site.storage.list('variants')
    expect(made.length).toBeLessThan(allVariants.length)
    for (const { name } of made) expect(await sharp(await site.storage.read(name)).metadata()).toMatchObject({ width: 480 })
  })
})

async function openWithPhoto(dialect: Dialect, storage: StorageKind) {
  const site = await openTestApp(dialect, { storage })
  const maker = await site.signedIn()
  const hash = await store(site, await aPhoto({ width: 60, height: 40 }))
  await site.variants.settled()
  await site.app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = site.app.server.address() as AddressInfo
  const paths = [storedAddress(hash), variantAddress(storedAddress(hash), 480, 'webp')]
  const read = async (path: string, { cookie = '' }) => {
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, { headers: { cookie } })
    await answer.arrayBuffer()
    return { status: answer.status, caching: answer.headers.get('cache-control') }
  }
  const readBoth = (as = {}) => Promise.all(paths.map((path) => read(path, as)))
  const statuses = async (as = {}) => (await readBoth(as)).map(({ status }) => status)
  const caching = async (as = {}) => (await readBoth(as)).map((answer) => answer.caching)
  const add = (details: object) => site.ask(createProject, { as: maker, body: aProject(details) })
  const remove = ({ id }: { id: string }) => site.ask(deleteProject, { as: maker, params: { id } })
  return { ...site, maker, hash, imageUrl: storedAddress(hash), statuses, caching, add, remove }
}

describe('a photo of a model in the trash', () => {
  test('is read by the maker only, at once, until it is restored', async () => {
    const site = await openWithPhoto('sqlite', 'folder')
    const { id } = await site.add({ photos: [{ imageUrl: site.imageUrl, caption: null }] })
    // Twice, so that the small one lies ready.
    for (const _ of 'ab') expect(await site.statuses()).toEqual([200, 200])
    await site.remove({ id })
    expect(await site.statuses()).toEqual([404, 404])
    expect(await site.caching()).toEqual(['no-store', 'no-store'])
    expect(await site.statuses(site.maker)).toEqual([200, 200])
    expect(await site.caching(site.maker)).toEqual(['no-store', 'no-store'])
    await site.ask(restoreProject, { as: site.maker, params: { id } })
    for (const _ of 'ab') expect(await site.statuses()).toEqual([200, 200])
    expect(await site.caching()).toEqual([forGood, forGood])
  })

  test('does not come to light again when the trash is emptied', async () => {
    const site = await openWithPhoto('sqlite', 'folder')
    await site.remove(await site.add({ imageUrl: site.imageUrl }))
    await site.ask(emptyTrash, { as: site.maker })
    expect(await site.statuses()).toEqual([404, 404])
    await sweepUnreferencedImages(site)
    await site.add({ title: 'Another' })
    expect(await site.statuses()).toEqual([404, 404])
    // Until a model shows it again.
    await site.add({ imageUrl: site.imageUrl })
    expect(await site.statuses()).toEqual([200, 200])
  })

  test('stays readable where another one shows it, before or after as well', async () => {
    const site = await openWithPhoto('sqlite', 'folder')
    for (const field of ['imageUrl', 'beforeImageUrl', 'afterImageUrl']) {
      const other = await site.add({ [field]: site.imageUrl, draft: true })
      await site.remove(await site.add({ imageUrl: site.imageUrl }))
      expect(await site.statuses()).toEqual([200, 200])
      await site.remove(other)
      expect(await site.statuses()).toEqual([404, 404])
    }
  })

  test('stays readable where the page itself shows it', async () => {
    const site = await openWithPhoto('sqlite', 'folder')
    await storeVersion(site.db, { 'photos.hero.image': site.imageUrl })
    await site.remove(await site.add({ imageUrl: site.imageUrl }))
    expect(await site.statuses()).toEqual([200, 200])
  })
})

describe.each(sites)('a photo of a model in the trash on %s and %s', (dialect, storage) => {
  test('is hidden and shown again by what another process does', async () => {
    const site = await openWithPhoto(dialect, storage)
    const { id } = await site.add({ imageUrl: site.imageUrl })
    await site.db.updateTable('projects').set({ deletedAt: site.clock.now().toISOString() }).where('id', '=', id).execute()
    await expect.poll(() => site.statuses(), { timeout: 30_000, interval: 20 }).toEqual([404, 404])
    await site.db.updateTable('projects').set({ deletedAt: null }).where('id', '=', id).execute()
    await expect.poll(() => site.statuses(), { timeout: 30_000, interval: 20 }).toEqual([200, 200])
  })
})

describe('with a public address of the bucket', () => {
  const publicUrl = 'http://photos.example/models'

  async function openSite() {
    const storage = await openBucket({ ...(await testBucket()), publicUrl })
    return openTestApp('sqlite', { storage })
  }

  test('visitors are sent there for what is ready, and get it from the site meanwhile', async () => {
    const site = await openSite()
    const hash = await storeWithoutCopies(site, await aPhoto({ width: 60, height: 40 }))
    const query = { w: '480', f: 'webp' }
    const standIn = await get(site, hash, query)
    expect([standIn.statusCode, standIn.headers['cache-control']]).toEqual([200, 'no-store'])
    await site.variants.settled()
    const ready = await get(site, hash, query)
    expect([ready.statusCode, ready.headers.location, ready.headers['cache-control']]).toEqual([
      302,
      `${publicUrl}/variants/${hash}-480.webp`,
      'public, max-age=86400',
    ])
    expect((await get(site, hash)).headers.location).toBe(`${publicUrl}/objects/${hash}`)
  })

  test('what arrives there while it is being looked for is sent from there the next time', async () => {
    const site = await openSite()
    const hash = await store(site, await aPhoto({ width: 60, height: 40 }))
    await site.variants.settled()
    const { has } = site.storage
    site.storage.has = async () => false
    await site.app.listen({ port: 0, host: '127.0.0.1' })
    const { port } = site.app.server.address() as AddressInfo
    const address = `http://127.0.0.1:${port}${variantAddress(storedAddress(hash), 480, 'webp')}`
    const statusOf = async () => (await fetch(address, { redirect: 'manual' })).status
    expect(await statusOf()).toBe(200)
    site.storage.has = has
    expect(await statusOf()).toBe(302)
  })

  test('a photo of a model in the trash is not redirected there', async () => {
    const site = await openSite()
    const as = await site.signedIn()
    const hash = await store(site, await aPhoto({ width: 60, height: 40 }))
    await site.variants.settled()
    const { id } = await site.ask(createProject, { as, body: aProject({ imageUrl: storedAddress(hash) }) })
    await site.ask(deleteProject, { as, params: { id } })
    for (const query of [{}, { w: '480', f: 'webp' }]) {
      expect((await get(site, hash, query)).statusCode).toBe(404)
      expect((await site.call(readImage, { params: { hash }, query, as })).statusCode).toBe(200)
    }
  })

  test('what does not exist is 404 here, without a redirect', async () => {
    const site = await openSite()
    for (const query of [{}, { w: '480', f: 'webp' }]) {
      expect((await get(site, '0'.repeat(64), query)).statusCode).toBe(404)
    }
  })

  test('pages may show photos from there', async () => {
    const site = await openSite()
    const policy = String((await site.app.inject({ url: '/' })).headers['content-security-policy'])
    expect(policy).toContain("img-src 'self' https: data: blob: http://photos.example;")
  })
})
