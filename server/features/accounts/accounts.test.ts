import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import {
  changePassword,
  changeRole,
  checkSession,
  createAdmin,
  deleteAdmin,
  endOtherSessions,
  endSession,
  listAdmins,
  listSessions,
  signIn,
} from '#contract/accounts.ts'
import { cookieFrom, openTestApp } from '#tests/test-app.ts'
import { databases } from '#tests/test-database.ts'

const isSignedIn = { authenticated: true, adminId: expect.any(String), role: 'owner' }
type Somebody = { cookie: string }

const isSignedOut = { authenticated: false }

describe('accounts', () => {
  test('a deleted account cannot sign in, and its sessions end', async () => {
    const site = await openTestApp('sqlite')
    const maker = await site.signedIn()
    const ana = await site.signedIn({ username: 'Ana' })
    expect(await site.ask(deleteAdmin, { as: maker, params: { id: ana.adminId } })).toEqual({
      message: 'Admin user deleted successfully',
    })
    expect(await site.ask(checkSession, { as: ana })).toEqual(isSignedOut)
    const { username, password } = ana
    expect((await site.call(signIn, { body: { username, password } })).statusCode).toBe(401)
    expect(await site.ask(checkSession, { as: maker })).toEqual(isSignedIn)
  })

  test('the own account may be deleted while there is another', async () => {
    const site = await openTestApp('sqlite')
    await site.addAdmin()
    const ana = await site.signedIn({ username: 'Ana' })
    await site.ask(deleteAdmin, { as: ana, params: { id: ana.adminId } })
    expect((await site.call(listAdmins, { as: ana })).statusCode).toBe(401)
  })

  test('an unknown account is 404', async () => {
    const site = await openTestApp('sqlite')
    const maker = await site.signedIn()
    const unknown = await site.call(deleteAdmin, { as: maker, params: { id: randomUUID() } })
    expect(unknown.statusCode).toBe(404)
    expect(unknown.json()).toEqual({ message: 'That account no longer exists.', code: 'admin_not_found' })
    expect((await site.call(deleteAdmin, { as: maker, params: { id: 'nothing' } })).statusCode).toBe(404)
  })

  test('a new password replaces the old one and ends the other sessions of that account only', async () => {
    const site = await openTestApp('sqlite')
    const desk = await site.signedIn()
    const phone = await site.signIn(desk)
    const ana = await site.signedIn({ username: 'Ana' })
    const body = { currentPassword: desk.password, newPassword: 'a better one' }
    const changed = await site.call(changePassword, { as: desk, body })
    expect(changed.json()).toEqual({ message: 'Password updated successfully' })

    // Under a new identifier: one that was stolen before is worth nothing any more.
    expect(await site.ask(checkSession, { as: { cookie: cookieFrom(changed) } })).toEqual(isSignedIn)
    expect(await site.ask(checkSession, { as: desk })).toEqual(isSignedOut)
    expect(await site.ask(checkSession, { as: phone })).toEqual(isSignedOut)
    expect(await site.ask(checkSession, { as: ana })).toEqual(isSignedIn)
    const { username, password } = desk
    expect((await site.call(signIn, { body: { username, password } })).statusCode).toBe(401)
    await site.signIn({ username, password: 'a better one' })
  })

  test('a wrong current password changes nothing', async () => {
    const site = await openTestApp('sqlite')
    const maker = await site.signedIn()
    const phone = await site.signIn(maker)
    const body = { currentPassword: 'not mine', newPassword: 'a better one' }
    const response = await site.call(changePassword, { as: maker, body })
    expect(response.statusCode).toBe(400)
    expect(response.json()).toEqual({
      message: 'The current password is wrong. Nothing was changed.',
      code: 'wrong_password',
    })
    expect(await site.ask(checkSession, { as: phone })).toEqual(isSignedIn)
    await site.signIn(maker)
  })
})

const agents = {
  desk: 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
  phone:
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1',
}

describe.each(databases)('where an account is signed in, on %s', (dialect) => {
  const openWith = async () => {
    const site = await openTestApp(dialect)
    const maker = await site.addAdmin()
    const desk = await site.signIn(maker, { headers: { 'user-agent': agents.desk } })
    const startedAt = site.clock.now().toISOString()
    site.clock.pass({ minutes: 90 })
    const phone = await site.signIn(maker, { headers: { 'user-agent': agents.phone } })
    return { site, maker, desk, phone, startedAt }
  }

  test('is told in words, the last used first, with the one that asks, and of no other account', async () => {
    const { site, desk, phone, startedAt } = await openWith()
    const ana = await site.signedIn({ username: 'Ana' })
    const now = site.clock.now().toISOString()
    expect(await site.ask(listSessions, { as: phone })).toEqual([
      { id: expect.any(String), browser: 'Safari', system: 'iPhone', startedAt: now, usedAt: now, current: true },
      { id: expect.any(String), browser: 'Firefox', system: 'Linux', startedAt, usedAt: startedAt, current: false },
    ])
    await site.ask(listAdmins, { as: desk })
    expect(await site.ask(listSessions, { as: desk })).toContainEqual(expect.objectContaining({ startedAt, usedAt: now }))
    expect(await site.ask(listSessions, { as: ana })).toMatchObject([{ current: true }])
  })

  test('it is ended one by one or everywhere else, once, and never for another account', async () => {
    const { site, maker, desk, phone } = await openWith()
    const ana = await site.signedIn({ username: 'Ana' })
    const [own, other] = await site.ask(listSessions, { as: phone })
    const params = { id: other?.id ?? '' }
    expect((await site.call(endSession, { as: ana, params })).json()).toMatchObject({ code: 'session_not_found' })
    expect(await site.ask(checkSession, { as: desk })).toEqual(isSignedIn)
    await site.ask(endSession, { as: phone, params })
    expect(await site.ask(checkSession, { as: desk })).toEqual(isSignedOut)
    for (const id of [params.id, 'a'.repeat(64), 'nothing', `${own?.id}'--`]) {
      expect((await site.call(endSession, { as: phone, params: { id } })).statusCode).toBe(404)
    }
    const again = await site.signIn(maker)
    await site.ask(endOtherSessions, { as: phone })
    expect(await site.ask(checkSession, { as: again })).toEqual(isSignedOut)
    expect(await site.ask(listSessions, { as: phone })).toMatchObject([{ id: own?.id, current: true }])
    expect(await site.ask(checkSession, { as: ana })).toEqual(isSignedIn)
  })

  test('a session of an older release, or of a browser nobody knows, is listed without a name', async () => {
    const { site, phone } = await openWith()
    await site.db.updateTable('sessions').set({ browser: null, system: null, usedAt: null }).execute()
    const sessions = await site.ask(listSessions, { as: phone })
    expect(sessions.map(({ browser, system }) => [browser, system])).toEqual([
      [null, null],
      [null, null],
    ])
  })
})

describe.each(databases)('accounts on %s', (dialect) => {
  test('a new one can sign in, and is listed after the older ones', async () => {
    const site = await openTestApp(dialect)
    const maker = await site.signedIn()
    site.clock.pass({ minutes: 1 })
    const body = { username: 'Ana', password: 'secret' }
    const ana = await site.ask(createAdmin, { as: maker, body })
    const createdAt = site.clock.now().toISOString()
    const nothingYet = { lastLogin: null, email: null, unconfirmedEmail: null }
    expect(ana).toEqual({ id: expect.any(String), username: 'Ana', ...nothingYet, createdAt, role: 'owner' })
    await site.signIn(body)
    expect(await site.ask(listAdmins, { as: maker })).toEqual([
      expect.objectContaining({ id: maker.adminId, username: 'maker' }),
      { ...ana, lastLogin: createdAt },
    ])
  })

  test('a name that is taken is refused, also in other capitals, and the account stays as it was', async () => {
    const site = await openTestApp(dialect)
    const maker = await site.signedIn({ username: 'Toñita' })
    for (const username of ['Toñita', 'TOÑITA', ' toñita ']) {
      const response = await site.call(createAdmin, { as: maker, body: { username, password: 'another' } })
      expect(response.statusCode).toBe(409)
      expect(response.json()).toEqual({ message: 'That username is already taken.', code: 'username_taken' })
    }
    await site.signIn(maker)
    expect(await site.ask(listAdmins, { as: maker })).toHaveLength(1)
  })

  test('two people who want the same name at the same moment do not both get it', async () => {
    const site = await openTestApp(dialect)
    const maker = await site.signedIn()
    const wanting = ['Ana', 'ANA', 'ana'].map((username) =>
      site.call(createAdmin, { as: maker, body: { username, password: 'secret' } }),
    )
    const statuses = (await Promise.all(wanting)).map(({ statusCode }) => statusCode)
    expect(statuses.toSorted()).toEqual([200, 409, 409])
  })

  test('two owners who delete each other, or make each other a helper, at the same moment leave one owner', async () => {
    const site = await openTestApp(dialect)
    const body = { role: 'helper' } as const
    const ways = {
      deleteAdmin: (as: Somebody, id: string) => site.call(deleteAdmin, { as, params: { id } }),
      changeRole: (as: Somebody, id: string) => site.call(changeRole, { as, params: { id }, body }),
    }
    for (const [name, remove] of Object.entries(ways)) {
      const ana = await site.signedIn({ username: `Ana ${name}` })
      const luis = await site.signedIn({ username: `Luis ${name}` })
      const answers = await Promise.all([remove(ana, luis.adminId), remove(luis, ana.adminId)])
      const statuses = answers.map(({ statusCode }) => statusCode).toSorted()
      // The later one is signed out or a helper by then.
      expect([200, expect.toBeOneOf([401, 403])], name).toEqual(statuses)
      const owners = await site.db.selectFrom('adminUsers').select('id').where('role', '=', 'owner').execute()
      expect(owners, name).toHaveLength(1)
      await site.db.deleteFrom('adminUsers').execute()
    }
  })
})

describe('what is typed for an account', () => {
  test.each([
    [
      { username: 'Al', password: 'secret' },
      'username',
      'Username must be at least 3 characters',
      { fault: 'too_short', limit: 3 },
    ],
    [
      { username: ' Al ', password: 'secret' },
      'username',
      'Username must be at least 3 characters',
      { fault: 'too_short', limit: 3 },
    ],
    [
      { username: 'a'.repeat(51), password: 'secret' },
      'username',
      'Username must be at most 50 characters',
      { fault: 'too_long', limit: 50 },
    ],
    [{ password: 'secret' }, 'username', 'Username is required', { fault: 'missing' }],
    [
      { username: 'An\0a', password: 'secret' },
      'username',
      'Username must not contain invisible characters',
      { fault: 'unseen_characters' },
    ],
    [
      { username: 'An\u200da', password: 'secret' },
      'username',
      'Username must not contain invisible characters',
      { fault: 'unseen_characters' },
    ],
    [
      { username: 'Ana', password: 'short' },
      'password',
      'Password must be at least 6 characters',
      { fault: 'too_short', limit: 6 },
    ],
    [
      { username: 'Ana', password: 'p'.repeat(201) },
      'password',
      'Password must be at most 200 characters',
      { fault: 'too_long', limit: 200 },
    ],
    [{ username: 'Ana' }, 'password', 'Password is required', { fault: 'missing' }],
  ])('%o is refused beside its %s', async (body, field, sentence, fault) => {
    const site = await openTestApp('sqlite')
    const maker = await site.signedIn()
    const response = await site.call(createAdmin, { as: maker, body })
    expect(response.statusCode).toBe(400)
    const details = { reason: 'fields', faults: [{ field, ...fault }] }
    expect(response.json()).toEqual({ message: sentence, code: 'invalid_input', details, fields: { [field]: sentence } })
    expect(await site.ask(listAdmins, { as: maker })).toHaveLength(1)
  })

  test.each([
    [{ newPassword: 'a better one' }, 'currentPassword', 'Current password is required', { fault: 'missing' }],
    [
      { currentPassword: '', newPassword: 'a better one' },
      'currentPassword',
      'Current password is required',
      { fault: 'missing' },
    ],
    [
      { currentPassword: 'x', newPassword: 'short' },
      'newPassword',
      'New password must be at least 6 characters',
      { fault: 'too_short', limit: 6 },
    ],
    [{ currentPassword: 'x' }, 'newPassword', 'New password must be at least 6 characters', { fault: 'missing' }],
  ])('for a new password, %o is refused beside %s', async (body, field, sentence, fault) => {
    const site = await openTestApp('sqlite')
    const maker = await site.signedIn()
    const response = await site.call(changePassword, { as: maker, body })
    expect(response.statusCode).toBe(400)
    const details = { reason: 'fields', faults: [{ field, ...fault }] }
    expect(response.json()).toEqual({ message: sentence, code: 'invalid_input', details, fields: { [field]: sentence } })
  })

  test('the longest and the shortest that are allowed are taken', async () => {
    const site = await openTestApp('sqlite')
    const maker = await site.signedIn()
    await site.ask(createAdmin, { as: maker, body: { username: 'a'.repeat(50), password: 'p'.repeat(200) } })
    await site.ask(createAdmin, { as: maker, body: { username: 'Ana', password: 'secret' } })
    await site.signIn({ username: 'a'.repeat(50), password: 'p'.repeat(200) })
  })
})

test('no answer ever carries a password or its hash', async () => {
  const site = await openTestApp('sqlite')
  const maker = await site.signedIn({ password: 'unmistakable' })
  const { username, password } = maker
  const answers = [
    await site.call(signIn, { body: { username, password } }),
    await site.call(checkSession, { as: maker }),
    await site.call(createAdmin, { as: maker, body: { username: 'Ana', password } }),
    await site.call(createAdmin, { as: maker, body: { username: 'Ana', password } }),
    await site.call(listAdmins, { as: maker }),
    await site.call(changePassword, { as: maker, body: { currentPassword: password, newPassword: password } }),
  ]
  expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200, 409, 200, 200])
  for (const { body } of answers) {
    expect(body).not.toMatch(/argon2|passwordHash/)
    expect(body).not.toContain(password)
  }
})
