import { expect, test } from 'vitest'
import { createDatabaseBackup } from '#contract/backups.ts'
import { declaredCalls } from '#tests/declared-calls.ts'
import { fuzz } from '#tests/fuzz.ts'
import { rounds } from '#tests/random.ts'
import { openTestApp } from '#tests/test-app.ts'
import { databases } from '#tests/test-database.ts'

/** The same requests each time; tests/process sends others, over real connections. */
const seed = Number(process.env.TEST_SEED ?? 1)
const count = 100 * rounds(5)

test.each(databases)('no hostile request brings the site on %s down, gets in, or gets past the contract', async (dialect) => {
  const site = await openTestApp(dialect, { config: { rateLimits: false } })
  const served = new Set(site.app.registeredRoutes.map(({ method, url }) => `${method} ${url}`))
  // A database backup starts a program each time; tests/process tries it.
  const tried = (call: { method: string; path: string }) =>
    served.has(`${call.method} ${call.path}`) && call.path !== createDatabaseBackup.path
  const calls = (await declaredCalls()).filter(tried)
  const account = await site.addAdmin()
  let signIns = 0
  const found = await fuzz(
    {
      calls,
      async send({ endpoint: { method }, address, headers, payload }) {
        const response = await site.app.inject({ method, url: address, headers, ...(payload && { payload }) })
        return { status: response.statusCode, body: response.body }
      },
      async signIn() {
        signIns += 1
        // From elsewhere: here somebody has guessed passwords.
        return (await site.signIn(account, { from: `203.0.113.${signIns}` })).cookie
      },
    },
    { seed, count },
  )
  expect(found, `TEST_SEED=${found.seed}`).toMatchObject({ faults: [] })
  // Otherwise nothing was tried.
  expect(found.answers['2xx']).toBeGreaterThan(0.15 * count)
  expect(found.answers['4xx']).toBeGreaterThan(0.55 * count)
})

test.each([
  [500, /^failed: /],
  [200, /^(let in|took a body|took a query): /],
])('a site that answers %i to everything is noticed', async (status, fault) => {
  const site = { calls: await declaredCalls(), send: async () => ({ status, body: '' }), signIn: async () => 'session=x' }
  const { faults } = await fuzz(site, { seed: 1, count: 500 })
  expect(faults.length).toBeGreaterThan(100)
  expect(faults.filter((each) => !fault.test(each))).toEqual([])
})
