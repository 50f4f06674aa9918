import { createHash } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { expect, test } from 'vitest'
import { systemClock } from '#server/clock.ts'
import { Problem } from '#server/http/problem.ts'
import { openFile } from '#server/storage/disk.ts'
import { openFolder } from '#server/storage/folder.ts'
import { contentOf, everythingIn, fill } from '#tests/backups.ts'
import { temporaryFolder } from '#tests/temporary-folder.ts'
import { openTestDatabase } from '#tests/test-database.ts'
import { createEncoder } from '../../features/images/encoder.ts'
import { createImages } from '../../features/images/image-store.ts'
import { runTask } from '../../features/images/image-tasks.ts'
import { createBackups } from '../create-backups.ts'

const times = 300

/** Numbers that are the same on every run, so that a failure can be looked at again. */
function dice(seed: string) {
  let rolled = 0
  return (sides: number) => {
    rolled += 1
    return createHash('sha256').update(`${seed} ${rolled}`).digest().readUInt32BE(0) % sides
  }
}

type Spoil = (good: Buffer, roll: (sides: number) => number) => Buffer

const ways: Spoil[] = [
  (good, roll) => {
    const spoilt = Buffer.from(good)
    const at = roll(good.length)
    spoilt[at] = (spoilt[at] ?? 0) ^ (1 << roll(8))
    return spoilt
  },
  (good, roll) => good.subarray(0, roll(good.length)),
  (good, roll) => {
    const at = roll(good.length)
    return Buffer.concat([good.subarray(0, at), good.subarray(at + 1 + roll(64))])
  },
  (good, roll) => {
    const at = roll(good.length)
    return Buffer.concat([good.subarray(0, at), Buffer.alloc(1 + roll(64), roll(256)), good.subarray(at)])
  },
  (good, roll) => {
    const spoilt = Buffer.from(good)
    const at = roll(good.length)
    return spoilt.fill(roll(256), at, Math.min(good.length, at + 1 + roll(300)))
  },
  (good, roll) => {
    const spoilt = Buffer.from(good)
    good.copy(spoilt, roll(good.length), roll(good.length), roll(good.length))
    return spoilt
  },
  // The end of the file holds what everything else hangs on.
  (good, roll) => {
    const spoilt = Buffer.from(good)
    const at = good.length - 1 - roll(600)
    spoilt[at] = roll(256)
    return spoilt
  },
]

async function openSite() {
  const database = await openTestDatabase('sqlite')
  const folder = await temporaryFolder()
  const storage = await openFolder(path.join(folder, 'files'))
  const parts = { database, storage, clock: systemClock }
  const images = createImages({ ...parts, encoder: createEncoder({ run: runTask }), variants: { prepare() {} } })
  const backups = createBackups({ ...parts, images })
  return { db: database.db, storage, backups }
}

async function empty({ db, storage }: Awaited<ReturnType<typeof openSite>>) {
  const tables = ['projects', 'contactMessages', 'contactPhotos', 'images', 'siteVersions'] as const
  for (const table of tables) await db.deleteFrom(table).execute()
  for (const folder of ['objects', 'inquiry-photos', 'backups'])
    for (const { name } of await storage.list(folder)) await storage.remove(name)
}

test(`of ${times} random corruptions of an archive each is refused, or brings exactly what the good one brings`, {
  timeout: 300_000,
}, async () => {
  const source = await openSite()
  await fill(source)
  const expected = await contentOf(source)
  const { filename } = await source.backups.keepComplete()
  const good = (await source.storage.read(`backups/${filename}`)) ?? Buffer.alloc(0)

  const site = await openSite()
  const untouched = await everythingIn(site)
  const file = path.join(await temporaryFolder(), 'spoilt.zip')
  const roll = dice('corruption')
  const outcomes = { refused: 0, harmless: 0 }
  for (let time = 0; time < times; time += 1) {
    const spoilt = ways[time % ways.length]?.(good, roll) ?? good
    await writeFile(file, spoilt)
    const opened = await openFile(file)
    const failure = await site.backups.restoreComplete(opened).then(
      () => undefined,
      (error: unknown) => error,
    )
    await opened.close()
    if (failure) {
      expect(failure, `corruption ${time}`).toBeInstanceOf(Problem)
      expect(await everythingIn(site), `corruption ${time}`).toEqual(untouched)
      outcomes.refused += 1
    } else {
      expect(await contentOf(site), `corruption ${time}`).toEqual(expected)
      await empty(site)
      outcomes.harmless += 1
    }
  }
  expect(outcomes.refused + outcomes.harmless).toBe(times)
  expect(outcomes.refused).toBeGreaterThan(times * 0.8)
  expect(await site.storage.list('incoming')).toEqual([])
})
