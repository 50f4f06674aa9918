import { randomUUID } from 'node:crypto'
import { copyFile } from 'node:fs/promises'
import path from 'node:path'
import { expect, test } from 'vitest'
import { sendContact } from '#contract/contacts.ts'
import { beginBuiltSite } from '../built-site.ts'
import { post } from '../calls.ts'
import { aContact } from '../factories.ts'
import { layOlderRelease, olderAccount, olderRecordsIn } from '../older-release.ts'
import { newSeed, rounds, seededRandom } from '../random.ts'
import { temporaryFolder } from '../temporary-folder.ts'
import { contentAt } from './content.ts'
import { killAfter } from './kill-starts.ts'

const kills = rounds(2)
const writers = 4
const settingsFor = (dataDir: string) => ({ DATA_DIR: dataDir, RATE_LIMITS: 'off' })

/** Starts the site and writes to it; after so many answers it is told to stop, and killed so long after that, if at all. */
async function writeUntilStopped(dataDir: string, acknowledged: string[], answers: number, killedAfter?: number) {
  const site = beginBuiltSite(settingsFor(dataDir))
  const url = (await site.address) ?? ''
  await expectAll(url, acknowledged)
  const enough = acknowledged.length + answers
  let stoppedAt = 0
  const write = async () => {
    for (;;) {
      const name = `Writer ${randomUUID()}`
      const response = await post(url, sendContact.path, aContact({ name, message: name })).catch(() => undefined)
      if (!response) return
      if (response.status === 200) acknowledged.push(name)
      if (acknowledged.length < enough || stoppedAt > 0) continue
      stoppedAt = performance.now()
      site.child.kill('SIGTERM')
      if (killedAfter !== undefined) void killAfter(site, killedAfter)
    }
  }
  await Promise.all(Array.from({ length: writers }, write))
  const { code, signal } = await site.ended
  expect(signal === 'SIGKILL' || code === 0, site.output.stdout.slice(-500)).toBe(true)
  return performance.now() - stoppedAt
}

async function expectAll(url: string, acknowledged: readonly string[]) {
  const shown = new Set((await contentAt(url, olderAccount)).messages.map(({ name }) => name))
  expect(acknowledged.filter((name) => !shown.has(name))).toEqual([])
}

test(`killed ${kills} times while it stops in the middle of writing, the site has every message it acknowledged, and so has vitrina.sqlite alone`, {
  timeout: 120_000 + kills * 12_000,
}, async () => {
  const seed = newSeed()
  const random = seededRandom(seed)
  const dataDir = await temporaryFolder()
  await layOlderRelease(dataDir)
  const acknowledged: string[] = []
  const duration = await writeUntilStopped(dataDir, acknowledged, 20)
  for (let round = 0; round < kills; round += 1) {
    await writeUntilStopped(dataDir, acknowledged, 1 + random() * 80, random() * duration * 1.5)
    const copy = path.join(await temporaryFolder(), 'vitrina.sqlite')
    await copyFile(path.join(dataDir, 'vitrina.sqlite'), copy)
    const alone = new Set(olderRecordsIn(copy).contact_messages?.map(({ name }) => name))
    const missing = acknowledged.filter((name) => !alone.has(name))
    expect(missing, `TEST_SEED=${seed}, round ${round}`).toEqual([])
  }
  await writeUntilStopped(dataDir, acknowledged, 1)
})
