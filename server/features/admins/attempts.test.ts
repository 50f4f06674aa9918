import { describe, expect, test } from 'vitest'
import { signIn } from '#contract/admins.ts'
import { openTestApp, type TestApp } from '#tests/test-app.ts'
import { databases, emptyDatabase } from '#tests/test-database.ts'
import { freeMistakes, secondsLeft, secondsToWait } from './attempts.rules.ts'
import { sweepAttempts } from './attempts.ts'

const guess = (site: TestApp, username = 'maker', from = '203.0.113.7') =>
  site.call(signIn, { body: { username, password: 'a wrong guess' }, from })

async function guessTimes(site: TestApp, times: number, usernameOf = (_: number) => 'maker', from?: string) {
  for (let made = 0; made < times; made += 1) {
    const response = await guess(site, usernameOf(made), from)
    expect(response.statusCode).toBe(401)
  }
}

describe('how long to wait', () => {
  test('the first mistakes cost nothing', () => {
    for (let failures = 0; failures < freeMistakes.account; failures += 1) {
      expect(secondsToWait(failures, freeMistakes.account)).toBe(0)
    }
  })

  test('then it doubles, and never becomes a lock', () => {
    const waits = Array.from({ length: 12 }, (_, more) => secondsToWait(freeMistakes.account + more, freeMistakes.account))
    expect(waits).toEqual([1, 2, 4, 8, 16, 32, 64, 128, 256, 300, 300, 300])
    expect(secondsToWait(1_000_000, freeMistakes.account)).toBe(300)
  })

  test('it runs from the latest mistake and ends by itself', () => {
    const attempts = { failures: freeMistakes.account + 3, lastFailure: '2026-05-01T12:00:00.000Z' }
    const leftAt = (time: string) => secondsLeft(attempts, freeMistakes.account, new Date(time))
    expect(leftAt('2026-05-01T12:00:00.000Z')).toBe(8)
    expect(leftAt('2026-05-01T12:00:07.500Z')).toBe(1)
    expect(leftAt('2026-05-01T12:00:08.000Z')).toBe(0)
    expect(leftAt('2026-05-01T13:00:00.000Z')).toBe(0)
    expect(secondsLeft(undefined, freeMistakes.account, new Date())).toBe(0)
  })
})

describe.each(databases)('guessing passwords on %s', (dialect) => {
  test('is slowed down more and more, and says for how long', async () => {
    const site = await openTestApp(dialect)
    await site.addAdmin()
    await guessTimes(site, freeMistakes.account)
    for (const seconds of [1, 2, 4, 8]) {
      const refused = await guess(site)
      expect(refused.statusCode).toBe(429)
      expect(refused.headers['retry-after']).toBe(String(seconds))
      const wait = seconds === 1 ? 'one second' : `${seconds} seconds`
      expect(refused.json()).toEqual({
        message: `Too many failed attempts. Please try again in ${wait}.`,
        code: 'too_many_attempts',
      })
      site.clock.pass({ seconds })
      await guessTimes(site, 1)
    }
  })

  test('does not hear even the right password until the wait is over, and then does', async () => {
    const site = await openTestApp(dialect)
    const admin = await site.addAdmin()
    await guessTimes(site, freeMistakes.account)
    expect((await site.call(signIn, { body: { username: admin.username, password: admin.password } })).statusCode).toBe(429)
    site.clock.pass({ seconds: 1 })
    await site.signIn(admin)
  })

  test('never locks an account for good: after a thousand mistakes five minutes are enough', async () => {
    const site = await openTestApp(dialect)
    const admin = await site.addAdmin()
    await guessTimes(site, 1)
    await site.db.updateTable('loginAttempts').set({ failures: 1_000 }).execute()
    const refused = await guess(site)
    expect(refused.headers['retry-after']).toBe('300')
    site.clock.pass({ minutes: 5 })
    await site.signIn(admin)
  })

  test('a name in other capitals is the same name, and a name nobody has is counted as well', async () => {
    const site = await openTestApp(dialect)
    const spellings = ['nobody', 'Nobody', 'NOBODY', 'nobodY', ' nobody ']
    await guessTimes(site, freeMistakes.account, (made) => spellings[made] ?? '')
    expect((await guess(site, 'noBody')).statusCode).toBe(429)
  })

  test('a refused attempt is not counted, so asking too early costs nothing more', async () => {
    const site = await openTestApp(dialect)
    await guessTimes(site, freeMistakes.account)
    for (let asked = 0; asked < 3; asked += 1) expect((await guess(site)).headers['retry-after']).toBe('1')
  })

  test('a right password forgives the mistakes before it', async () => {
    const site = await openTestApp(dialect)
    const admin = await site.addAdmin()
    await guessTimes(site, freeMistakes.account - 1)
    await site.signIn(admin)
    await guessTimes(site, freeMistakes.account)
    expect((await guess(site)).statusCode).toBe(429)
  })

  test('an address that tries many names is slowed down too, and other addresses are not', async () => {
    const site = await openTestApp(dialect)
    const admin = await site.addAdmin()
    await guessTimes(site, freeMistakes.address, (made) => `name ${made}`, '203.0.113.9')
    const refused = await guess(site, 'another name', '203.0.113.9')
    expect(refused.statusCode).toBe(429)
    expect(refused.headers['retry-after']).toBe('1')
    await site.signIn(admin, { from: '203.0.113.10' })
  })

  test('many guesses at once are as many guesses', async () => {
    const site = await openTestApp(dialect)
    await site.addAdmin()
    const answers = await Promise.all(Array.from({ length: 12 }, () => guess(site)))
    const statuses = answers.map(({ statusCode }) => statusCode)
    expect(statuses.filter((status) => status === 401)).toHaveLength(freeMistakes.account)
    expect(statuses.filter((status) => status === 429)).toHaveLength(12 - freeMistakes.account)
  })

  test('neither names nor addresses are written down in clear', async () => {
    const site = await openTestApp(dialect)
    await guessTimes(site, 1, () => 'my-password-by-mistake')
    const rows = JSON.stringify(await site.db.selectFrom('loginAttempts').selectAll().execute())
    expect(rows).not.toContain('my-password-by-mistake')
    expect(rows).not.toContain('203.0.113.7')
  })

  test('mistakes are forgotten after a day', async () => {
    const site = await openTestApp(dialect)
    await guessTimes(site, freeMistakes.account)
    site.clock.pass({ hours: 23 })
    await sweepAttempts(site.db, site.clock)
    expect(await site.db.selectFrom('loginAttempts').selectAll().execute()).toHaveLength(2)
    site.clock.pass({ hours: 2 })
    await sweepAttempts(site.db, site.clock)
    expect(await site.db.selectFrom('loginAttempts').selectAll().execute()).toEqual([])
  })
})

describe('guessing passwords at several processes', () => {
  test('is counted as one', async () => {
    const place = await emptyDatabase('postgres')
    const sites = [await openTestApp('postgres', { place }), await openTestApp('postgres', { place })] as const
    await sites[0].addAdmin()
    const answers = await Promise.all(Array.from({ length: 12 }, (_, turn) => guess(sites[turn % 2] ?? sites[0])))
    expect(answers.filter(({ statusCode }) => statusCode === 401)).toHaveLength(freeMistakes.account)
    expect(answers.filter(({ statusCode }) => statusCode === 429)).toHaveLength(12 - freeMistakes.account)
  })
})
