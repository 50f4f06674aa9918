import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { layOlderRelease } from '../older-release.ts'
import { newSeed, seededRandom } from '../random.ts'
import { temporaryFolder } from '../temporary-folder.ts'
import { contentAt } from './content.ts'
import { faultsOfDemo, olderSiteIn, startAndKill, startAndLook, timeStart } from './kill-starts.ts'
import { owner, ownerAccount } from './site.ts'

/** `npm run bench -- reliability` does 200. */
const kills = 3

async function faultsOfEmptySite(url: string) {
  const { projects } = await contentAt(url, ownerAccount)
  return projects.length === 0 ? [] : ['it has projects']
}

describe('killed while it starts, the site starts again', () => {
  test('whole, when it was the first start', { timeout: 600_000 }, async () => {
    const seed = newSeed()
    const random = seededRandom(seed)
    const folder = await temporaryFolder()
    const duration = await timeStart({ ...owner, DATA_DIR: path.join(folder, 'measured') })
    for (let round = 0; round < kills; round += 1) {
      const DATA_DIR = path.join(folder, String(round))
      // A demo stores photos as well, which takes longer.
      const isDemo = round % 3 === 0
      const settings = isDemo ? { DATA_DIR } : { DATA_DIR, ...owner }
      await startAndKill(settings, random() * duration * (isDemo ? 5 : 1.3))
      const found = await startAndLook(settings, isDemo ? faultsOfDemo : faultsOfEmptySite)
      expect(found, `TEST_SEED=${seed}, round ${round}`).toEqual({ outcome: 'whole', faults: [] })
    }
  })

  test('with all it had, when it was the first start after an update', { timeout: 600_000 }, async () => {
    const seed = newSeed()
    const random = seededRandom(seed)
    const folder = await temporaryFolder()
    const measured = path.join(folder, 'measured')
    await layOlderRelease(measured)
    const duration = await timeStart({ DATA_DIR: measured })
    for (let round = 0; round < kills; round += 1) {
      const dataDir = path.join(folder, String(round))
      await layOlderRelease(dataDir)
      const older = olderSiteIn(dataDir)
      await startAndKill({ DATA_DIR: dataDir }, random() * duration * 1.3)
      const found = await startAndLook({ DATA_DIR: dataDir }, older.faults, older.faultsOnDisk)
      expect(found, `TEST_SEED=${seed}, round ${round}`).toEqual({ outcome: 'whole', faults: [] })
    }
  })
})
