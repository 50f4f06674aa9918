import { cp, rm } from 'node:fs/promises'
import path from 'node:path'
import { DatabaseSync } from '@photostructure/sqlite'
import { describe, expect, test } from 'vitest'
import { layOlderRelease } from '../older-release.ts'
import { newSeed, rounds, seededRandom } from '../random.ts'
import { temporaryFolder } from '../temporary-folder.ts'
import { contentAt } from './content.ts'
import { faultsOfDemo, olderSiteIn, startAndKill, startAndLook, timeStart } from './kill-starts.ts'
import { owner, ownerAccount } from './site.ts'

const kills = rounds(1)
const timeout = 600_000 + kills * 12_000

async function faultsOfEmptySite(url: string) {
  const { projects } = await contentAt(url, ownerAccount)
  return projects.length === 0 ? [] : ['it has projects']
}

/** The sample alone is updated so quickly that hardly a kill would hit the update. */
function addMessages(dataDir: string) {
  const database = new DatabaseSync(path.join(dataDir, 'vitrina.sqlite'))
  database.exec(`
    insert into contact_messages (id, name, email, message)
    with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n < 5000)
    select printf('00000000-0000-4000-8000-%012d', n), 'Visitor ' || n, 'visitor@example.com', 'Number ' || n || '?' from numbers`)
  database.close()
}

describe('killed while it starts, the site starts again', () => {
  test('whole, when it was the first start', { timeout }, async () => {
    const seed = newSeed()
    const random = seededRandom(seed)
    const folder = await temporaryFolder()
    const first = Math.floor(random() * 2)
    const duration = await timeStart({ ...owner, DATA_DIR: path.join(folder, 'measured') })
    for (let round = 0; round < kills; round += 1) {
      const DATA_DIR = path.join(folder, String(round))
      // A demo stores photos as well, which takes longer.
      const isDemo = (first + round) % 2 === 0
      const settings = isDemo ? { DATA_DIR } : { DATA_DIR, ...owner }
      await startAndKill(settings, random() * duration * (isDemo ? 5 : 1.3))
      const found = await startAndLook(settings, isDemo ? faultsOfDemo : faultsOfEmptySite)
      expect(found, `TEST_SEED=${seed}, round ${round}`).toEqual({ outcome: 'whole', faults: [] })
      await rm(DATA_DIR, { recursive: true })
    }
  })

  test('with all it had, when it was the first start after an update', { timeout }, async () => {
    const seed = newSeed()
    const random = seededRandom(seed)
    const folder = await temporaryFolder()
    const sample = path.join(folder, 'sample')
    await layOlderRelease(sample)
    addMessages(sample)
    const dataDir = path.join(folder, 'data')
    await cp(sample, dataDir, { recursive: true })
    const duration = await timeStart({ DATA_DIR: dataDir })
    for (let round = 0; round < kills; round += 1) {
      await rm(dataDir, { recursive: true })
      await cp(sample, dataDir, { recursive: true })
      const older = olderSiteIn(dataDir)
      await startAndKill({ DATA_DIR: dataDir }, random() * duration * 1.3)
      const found = await startAndLook({ DATA_DIR: dataDir }, older.faults, older.faultsOnDisk)
      expect(found, `TEST_SEED=${seed}, round ${round}`).toEqual({ outcome: 'whole', faults: [] })
    }
  })
})
