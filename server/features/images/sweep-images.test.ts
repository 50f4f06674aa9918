import { describe, expect, test } from 'vitest'
import { restoreComplete } from '#contract/backups.ts'
import { storedAddress } from '#contract/images.ts'
import type { Database } from '#server/database/open.ts'
import { insertProject, removeProject } from '#server/features/projects/projects.queries.ts'
import { archiveEntries, aStoredPhoto, formWith, hashOf } from '#tests/backups.ts'
import { aStoredProject } from '#tests/factories.ts'
import { aPhoto } from '#tests/photos.ts'
import { rawZip } from '#tests/raw-zip.ts'
import { openTestApp, sites, type TestApp } from '#tests/test-app.ts'
import { testClock } from '#tests/test-clock.ts'
import { allVariants, objectName, uploadName, variantName } from './image.rules.ts'
import { storeImage } from './store-image.ts'
import { sweepStrayFiles, sweepUnreferencedImages, sweepUploads } from './sweep-images.ts'
import { insertTicket } from './uploads.queries.ts'

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

describe.each(sites)('sweeping photos on %s and %s', (dialect, storage) => {
  test('one that no project ever showed goes after 30 days, with its copies', async () => {
    const site = await openTestApp(dialect, { storage })
    const hash = await store(site, '#b8893b')
    site.variants.prepare(hash)
    await site.variants.settled()
    expect(await namesIn(site, 'variants')).toHaveLength(allVariants.length)

    await sweepDaily(site, 29)
    expect(await namesIn(site, 'objects')).toEqual([objectName(hash)])
    await sweepDaily(site, 1)
    expect(await namesIn(site, 'objects')).toEqual([])
    expect(await namesIn(site, 'variants')).toEqual([])
    expect(await site.db.selectFrom('images').selectAll().execute()).toEqual([])
  })

  test('what a project shows stays, as its photo or before or after', async () => {
    const site = await openTestApp(dialect, { storage })
    const hashes = [await store(site, '#b8893b'), await store(site, '#3f6b62'), await store(site, '#8c3b2a')]
    const [imageUrl = '', beforeImageUrl, afterImageUrl] = hashes.map(storedAddress)
    await insertProject(site.db, aStoredProject({ imageUrl, beforeImageUrl, afterImageUrl }))
    await sweepDaily(site, 60)
    expect(await namesIn(site, 'objects')).toEqual(hashes.map(objectName).toSorted())
  })

  test('the days are counted from the moment the last project lets go of it', async () => {
    const site = await openTestApp(dialect, { storage })
    const hash = await store(site, '#b8893b')
    const project = aStoredProject({ imageUrl: storedAddress(hash) })
    await insertProject(site.db, project)
    await sweepDaily(site, 100)
    await removeProject(site.db, project.id)
    await sweepDaily(site, 29)
    expect(await namesIn(site, 'objects')).toEqual([objectName(hash)])
    await sweepDaily(site, 2)
    expect(await namesIn(site, 'objects')).toEqual([])
  })

  test('one that is uploaded again is new again: a form may still be open', async () => {
    const site = await openTestApp(dialect, { storage })
    const hash = await store(site, '#b8893b')
    await sweepDaily(site, 29)
    expect(await store(site, '#b8893b')).toBe(hash)
    await sweepDaily(site, 29)
    expect(await namesIn(site, 'objects')).toEqual([objectName(hash)])
  })

  test('one that a project has come to show since it was noted stays', async () => {
    const site = await openTestApp(dialect, { storage })
    const hash = await store(site, '#b8893b')
    await sweepDaily(site, 29)
    await insertProject(site.db, aStoredProject({ imageUrl: storedAddress(hash) }))
    await sweepDaily(site, 40)
    expect(await namesIn(site, 'objects')).toEqual([objectName(hash)])
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

  test('files that belong to nothing go when they are a day old', async () => {
    // Only the clock can be turned on: a bucket decides itself how old a file is.
    const site = await openTestApp(dialect, { storage, clock: testClock(new Date().toISOString()) })
    const known = await store(site, '#b8893b')
    const stray = 'f'.repeat(64)
    const files = [objectName(stray), variantName(stray, { width: 480, format: 'webp' }), uploadName(stray)]
    for (const name of files) await site.storage.put(name, Buffer.from('left behind'))
    const sweep = async () => {
      await sweepStrayFiles(site)
      await sweepUploads(site)
      return [...(await namesIn(site, 'objects')), ...(await namesIn(site, 'variants')), ...(await namesIn(site, 'uploads'))]
    }
    site.clock.pass({ hours: 23 })
    expect(await sweep()).toHaveLength(4)
    site.clock.pass({ hours: 2 })
    expect(await sweep()).toEqual([objectName(known)])
  })

  test('a stray file stays when the same photo comes again in the moment in which it is about to go', async () => {
    const site = await openTestApp(dialect, { storage, clock: testClock(new Date().toISOString()) })
    const hash = await store(site, '#b8893b')
    await site.db.deleteFrom('images').execute()
    site.clock.pass({ days: 2 })
    const { exclusively } = site.database
    const database: Database = {
      ...site.database,
      async exclusively(...given) {
        await store(site, '#b8893b')
        return exclusively(...given)
      },
    }
    await sweepStrayFiles({ ...site, database })
    expect(await namesIn(site, 'objects')).toEqual([objectName(hash)])
  })

  test('a stray file that goes in the moment in which a restore brings the same photo is there afterwards', async () => {
    const site = await openTestApp(dialect, { storage, clock: testClock(new Date().toISOString()) })
    const { hash, content } = await aStoredPhoto()
    await site.storage.put(objectName(hash), content)
    site.clock.pass({ days: 2 })
    const { put } = site.storage
    let restored: Promise<unknown> | undefined
    const { exclusively } = site.database
    const database: Database = {
      ...site.database,
      // The sweep has made its list; before it goes through it, a restore has stored the photo and not yet written it down.
      exclusively: (...given) =>
        new Promise((resolve, reject) => {
          site.storage.put = async (name, ...rest) => {
            await put(name, ...rest)
            if (name !== objectName(hash)) return
            site.storage.put = put
            await exclusively(...given).then(resolve, reject)
          }
          restored = restore(site, [content]).catch(reject)
        }),
    }
    await sweepStrayFiles({ ...site, database })
    await restored
    expect(await site.storage.read(objectName(hash))).toEqual(content)
    expect(await site.db.selectFrom('images').select('hash').execute()).toEqual([{ hash }])
  })
})
