import { rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import type { Integrity } from '#server/database/tables.ts'
import { imageName } from '#server/features/images/image.rules.ts'
import { readJobs, writeJob } from '#server/jobs/jobs.ts'
import { fill, storeContact } from '#tests/backups.ts'
import { runBackupJobs } from '#tests/jobs.ts'
import { openTestApp, sites, type TestApp } from '#tests/test-app.ts'
import { testClock } from '#tests/test-clock.ts'
import { updateBackupState } from './backup-state.ts'
import type { Job } from './job.ts'
import { runJob } from './run-job.ts'

const check = (site: TestApp) => runJob(site.jobs, { kind: 'integrity' })

describe.each(sites)('on %s with %s', (dialect, storage) => {
  test('a whole site is found whole, and its size and time are told', async () => {
    const site = await openTestApp(dialect, { storage })
    await fill(site)
    expect(await check(site)).toMatchObject({ damage: null, photos: 5, missing: 0, damaged: [] })
    const { bytes, now = new Date() } = await site.database.measure()
    expect(bytes).toBeGreaterThan(10_000)
    expect(Math.abs(now.getTime() - Date.now())).toBeLessThan(60_000)
  })
})

test('photos of the maker and of visitors are missed and found damaged, and damaged ones are read every night until they are whole', async () => {
  const site = await openTestApp('sqlite')
  const { photos } = await fill(site)
  const [first, second] = photos
  const fileOf = (hash = '') => path.join(site.config.dataDir, 'files', imageName(hash))
  await writeFile(fileOf(first?.hash), 'damaged')
  await rm(fileOf(second?.hash))
  const sent = await site.storage.list('inquiry-photos')
  await site.storage.remove(sent[0]?.name ?? '')
  const found = await check(site)
  expect(found).toMatchObject({ photos: 5, missing: 2, damaged: [first?.hash] })

  // As if there were so many that it is not its turn.
  await writeJob(site.db, 'integrity', { lastSuccess: site.clock.now().toISOString(), result: found })
  await writeFile(fileOf(first?.hash), first?.content ?? '')
  expect(await check(site)).toMatchObject({ missing: 2, damaged: [] })
})

test('of many photos a hundred are read each night, and the next ones the night after', async () => {
  const site = await openTestApp('sqlite')
  for (let number = 0; number < 130; number += 1) await storeSmallPhoto(site, number)
  const hashes = (await site.db.selectFrom('images').select('hash').orderBy('hash').execute()).map(({ hash }) => hash)
  const night = async () => {
    const result = (await check(site)) as Integrity
    await writeJob(site.db, 'integrity', { lastSuccess: site.clock.now().toISOString(), result })
    return result
  }
  expect(await night()).toMatchObject({ photos: 130, missing: 0, readUpTo: hashes[99], damaged: hashes.slice(0, 100) })
  expect(await night()).toMatchObject({ readUpTo: hashes[69], damaged: expect.arrayContaining(hashes) })
})

/** Whose bytes are not those of its name: cheap, and counted as damaged. */
async function storeSmallPhoto({ db, storage }: TestApp, number: number) {
  const hash = number.toString(16).padStart(64, '0')
  await storage.put(imageName(hash), Buffer.from('x'))
  const facts = { contentType: 'image/jpeg', bytes: 1, width: 1, height: 1, placeholder: '' }
  await db
    .insertInto('images')
    .values({ hash, ...facts })
    .execute()
}

test('it is checked every night, also where nightly backups are off, and after them where they are on', async () => {
  const site = await openTestApp('sqlite', { clock: testClock('2026-05-01T09:00:00.000Z') })
  await site.db.updateTable('site').set({ createdAt: '2026-01-01T00:00:00.000Z' }).execute()
  await storeContact(site)
  const begun: Job['kind'][] = []
  const startJob = async (job: Job) => {
    begun.push(job.kind)
    return job.kind === 'restore-test' ? {} : runJob(site.jobs, job)
  }
  const run = () => runBackupJobs(site, { startJob })
  await run()
  await run()
  expect(begun.filter((kind) => kind !== 'restore-test')).toEqual(['night', 'integrity'])
  expect((await readJobs(site.db)).integrity.result).toMatchObject({ damage: null, photos: 0 })
  await updateBackupState(site.db, { nightly: false })
  begun.length = 0
  site.clock.pass({ days: 1 })
  await run()
  expect(begun).toEqual(['integrity'])
})
