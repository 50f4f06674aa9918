import { describe, expect, test } from 'vitest'
import { restoreComplete } from '#contract/backups.ts'
import { showQuarantine, storedAddress } from '#contract/images.ts'
import { runJob } from '#server/backup/run-job.ts'
import { daysBefore } from '#server/clock.ts'
import type { Dialect } from '#server/database/dialect.ts'
import type { Storage } from '#server/storage/storage.ts'
import { archiveEntries, aStoredPhoto, formWith, hashOf } from '#tests/backups.ts'
import { aStoredProject, removeProject, storeProject, storeVersion } from '#tests/factories.ts'
import { aPhoto } from '#tests/photos.ts'
import { rawZip } from '#tests/raw-zip.ts'
import { openTestApp, sites, type TestApp } from '#tests/test-app.ts'
import { testClock } from '#tests/test-clock.ts'
import type { StorageKind } from '#tests/test-storage.ts'
import { allVariants, imageName, uploadName, variantName } from './image.rules.ts'
import { dateOf, nameInQuarantine, quarantine, releaseNeeded, removeExpired } from './image-quarantine.ts'
import { storeImage } from './image-store.ts'
import { insertTicket } from './images.queries.ts'
import { sweepStrayFiles, sweepUnreferencedImages, sweepUploads } from './sweep-images.ts'

const store = async (site: TestApp, colour: string) => storeImage(site, () => aPhoto({ colour }))

async function restore(site: TestApp, images: Buffer[]) {
  const project = aStoredProject({ imageUrl: storedAddress(hashOf(images[0] ?? Buffer.alloc(0))) })
  const archive = rawZip(archiveEntries({ projects: [project], images }))
  await site.ask(restoreComplete, { ...formWith(archive), as: await site.signedIn() })
}

async function namesIn(site: TestApp, folder: string) {
  return (await site.storage.list(folder)).map(({ name }) => name).toSorted()
}

/** The sweep as the hours go by, once a day being enough here. */
async function sweepDaily(site: TestApp, days: number) {
  for (let day = 0; day < days; day += 1) {
    await sweepUnreferencedImages(site)
    site.clock.pass({ days: 1 })
  }
  await sweepUnreferencedImages(site)
}

/** A site that knows one photo, and a moment two days after it was made. */
async function aDayLater(dialect: Dialect = 'sqlite', storage: StorageKind = 'folder') {
  // Only the clock can be turned on: a storage decides itself how old a file is.
  const site = await openTestApp(dialect, { storage, clock: testClock(new Date().toISOString()) })
  const stored = await store(site, '#b8893b')
  await site.db.updateTable('site').set({ createdAt: '2026-01-01T00:00:00.000Z' }).execute()
  site.clock.pass({ days: 2 })
  return { site, stored }
}

const strayNames = (number: number) => {
  const hash = String(number).repeat(64)
  return [imageName(hash), variantName(hash, { width: 480, format: 'webp' })]
}

async function leave(site: TestApp, number: number) {
  for (const name of strayNames(number)) await site.storage.put(name, Buffer.from('left behind'))
}

describe('sweeping photos', () => {
  test('what a project shows stays, as its photo or before or after', async () => {
    const site = await openTestApp('sqlite')
    const hashes = [await store(site, '#b8893b'), await store(site, '#3f6b62'), await store(site, '#8c3b2a')]
    const [imageUrl = '', beforeImageUrl, afterImageUrl] = hashes.map(storedAddress)
    await storeProject(site.db, aStoredProject({ imageUrl, beforeImageUrl, afterImageUrl }))
    await sweepDaily(site, 31)
    expect(await namesIn(site, 'objects')).toEqual(hashes.map(imageName).toSorted())
  })

  test('the days are counted from the moment the last project lets go of it', async () => {
    const site = await openTestApp('sqlite')
    const hash = await store(site, '#b8893b')
    const project = aStoredProject({ imageUrl: storedAddress(hash) })
    await storeProject(site.db, project)
    await sweepDaily(site, 31)
    await removeProject(site.db, project.id)
    await sweepDaily(site, 29)
    expect(await namesIn(site, 'objects')).toEqual([imageName(hash)])
    await sweepDaily(site, 2)
    expect(await namesIn(site, 'objects')).toEqual([])
  })

  test('one that is uploaded again is new again: a form may still be open', async () => {
    const site = await openTestApp('sqlite')
    const hash = await store(site, '#b8893b')
    await sweepDaily(site, 29)
    expect(await store(site, '#b8893b')).toBe(hash)
    await sweepDaily(site, 29)
    expect(await namesIn(site, 'objects')).toEqual([imageName(hash)])
  })

  test('one that was set aside and is uploaded again leaves nothing aside', async () => {
    const site = await openTestApp('sqlite')
    const hash = await store(site, '#b8893b')
    site.variants.prepare(hash)
    await site.variants.settled()
    await sweepDaily(site, 30)
    expect(await namesIn(site, 'aside')).toHaveLength(1 + allVariants.length)
    await store(site, '#b8893b')
    site.variants.prepare(hash)
    await site.variants.settled()
    const content = await site.storage.read(imageName(hash))
    await releaseNeeded(site)
    expect(await namesIn(site, 'aside')).toEqual([])
    expect(await site.ask(showQuarantine, { as: await site.signedIn() })).toEqual({ photos: 0, bytes: 0, since: null })
    expect(await site.storage.read(imageName(hash))).toEqual(content)

    // What is damaged is no reason to remove the copy that is whole.
    await quarantine(site, [imageName(hash)])
    await site.storage.put(imageName(hash), Buffer.from('damaged'))
    await releaseNeeded(site)
    expect(await namesIn(site, 'aside')).toEqual([])
    expect(await site.storage.read(imageName(hash))).toEqual(content)
  })

  test('one that a project has come to show since it was noted stays', async () => {
    const site = await openTestApp('sqlite')
    const hash = await store(site, '#b8893b')
    await sweepDaily(site, 29)
    await storeProject(site.db, aStoredProject({ imageUrl: storedAddress(hash) }))
    await sweepDaily(site, 31)
    expect(await namesIn(site, 'objects')).toEqual([imageName(hash)])
  })

  test('nothing is set aside by a database that knows no photo, is younger than the files, or does not know many of them', async () => {
    const { site } = await aDayLater()
    await leave(site, 1)
    const left = async () => {
      await sweepStrayFiles(site)
      return (await namesIn(site, 'aside')).length
    }
    site.clock.pass({ days: 2 })
    await site.db.updateTable('site').set({ createdAt: '2099-01-01T00:00:00.000Z' }).execute()
    expect(await left()).toBe(0)
    await site.db.updateTable('site').set({ createdAt: '2026-01-01T00:00:00.000Z' }).execute()

    const images = await site.db.selectFrom('images').selectAll().execute()
    await site.db.deleteFrom('images').execute()
    expect(await left()).toBe(0)
    await site.db.insertInto('images').values(images).execute()

    for (const number of [2, 3, 4, 5, 6]) await leave(site, number)
    expect(await left()).toBe(0)
    for (const name of strayNames(6)) await site.storage.remove(name)
    expect(await left()).toBe(10)
  })

  test('a photo that comes again while it is being set aside is there afterwards', async () => {
    const { site, stored: hash } = await aDayLater()
    await store(site, '#3f6b62')
    await site.db.deleteFrom('images').where('hash', '=', hash).execute()
    const { move } = site.storage
    const racing: Storage = {
      ...site.storage,
      async move(from, to) {
        if (from === imageName(hash)) await store(site, '#b8893b')
        await move(from, to)
      },
    }
    await sweepStrayFiles({ ...site, storage: racing })
    expect(await namesIn(site, 'objects')).not.toContain(imageName(hash))
    await releaseNeeded(site)
    expect(await namesIn(site, 'objects')).toContain(imageName(hash))
  })

  test('a restore whose photo is set aside while it is being stored has it afterwards', async () => {
    const { site } = await aDayLater()
    const { hash, content } = await aStoredPhoto()
    const { put } = site.storage
    site.storage.put = async (name, ...rest) => {
      await put(name, ...rest)
      if (name === imageName(hash)) await quarantine(site, [name])
    }
    await restore(site, [content])
    expect(await site.storage.read(imageName(hash))).toEqual(content)
    expect(await site.db.selectFrom('images').select('hash').execute()).toContainEqual({ hash })
  })

  test('a bucket that never answers keeps no query waiting', async () => {
    const { site } = await aDayLater()
    await sweepUnreferencedImages(site)
    site.clock.pass({ days: 40 })
    const waiting: ((reason: Error) => void)[] = []
    const never = () => new Promise<never>((_resolve, reject) => waiting.push(reject))
    const silent: Storage = { ...site.storage, put: never, has: never, list: never, move: never, remove: never }
    const { log, database, clock, encoder } = site
    const parts = { database, storage: silent, clock, encoder, log }
    const backup = () => runJob({ ...site.jobs, storage: silent }, { kind: 'complete' })
    const works = [
      storeImage(parts, () => aPhoto({ colour: '#3f6b62' })),
      sweepUnreferencedImages(parts),
      sweepStrayFiles(parts),
      releaseNeeded(parts),
      removeExpired(parts),
      backup(),
    ]
    await expect.poll(() => waiting.length, { timeout: 30_000 }).toBe(works.length)
    // On SQLite there is one connection for all of them.
    await site.db.transaction().execute((tx) => tx.deleteFrom('requestCounts').execute())
    for (const giveUp of waiting) giveUp(new Error('It never answered.'))
    expect((await Promise.allSettled(works)).map(({ status }) => status)).toEqual(works.map(() => 'rejected'))
  })
})

describe.each(sites)('sweeping photos on %s and %s', (dialect, storage) => {
  test('one that no project ever showed goes after 30 days, with its copies', async () => {
    const site = await openTestApp(dialect, { storage })
    const hash = await store(site, '#b8893b')
    site.variants.prepare(hash)
    await site.variants.settled()
    expect(await namesIn(site, 'variants')).toHaveLength(allVariants.length)

    await sweepDaily(site, 29)
    expect(await namesIn(site, 'objects')).toEqual([imageName(hash)])
    await sweepDaily(site, 1)
    expect(await namesIn(site, 'objects')).toEqual([])
    expect(await namesIn(site, 'variants')).toEqual([])
    expect(await site.db.selectFrom('images').selectAll().execute()).toEqual([])
    // Aside for another 30 days, in which it comes back when a project shows it.
    expect(await namesIn(site, 'aside')).toHaveLength(1 + allVariants.length)
    await storeProject(site.db, aStoredProject({ imageUrl: storedAddress(hash) }))
    await releaseNeeded(site)
    expect(await namesIn(site, 'objects')).toEqual([imageName(hash)])
    expect(await namesIn(site, 'variants')).toHaveLength(allVariants.length)
    expect((await site.app.inject(storedAddress(hash))).statusCode).toBe(200)
  })

  test('what the page itself shows stays, in a version that is kept or in the draft, and comes back when it was set aside', async () => {
    const site = await openTestApp(dialect, { storage })
    const [first = '', second = '', third = ''] = [
      await store(site, '#b8893b'),
      await store(site, '#3f6b62'),
      await store(site, '#8c3b2a'),
    ]
    await storeVersion(site.db, { 'photos.hero.image': storedAddress(first) })
    await storeVersion(site.db, { 'photos.about2.image': storedAddress(second) })
    const changes = JSON.stringify({ 'photos.portrait.image': storedAddress(third), 'photos.about2.image': null })
    const changedAt = site.clock.now().toISOString()
    await site.db.insertInto('siteDraft').values({ id: 1, changes, revision: 'a', changedAt }).execute()
    await sweepDaily(site, 31)
    const names = [first, second, third].map(imageName).toSorted()
    expect(await namesIn(site, 'objects')).toEqual(names)

    // As after going back to another database.
    await quarantine(site, names)
    await site.db.deleteFrom('images').execute()
    await releaseNeeded(site)
    expect(await namesIn(site, 'objects')).toEqual(names)
    expect(await site.db.selectFrom('images').select('hash').execute()).toHaveLength(3)

    await site.db.deleteFrom('siteDraft').execute()
    await site.db.deleteFrom('siteVersions').where('number', '=', 1).execute()
    await sweepDaily(site, 31)
    expect(await namesIn(site, 'objects')).toEqual([imageName(second)])
  })

  test('uploads that were never finalized go a day after their ticket, with the ticket', async () => {
    const site = await openTestApp(dialect, { storage })
    const { adminId } = await site.addAdmin()
    const soon = new Date(site.clock.now().getTime() + 10 * 60_000).toISOString()
    await insertTicket(site.db, { id: 'a'.repeat(64), adminId, expiresAt: soon })
    await site.storage.put(uploadName('a'.repeat(64)), await aPhoto())

    site.clock.pass({ days: 1, minutes: 10 })
    await sweepUploads(site)
    expect(await namesIn(site, 'uploads')).toHaveLength(1)
    site.clock.pass({ milliseconds: 1 })
    await sweepUploads(site)
    expect(await namesIn(site, 'uploads')).toEqual([])
    expect(await site.db.selectFrom('uploadTickets').selectAll().execute()).toEqual([])
  })

  test('files that belong to nothing are set aside when they are a day old, with the day in their names', async () => {
    const { site, stored } = await aDayLater(dialect, storage)
    await leave(site, 1)
    await site.storage.put(uploadName('f'.repeat(64)), Buffer.from('left behind'))
    site.clock.pass({ hours: -25 })
    await sweepStrayFiles(site)
    expect(await namesIn(site, 'aside')).toEqual([])
    site.clock.pass({ hours: 2 })
    await sweepStrayFiles(site)
    await sweepUploads(site)
    expect([...(await namesIn(site, 'objects')), ...(await namesIn(site, 'uploads'))]).toEqual([imageName(stored)])
    const today = site.clock.now().toISOString().slice(0, 10)
    expect(await namesIn(site, 'aside')).toEqual(strayNames(1).map((name) => `aside/${today}.${name.replace('/', '.')}`))
    expect(await site.ask(showQuarantine, { as: await site.signedIn() })).toEqual({ photos: 1, bytes: 22, since: today })
  })
})

// What counts the days is the same for every storage, and days of a bucket take long.
describe('sweeping photos for more than 30 days', () => {
  test('what lies aside goes after 30 days of sweeping, and not because a clock has jumped', async () => {
    const { site } = await aDayLater()
    await leave(site, 1)
    site.clock.pass({ days: 1 })
    const sweep = async () => {
      await sweepStrayFiles(site)
      await removeExpired(site)
    }
    await sweep()
    // A year ahead for a few hours, and back.
    for (const days of [365, 0, -365]) {
      site.clock.pass({ days })
      await sweep()
    }
    for (let day = 0; day < 28; day += 1) {
      site.clock.pass({ days: 1 })
      await sweep()
    }
    expect(await namesIn(site, 'aside')).toContain(
      nameInQuarantine(strayNames(1)[0] ?? '', dateOf(daysBefore(site.clock.now(), 28))),
    )
    for (let day = 0; day < 3; day += 1) {
      site.clock.pass({ days: 1 })
      await sweep()
    }
    expect((await namesIn(site, 'aside')).filter((name) => name !== 'aside/days')).toEqual([])
  })

  test('what lies aside and is wanted is never removed, though bringing it back fails', async () => {
    const { site, stored } = await aDayLater()
    const other = await store(site, '#3f6b62')
    await quarantine(site, [imageName(stored), imageName(other)])
    const { move } = site.storage
    site.storage.move = (from, to) =>
      to === imageName(stored) ? Promise.reject(new Error('It cannot be moved.')) : move(from, to)
    for (let day = 0; day < 40; day += 1) {
      await expect(releaseNeeded(site)).rejects.toThrow('It cannot be moved.')
      await removeExpired(site)
      site.clock.pass({ days: 1 })
    }
    expect(await namesIn(site, 'objects')).toEqual([imageName(other)])
    site.storage.move = move
    await releaseNeeded(site)
    expect(await namesIn(site, 'objects')).toEqual([imageName(stored), imageName(other)].toSorted())
  })
})
