import { describe, expect, test } from 'vitest'
import { changePassword, checkSession, signIn } from '#contract/accounts.ts'
import { read } from '#tests/source-files.ts'
import { cookiesFrom, openTestApp, type TestApp } from '#tests/test-app.ts'
import { databases, migratedDatabase } from '#tests/test-database.ts'
import { brakes, countedAnywhere, secondsLeft, secondsToWait, sweepAttempts } from './sign-in-attempts.ts'

const guess = (site: TestApp, username = 'maker', from = '203.0.113.7') =>
  site.call(signIn, { body: { username, password: 'a wrong guess' }, from })

/** As many guesses as cost nothing. */
const free = brakes.accountAtAddress.free

/** One of endlessly many. */
const addressOf = (number: number) => `198.51.${100 + Math.floor(number / 250)}.${number % 250}`

async function guessTimes(site: TestApp, times: number, usernameOf = (_: number) => 'maker', from?: string) {
  for (let made = 0; made < times; made += 1) {
    const response = await guess(site, usernameOf(made), from)
    expect(response.statusCode).toBe(401)
  }
}

describe('how long to wait', () => {
  test('the first mistakes cost nothing', () => {
    for (let failures = 0; failures < brakes.device.free; failures += 1) expect(secondsToWait(failures, brakes.device)).toBe(0)
  })

  test('then it doubles, and never becomes a lock', () => {
    const waits = Array.from({ length: 12 }, (_, more) => secondsToWait(free + more, brakes.accountAtAddress))
    expect(waits).toEqual([1, 2, 4, 8, 16, 32, 64, 128, 256, 300, 300, 300])
    expect(secondsToWait(1_000_000, brakes.accountAtAddress)).toBe(300)
  })

  test('the one wait that strangers can cause stays short', () => {
    expect(secondsToWait(99, brakes.account)).toBe(0)
    expect(secondsToWait(1_000_000, brakes.account)).toBe(30)
  })

  test('it runs from the latest mistake and ends by itself', () => {
    const attempts = { failures: free + 3, lastFailure: '2026-05-01T12:00:00.000Z' }
    const leftAt = (time: string) => secondsLeft(attempts, brakes.accountAtAddress, new Date(time))
    expect(leftAt('2026-05-01T12:00:00.000Z')).toBe(8)
    expect(leftAt('2026-05-01T12:00:07.500Z')).toBe(1)
    expect(leftAt('2026-05-01T12:00:08.000Z')).toBe(0)
    expect(leftAt('2026-05-01T13:00:00.000Z')).toBe(0)
    expect(secondsLeft(undefined, brakes.accountAtAddress, new Date())).toBe(0)
  })
})

describe('guessing passwords', () => {
  test('does not hear even the right password until the wait is over, and then does', async () => {
    const site = await openTestApp('sqlite')
    const admin = await site.addAdmin()
    const { username, password } = admin
    await guessTimes(site, free)
    const early = await site.call(signIn, { body: { username, password }, from: '203.0.113.7' })
    expect(early.statusCode).toBe(429)
    site.clock.pass({ seconds: 1 })
    await site.signIn(admin, { from: '203.0.113.7' })
  })

  test('never locks an account for good: after a thousand mistakes five minutes are enough', async () => {
    const site = await openTestApp('sqlite')
    const admin = await site.addAdmin()
    await guessTimes(site, 1)
    await site.db.updateTable('loginAttempts').set({ failures: 1_000 }).execute()
    const refused = await guess(site)
    expect(refused.headers['retry-after']).toBe('300')
    site.clock.pass({ minutes: 5 })
    await site.signIn(admin, { from: '203.0.113.7' })
  })

  test('a name in other capitals is the same name, and an unknown name is counted as well', async () => {
    const site = await openTestApp('sqlite')
    const spellings = ['nobody', 'Nobody', 'NOBODY', 'nobodY', ' nobody ']
    await guessTimes(site, free, (made) => spellings[made] ?? '')
    expect((await guess(site, 'noBody')).statusCode).toBe(429)
  })

  test('a refused attempt is not counted, so asking too early costs nothing more', async () => {
    const site = await openTestApp('sqlite')
    await guessTimes(site, free)
    for (let attempt = 0; attempt < 3; attempt += 1) expect((await guess(site)).headers['retry-after']).toBe('1')
  })

  test('a right password forgives the mistakes before it', async () => {
    const site = await openTestApp('sqlite')
    const admin = await site.addAdmin()
    await guessTimes(site, free - 1)
    await site.signIn(admin, { from: '203.0.113.7' })
    await guessTimes(site, free)
    expect((await guess(site)).statusCode).toBe(429)
  })

  test('an address that tries many names is slowed down too, and other addresses are not', async () => {
    const site = await openTestApp('sqlite')
    const admin = await site.addAdmin()
    await guessTimes(site, brakes.address.free, (made) => `name ${made}`, '203.0.113.9')
    const refused = await guess(site, 'another name', '203.0.113.9')
    expect(refused.statusCode).toBe(429)
    expect(refused.headers['retry-after']).toBe('1')
    await site.signIn(admin, { from: '203.0.113.10' })
  })

  test('neither names nor addresses are written down in clear', async () => {
    const site = await openTestApp('sqlite')
    await guessTimes(site, 1, () => 'my-password-by-mistake')
    const rows = JSON.stringify(await site.db.selectFrom('loginAttempts').selectAll().execute())
    expect(rows).not.toContain('my-password-by-mistake')
    expect(rows).not.toContain('203.0.113.7')
  })
})

describe.each(databases)('guessing passwords on %s', (dialect) => {
  test('is slowed down more and more, and says for how long', async () => {
    const site = await openTestApp(dialect)
    await site.addAdmin()
    await guessTimes(site, free)
    for (const seconds of [1, 2, 4, 8]) {
      const refused = await guess(site)
      expect(refused.statusCode).toBe(429)
      expect(refused.headers['retry-after']).toBe(String(seconds))
      const wait = seconds === 1 ? 'one second' : `${seconds} seconds`
      expect(refused.json()).toEqual({
        message: `Too many failed attempts. Please try again in ${wait}.`,
        code: 'too_many_attempts',
        details: { seconds },
      })
      site.clock.pass({ seconds })
      await guessTimes(site, 1)
    }
  })

  test('many guesses at once are as many guesses', async () => {
    const site = await openTestApp(dialect)
    await site.addAdmin()
    const answers = await Promise.all(Array.from({ length: 12 }, () => guess(site)))
    const statuses = answers.map(({ statusCode }) => statusCode)
    expect(statuses.filter((status) => status === 401)).toHaveLength(free)
    expect(statuses.filter((status) => status === 429)).toHaveLength(12 - free)
  })

  test('mistakes are forgotten after a day', async () => {
    const site = await openTestApp(dialect)
    await guessTimes(site, free)
    site.clock.pass({ hours: 23 })
    await sweepAttempts(site.db, site.clock)
    expect(await site.db.selectFrom('loginAttempts').selectAll().execute()).toHaveLength(3)
    site.clock.pass({ hours: 2 })
    await sweepAttempts(site.db, site.clock)
    expect(await site.db.selectFrom('loginAttempts').selectAll().execute()).toEqual([])
  })
})

describe('the guesses of others lock no account', () => {
  /** A guess each from many addresses, none of which has to wait for itself. */
  async function flood(site: TestApp, times: number) {
    const statuses: number[] = []
    for (let made = 0; made < times; made += 1) statuses.push((await guess(site, 'maker', addressOf(made))).statusCode)
    return statuses
  }

  test('a browser that has signed in before is always heard, also from the address of the guesses', async () => {
    const site = await openTestApp('sqlite')
    const { username, password } = await site.addAdmin()
    const body = { username, password }
    const device = { cookie: cookiesFrom(await site.call(signIn, { body })) }
    // Slower than no flood ever was: the counters are as high as they would be then.
    await flood(site, 3)
    await guessTimes(site, free)
    await site.db.updateTable('loginAttempts').set({ failures: 100_000 }).execute()
    for (const from of ['203.0.113.7', addressOf(1), '192.0.2.1']) {
      expect((await site.call(signIn, { body, from })).statusCode).toBe(429)
      expect((await site.call(signIn, { body, from, as: device })).statusCode).toBe(200)
    }
  })

  test('a new browser is heard elsewhere while one address guesses', async () => {
    const site = await openTestApp('sqlite')
    const admin = await site.addAdmin()
    for (let second = 0; second < 75; second += 1) {
      await guess(site)
      site.clock.pass({ seconds: 1 })
    }
    expect((await guess(site)).statusCode).toBe(429)
    await site.signIn(admin, { from: '192.0.2.1' })
  })

  /** As if so many had guessed, from as many addresses. */
  async function guessedFromEverywhere({ db, clock }: TestApp, failures: number) {
    const subject = countedAnywhere('maker', '192.0.2.1')[2]?.subject ?? ''
    const lastFailure = clock.now().toISOString()
    await db
      .insertInto('loginAttempts')
      .values({ subject, failures, lastFailure })
      .onConflict((conflict) => conflict.column('subject').doUpdateSet({ failures, lastFailure }))
      .execute()
  }

  test('a new browser whose password is right is heard, until thousands of addresses guess; then after half a minute at most', async () => {
    const site = await openTestApp('sqlite')
    const { username, password } = await site.addAdmin()
    const signInAnew = async () => (await site.call(signIn, { body: { username, password }, from: '192.0.2.1' })).statusCode
    await guessedFromEverywhere(site, brakes.accountUnderAttack.free - 1)
    expect(await signInAnew()).toBe(200)
    await guessedFromEverywhere(site, 100_000)
    expect(await signInAnew()).toBe(429)
    site.clock.pass({ seconds: 30 })
    expect(await signInAnew()).toBe(200)
  })

  test('guesses through many addresses are slowed down all the same: each has one, and then all wait', async () => {
    const site = await openTestApp('sqlite')
    await site.addAdmin()
    await guessedFromEverywhere(site, brakes.account.free)
    const statusFrom = async (number: number) => (await guess(site, 'maker', addressOf(number))).statusCode
    expect([await statusFrom(1), await statusFrom(1)]).toEqual([401, 429])
    expect([await statusFrom(2), await statusFrom(2)]).toEqual([401, 429])
    await guessedFromEverywhere(site, brakes.accountUnderAttack.free)
    expect(await statusFrom(3)).toBe(429)
  })

  test('a known browser that guesses is slowed down like any other, and by its own guesses only', async () => {
    const site = await openTestApp('sqlite')
    const { username, password } = await site.addAdmin()
    const enter = async () => ({ cookie: cookiesFrom(await site.call(signIn, { body: { username, password } })) })
    const [one, other] = [await enter(), await enter()]
    const wrong = { username, password: 'a wrong guess' }
    for (let made = 0; made < free; made += 1) {
      expect((await site.call(signIn, { body: wrong, as: one, from: addressOf(made) })).statusCode).toBe(401)
    }
    expect((await site.call(signIn, { body: wrong, as: one, from: addressOf(free) })).statusCode).toBe(429)
    expect((await site.call(signIn, { body: { username, password }, as: other })).statusCode).toBe(200)
  })

  test('what is not the very cookie of that account and its present password counts for nothing', async () => {
    const site = await openTestApp('sqlite')
    const admin = await site.addAdmin()
    const ana = await site.addAdmin({ username: 'Ana', password: 'another secret' })
    const deviceOf = async (account: { username: string; password: string }) => {
      const response = await site.call(signIn, { body: { username: account.username, password: account.password } })
      return response.cookies.find(({ name }) => name === 'device')?.value ?? ''
    }
    const [own, hers] = [await deviceOf(admin), await deviceOf(ana)]
    await guess(site)
    await site.db.updateTable('loginAttempts').set({ failures: 100_000 }).execute()
    const statusWith = async (device: string) => {
      const { username, password } = admin
      const as = { cookie: `device=${device}` }
      return (await site.call(signIn, { body: { username, password }, as, from: '203.0.113.7' })).statusCode
    }
    const [id] = own.split('.')
    for (const forged of [hers, `${id}.`, `${id}.${'A'.repeat(43)}`, `.${own.split('.')[1]}`, 'garbage', `${own}x`]) {
      expect(await statusWith(forged)).toBe(429)
    }
    expect(await statusWith(own)).toBe(200)
    await site.db
      .updateTable('adminUsers')
      .set({ passwordHash: 'of another password' })
      .where('id', '=', admin.adminId)
      .execute()
    expect(await statusWith(own)).toBe(429)
  })

  test('a neighbour in the same IPv6 network is the same address, and one in the next is not', async () => {
    const site = await openTestApp('sqlite')
    const admin = await site.addAdmin()
    for (let made = 0; made < free; made += 1) await guess(site, 'maker', `2001:db8:1:2::${made + 1}`)
    expect((await guess(site, 'maker', '2001:db8:1:2:ffff::1')).statusCode).toBe(429)
    for (let made = 0; made < free; made += 1) await guess(site, 'maker', '203.0.113.50')
    expect((await guess(site, 'maker', '::ffff:203.0.113.50')).statusCode).toBe(429)
    await site.signIn(admin, { from: '2001:db8:1:3::1' })
  })
})

describe('guessing the password of a session that was taken over', () => {
  const wrong = { currentPassword: 'a wrong guess', newPassword: 'taken over' }

  test('is slowed down like guessing at sign-in, and the owner elsewhere is not', async () => {
    const site = await openTestApp('sqlite')
    const maker = await site.signedIn()
    for (let made = 0; made < free; made += 1) {
      expect((await site.call(changePassword, { as: maker, body: wrong })).statusCode).toBe(400)
    }
    const right = { currentPassword: maker.password, newPassword: 'a better one' }
    const refused = await site.call(changePassword, { as: maker, body: right })
    expect(refused.statusCode).toBe(429)
    expect(refused.json()).toEqual({
      message: 'Too many failed attempts. Please try again in one second.',
      code: 'too_many_attempts',
      details: { seconds: 1 },
    })
    const owner = await site.signIn(maker)
    expect((await site.call(changePassword, { as: owner, body: right, from: '192.0.2.1' })).statusCode).toBe(200)
    expect(await site.ask(checkSession, { as: maker })).toEqual({ authenticated: false })
  })
})

describe('what is logged of signing in', () => {
  test('is one line each time: how it ended, the address, and the account if there is one', async () => {
    const lines: Record<string, unknown>[] = []
    const site = await openTestApp('sqlite', { onLogged: (line) => lines.push(line) })
    const admin = await site.addAdmin({ username: 'Álvaro' })
    await site.signIn({ ...admin, username: ' ÁLVARO ' }, { from: '192.0.2.1' })
    await guess(site, 'my-password-by-mistake')
    await guessTimes(site, free, () => 'álvaro')
    await guess(site, 'álvaro')
    const logged = lines
      .filter(({ msg }) => msg === 'sign-in')
      .map(({ outcome, address, account, level }) => [level, outcome, address, account])
    expect(logged).toEqual([
      [30, 'ok', '192.0.2.1', 'Álvaro'],
      [30, 'wrong', '203.0.113.7', null],
      ...Array(free).fill([30, 'wrong', '203.0.113.7', 'Álvaro']),
      [30, 'refused-too-many', '203.0.113.7', 'Álvaro'],
    ])
    expect(JSON.stringify(lines)).not.toContain('my-password-by-mistake')

    // What docs/deploy.md tells fail2ban to look for.
    const documented = /^ *failregex = (.*)$/m.exec(read('docs/deploy.md'))?.[1] ?? ''
    const failure = new RegExp(documented.replace('<ADDR>', '(?<address>[0-9a-f.:]+)'))
    const addresses = lines.flatMap((line) => failure.exec(JSON.stringify(line))?.groups?.address ?? [])
    expect(addresses).toEqual(Array(free + 2).fill('203.0.113.7'))
  })
})

describe('guessing passwords at several processes', () => {
  test('is counted as one', async () => {
    const place = await migratedDatabase('postgres')
    const sites = [await openTestApp('postgres', { place }), await openTestApp('postgres', { place })] as const
    await sites[0].addAdmin()
    const answers = await Promise.all(Array.from({ length: 12 }, (_, turn) => guess(sites[turn % 2] ?? sites[0])))
    expect(answers.filter(({ statusCode }) => statusCode === 401)).toHaveLength(free)
    expect(answers.filter(({ statusCode }) => statusCode === 429)).toHaveLength(12 - free)
  })
})
