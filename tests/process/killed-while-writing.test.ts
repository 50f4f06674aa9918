import { describe, expect, test } from 'vitest'
import { sendContact } from '#contract/contacts.ts'
import { openDatabase } from '#server/database/open.ts'
import { allContacts } from '#tests/all-records.ts'
import type { BuiltSite } from '../built-site.ts'
import { post } from '../calls.ts'
import { anInquiry } from '../factories.ts'
import { newSeed, seededRandom } from '../random.ts'
import { databases, emptyDatabase } from '../test-database.ts'
import { startSite } from './site.ts'

const rounds = 3
const writers = 4

/** Sends inquiries, and kills the site after so many answers. */
async function writeUntilKilled(site: BuiltSite, round: number, enough: number) {
  const acknowledged: string[] = []
  let killed = false
  const write = async (writer: number) => {
    for (let sent = 0; !killed; sent += 1) {
      const name = `round ${round}, writer ${writer}, message ${sent}`
      const response = await post(site.url, sendContact.path, anInquiry({ name })).catch(() => undefined)
      if (!response) return
      expect(response.status).toBe(200)
      acknowledged.push(name)
      if (acknowledged.length >= enough && !killed) {
        killed = true
        await site.kill()
      }
    }
  }
  await Promise.all(Array.from({ length: writers }, (_, writer) => write(writer)))
  return acknowledged
}

describe.each(databases)('killed in the middle of writing on %s', (dialect) => {
  test('the site starts again and has every message it said it had', { timeout: 600_000 }, async () => {
    const place = await emptyDatabase(dialect)
    const settings = { DATA_DIR: place.dataDir, RATE_LIMITS: 'off', ...(place.url && { DATABASE_URL: place.url }) }
    const seed = newSeed()
    const random = seededRandom(seed)
    const acknowledged: string[] = []
    for (let round = 0; round < rounds; round += 1) {
      acknowledged.push(...(await writeUntilKilled(await startSite(settings), round, 1 + random() * 80)))
    }
    await startSite(settings)

    const { db, close } = await openDatabase(place)
    const stored = (await allContacts(db)).map(({ name }) => name)
    await close()
    expect(acknowledged.length).toBeGreaterThanOrEqual(rounds)
    expect(
      acknowledged.filter((name) => !stored.includes(name)),
      `TEST_SEED=${seed}`,
    ).toEqual([])
    expect(new Set(stored).size).toBe(stored.length)
  })
})
