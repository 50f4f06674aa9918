import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { createCompleteBackup } from '#contract/backups.ts'
import { judgeImage } from '#server/features/images/image-tasks.ts'
import { Problem } from '#server/http/problem.ts'
import { asOpenFile, fill } from '#tests/backups.ts'
import { openTestApp } from '#tests/test-app.ts'
import { storedBackup } from '../backup-names.ts'
import { noProgress } from '../job.ts'
import type { CheckedRecord } from './export.rules.ts'
import { checkPhotos, openBackupFile } from './read-backup.ts'

const times = 1_000

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

/** All that a restore would take from it. */
async function contentOf(archive: Buffer) {
  const incoming = await openBackupFile(asOpenFile(archive), 'spoilt.zip')
  const needed = await checkPhotos(incoming, { judge: judgeImage, isNeeded: async () => true, progress: noProgress })
  const photos = needed.map(({ kind, hash, width, height }) => `${kind} ${hash} ${width} ${height}`).toSorted()
  const records: CheckedRecord[] = []
  for await (const some of incoming.records()) records.push(...some)
  return { records, site: incoming.site, photos }
}

test(`of ${times} random corruptions of an archive each is refused, or brings exactly what the good one brings`, {
  timeout: 300_000,
}, async () => {
  const site = await openTestApp('sqlite')
  await fill(site)
  const { filename } = await site.ask(createCompleteBackup, { as: await site.signedIn() })
  const good = (await site.storage.read(storedBackup(filename))) ?? Buffer.alloc(0)
  const expected = await contentOf(good)
  expect([expected.records.length, expected.photos.length]).toEqual([5, 5])

  const roll = dice('corruption')
  let refused = 0
  for (let time = 0; time < times; time += 1) {
    const spoilt = ways[time % ways.length]?.(good, roll) ?? good
    const outcome = await contentOf(spoilt).catch((error: unknown) => error)
    if (outcome instanceof Error) {
      expect(outcome, `corruption ${time}`).toBeInstanceOf(Problem)
      refused += 1
    } else expect(outcome, `corruption ${time}`).toEqual(expected)
  }
  expect(refused).toBeGreaterThan(times * 0.8)
})
