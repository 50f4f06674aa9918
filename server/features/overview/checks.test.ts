import { rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { expect, test } from 'vitest'
import { readChecks } from '#contract/checks.ts'
import { runJob } from '#server/backup/run-job.ts'
import { writeJob } from '#server/jobs/jobs.ts'
import { fill } from '#tests/backups.ts'
import { openTestApp, type TestApp } from '#tests/test-app.ts'
import { imageName } from '../images/image.rules.ts'

/** By the clock of the test, which is behind ours. */
async function beginBefore({ db }: TestApp) {
  await db.updateTable('site').set({ createdAt: '2026-01-01T00:00:00.000Z' }).execute()
}

test('an owner reads every check in its order, and a helper none', async () => {
  const site = await openTestApp('sqlite', { config: { publicUrl: 'https://models.example' } })
  await beginBefore(site)
  const as = await site.signedIn()
  const { now, checks } = await site.ask(readChecks, { as })
  expect(now).toBe(site.clock.now().toISOString())
  const found = Object.fromEntries(checks.map(({ check, finding }) => [check, finding]))
  expect(found).toMatchObject({
    ...{ settings: 'settings_accepted', address: 'address_secure', proxy: 'proxy_none', demo: 'demo_gone' },
    ...{ backups: 'backups_missing', database: 'database_sound', photos: 'photos_unchecked', mail: 'mail_off' },
    ...{ clock: 'clock_right', accounts: 'accounts_locked_out', visitors: 'visitors_welcome' },
  })
  expect(checks.find(({ check }) => check === 'accounts')?.values).toEqual({ names: ['maker'] })
  expect(checks.find(({ check }) => check === 'disk')?.values.free).toBeGreaterThan(0)
  const helper = await site.signedIn({ username: 'Ana', role: 'helper' })
  expect((await site.call(readChecks, { as: helper })).statusCode).toBe(403)
  expect((await site.call(readChecks)).statusCode).toBe(401)
})

test('what the nightly check has found is shown, and a storage that does not answer is red in its own lines', async () => {
  let isAway = false
  const site = await openTestApp('sqlite')
  await beginBefore(site)
  const { photos } = await fill(site)
  const as = await site.signedIn()
  const check = site.storage.check
  site.storage.check = async () => {
    if (isAway) throw new Error('The bucket is away.')
    return check()
  }
  const place = path.join(site.config.dataDir, 'files', imageName(photos[0]?.hash ?? ''))
  await writeFile(place, 'damaged')
  await rm(path.join(site.config.dataDir, 'files', imageName(photos[1]?.hash ?? '')))
  const lastSuccess = site.clock.now().toISOString()
  await writeJob(site.db, 'integrity', { lastSuccess, result: await runJob(site.jobs, { kind: 'integrity' }) })
  const photosFound = async () => (await site.ask(readChecks, { as })).checks.find((each) => each.check === 'photos')
  expect(await photosFound()).toMatchObject({ level: 'red', values: { missing: 1, damaged: 1 } })
  isAway = true
  expect(await photosFound()).toEqual({
    ...{ check: 'photos', level: 'red', finding: 'unreadable', values: { reason: 'The bucket is away.' } },
  })
  expect(await site.findings({ as })).toContain('clock_right')
})
