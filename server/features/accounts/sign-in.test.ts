import { hash } from '@node-rs/argon2'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { changePassword, checkSession, listAdmins, signIn, signOut } from '#contract/accounts.ts'
import type { Db } from '#server/database/tables.ts'
import { sweepExpiredSessions } from '#server/http/sessions.ts'
import { cookieFrom, openTestApp } from '#tests/test-app.ts'
import { databases } from '#tests/test-database.ts'

const isSignedIn = { authenticated: true, adminId: expect.any(String), role: 'owner' }
const isSignedOut = { authenticated: false }

describe('signing in', () => {
  test('a wrong password and an unknown name get the same answer', async () => {
    const site = await openTestApp('sqlite')
    const { username, password } = await site.addAdmin()
    const wrong = await site.call(signIn, { body: { username, password: `${password}!` } })
    const unknown = await site.call(signIn, { body: { username: 'nobody', password } })
    for (const response of [wrong, unknown]) {
      expect(response.statusCode).toBe(401)
      expect(response.json()).toEqual({ message: 'Invalid credentials. Please try again.', code: 'wrong_credentials' })
      expect(response.cookies).toEqual([])
    }
  })

  test('the table holds no identifier that can be signed in with', async () => {
    const site = await openTestApp('sqlite')
    const maker = await site.signedIn()
    const id = maker.cookie.split('=')[1] ?? ''
    expect(Buffer.from(id, 'base64url')).toHaveLength(32)
    expect(JSON.stringify(await site.db.selectFrom('sessions').selectAll().execute())).not.toContain(id)
  })

  test('every time gives a new identifier and ends the one this browser had', async () => {
    const site = await openTestApp('sqlite')
    const first = await site.signedIn()
    const second = await site.signIn(first, { as: first })
    expect(second.cookie).not.toBe(first.cookie)
    expect(await site.ask(checkSession, { as: first })).toEqual(isSignedOut)
    expect(await site.ask(checkSession, { as: second })).toEqual(isSignedIn)
  })

  test('an invented identifier is not taken over', async () => {
    const site = await openTestApp('sqlite')
    const planted = { cookie: `session=${'A'.repeat(43)}` }
    const admin = await site.addAdmin()
    const { cookie } = await site.signIn(admin, { as: planted })
    expect(cookie).not.toBe(planted.cookie)
    expect(await site.ask(checkSession, { as: planted })).toEqual(isSignedOut)
  })

  test('signing out ends this session and no other', async () => {
    const site = await openTestApp('sqlite')
    const phone = await site.signedIn()
    const desk = await site.signIn(phone)
    const response = await site.call(signOut, { as: phone })
    expect(response.json()).toEqual({ message: 'Successfully logged out' })
    expect(response.cookies).toMatchObject([{ name: 'session', value: '', path: '/' }])
    expect(await site.ask(checkSession, { as: phone })).toEqual(isSignedOut)
    expect(await site.ask(checkSession, { as: desk })).toEqual(isSignedIn)
  })

  test('signing out without a session is no mistake', async () => {
    const site = await openTestApp('sqlite')
    expect(await site.ask(signOut)).toEqual({ message: 'Successfully logged out' })
  })

  test('a session ends after thirty days, however much it is used, and its cookie with it', async () => {
    const site = await openTestApp('sqlite')
    const maker = await site.signedIn()
    let lastCookie: number | undefined
    for (let days = 0; days < 29; days += 1) {
      site.clock.pass({ days: 1 })
      const response = await site.call(checkSession, { as: maker })
      expect(response.json()).toEqual(isSignedIn)
      lastCookie = response.cookies[0]?.maxAge ?? lastCookie
    }
    expect(lastCookie).toBe(24 * 60 * 60)
    site.clock.pass({ hours: 23 })
    expect(await site.ask(checkSession, { as: maker })).toEqual(isSignedIn)
    site.clock.pass({ hours: 1 })
    expect(await site.ask(checkSession, { as: maker })).toEqual(isSignedOut)
    await site.signIn(maker)
  })

  test('a session that an older release has prolonged further ends then as well', async () => {
    const site = await openTestApp('sqlite')
    const maker = await site.signedIn()
    site.clock.pass({ days: 31 })
    const expire = new Date(site.clock.now().getTime() + 60_000).toISOString()
    await site.db.updateTable('sessions').set({ expire }).execute()
    expect(await site.ask(checkSession, { as: maker })).toEqual(isSignedOut)
  })

  test('the cookie is renewed along with the session, and not at every click', async () => {
    const site = await openTestApp('sqlite')
    const maker = await site.signedIn()
    site.clock.pass({ minutes: 59 })
    expect((await site.call(checkSession, { as: maker })).cookies).toEqual([])
    site.clock.pass({ minutes: 2 })
    const renewed = await site.call(listAdmins, { as: maker })
    expect(cookieFrom(renewed)).toBe(maker.cookie)
    expect(renewed.cookies).toMatchObject([{ maxAge: 7 * 24 * 60 * 60 }])
  })
})

describe.each(databases)('signing in on %s', (dialect) => {
  test('with the right password starts a session and writes down when', async () => {
    const site = await openTestApp(dialect)
    const { adminId, username, password } = await site.addAdmin()
    const response = await site.call(signIn, { body: { username, password } })
    expect(response.statusCode).toBe(200)
    expect(response.json()).toEqual({ authenticated: true, adminId, role: 'owner' })
    const maker = { cookie: cookieFrom(response) }
    expect(await site.ask(checkSession, { as: maker })).toEqual({ authenticated: true, adminId, role: 'owner' })
    expect(await site.ask(listAdmins, { as: maker })).toMatchObject([{ lastLogin: site.clock.now().toISOString() }])
  })

  test('a name is the same whatever its capitals and the blanks around it', async () => {
    const site = await openTestApp(dialect)
    const { password } = await site.addAdmin({ username: 'Álvaro Peña' })
    await site.signIn({ username: 'Álvaro Peña', password })
    await site.signIn({ username: ' Álvaro peña ', password })
    await site.signIn({ username: 'ÁLVARO PEÑA', password })
  })

  test('a session in use lives on; one left alone for seven days does not', async () => {
    const site = await openTestApp(dialect)
    const maker = await site.signedIn()
    for (let week = 0; week < 3; week += 1) {
      site.clock.pass({ days: 6, hours: 23 })
      expect(await site.ask(checkSession, { as: maker })).toEqual(isSignedIn)
    }
    site.clock.pass({ days: 7 })
    expect(await site.ask(checkSession, { as: maker })).toEqual(isSignedOut)
    expect((await site.call(listAdmins, { as: maker })).statusCode).toBe(401)
  })

  test('expired sessions are swept, live ones stay', async () => {
    const site = await openTestApp(dialect)
    const old = await site.signedIn()
    site.clock.pass({ days: 4 })
    const recent = await site.signIn(old)
    site.clock.pass({ days: 4 })
    await sweepExpiredSessions(site.db, site.clock)
    expect(await site.db.selectFrom('sessions').selectAll().execute()).toHaveLength(1)
    expect(await site.ask(checkSession, { as: recent })).toEqual(isSignedIn)
  })
})

describe.each(databases)('an account that changes while a password is verified, on %s', (dialect) => {
  const change = async (tx: Db, adminId: string) => {
    const passwordHash = await hash('a better one', { memoryCost: 8, timeCost: 1 })
    await tx.updateTable('adminUsers').set({ passwordHash }).where('id', '=', adminId).execute()
    await tx.deleteFrom('sessions').execute()
  }
  const remove = (tx: Db, adminId: string) => tx.deleteFrom('adminUsers').where('id', '=', adminId).execute()

  test.each([
    ['gets another password', change],
    ['is deleted', remove],
  ])('signing in to one that %s is a wrong sign-in', async (_, happen) => {
    let hasRead = false
    const site = await openTestApp(dialect, {
      onStatement: ({ sql: text }) => {
        hasRead ||= /^select \* from "admin_users"/.test(text)
      },
    })
    const { adminId, username, password } = await site.addAdmin()
    const { signingIn } = await site.db.transaction().execute(async (tx) => {
      await happen(tx, adminId)
      const begun = site.call(signIn, { body: { username, password } })
      // The account is read as it was. On SQLite the next write then waits for this one, on PostgreSQL the account's row does.
      const isWaiting = async () => hasRead && (dialect === 'sqlite' || (await waitsForLock(tx)))
      await expect.poll(isWaiting, { interval: 20, timeout: 20_000 }).toBe(true)
      return { signingIn: begun }
    })
    const answer = await signingIn
    expect(answer.json()).toEqual({ message: 'Invalid credentials. Please try again.', code: 'wrong_credentials' })
    expect(answer.cookies).toEqual([])
    expect(await site.db.selectFrom('sessions').selectAll().execute()).toEqual([])
  })

  test('no session opened with the old password outlives its change', async () => {
    const site = await openTestApp(dialect)
    let maker = await site.signedIn()
    for (let round = 0; round < 4; round += 1) {
      const newPassword = `a better one ${round}`
      const { username, password } = maker
      const changing = site.call(changePassword, { as: maker, body: { currentPassword: password, newPassword } })
      const signingIn = Array.from({ length: 6 }, (_, index) =>
        site.call(signIn, { body: { username, password }, from: `192.0.2.${10 * round + index}` }),
      )
      maker = { ...maker, password: newPassword, cookie: cookieFrom(await changing) }
      for (const { statusCode } of await Promise.all(signingIn)) expect([200, 401]).toContain(statusCode)
      expect(await site.db.selectFrom('sessions').select('sid').execute()).toHaveLength(1)
    }
  })

  test('of two who change the password at the same moment, one is refused', async () => {
    const site = await openTestApp(dialect)
    const desk = await site.signedIn()
    const phone = { ...desk, ...(await site.signIn(desk)) }
    const changing = [desk, phone].map((as) =>
      site.call(changePassword, { as, body: { currentPassword: desk.password, newPassword: `of ${as.cookie}` } }),
    )
    const answers = await Promise.all(changing)
    const [changed, refused] = answers.toSorted((a, b) => a.statusCode - b.statusCode)
    expect(changed?.statusCode).toBe(200)
    // Its session has ended, if the other one was done before it was looked for.
    expect(['wrong_password', 'sign_in_required']).toContain(refused?.json().code)
    expect(refused?.cookies).toEqual([])
    expect(await site.db.selectFrom('sessions').select('sid').execute()).toHaveLength(1)
  })
})

async function waitsForLock(db: Db) {
  const { rows } = await sql`
    select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`.execute(db)
  return rows.length > 0
}

describe('what is typed at sign-in', () => {
  test.each([
    [{ password: 'x' }, 'username', 'Username is required'],
    [{ username: '  ', password: 'x' }, 'username', 'Username is required'],
    [{ username: 'maker' }, 'password', 'Password is required'],
    [{ username: 'maker', password: '' }, 'password', 'Password is required'],
  ])('%o is answered with a sentence beside %s', async (body, field, sentence) => {
    const site = await openTestApp('sqlite')
    const response = await site.call(signIn, { body })
    expect(response.statusCode).toBe(400)
    const details = { reason: 'fields', faults: [{ field }] }
    expect(response.json()).toMatchObject({ message: sentence, code: 'invalid_input', details, fields: { [field]: sentence } })
  })

  // The first release made accounts of any name.
  test.each(['ana❤️', '👨‍👩‍👧 taller', 'Ana\u00adMaría', 'ma\u0007ker', 'ma\u202eker', 'ma\u2028ker'])(
    'the account %j signs in, though none is made of such a name any more',
    async (username) => {
      const site = await openTestApp('sqlite')
      await site.signIn(await site.addAdmin({ username }))
    },
  )

  test.each(['ma\0ker', 'ma\ud800ker'])('the name %j, which no database can store, is refused', async (username) => {
    const site = await openTestApp('sqlite')
    const response = await site.call(signIn, { body: { username, password: 'x' } })
    expect(response.statusCode).toBe(400)
    expect(response.json()).toMatchObject({ fields: { username: 'Username must not contain invisible characters' } })
    expect(await site.db.selectFrom('loginAttempts').selectAll().execute()).toEqual([])
  })

  test('blanks in a password are part of it', async () => {
    const site = await openTestApp('sqlite')
    const { username } = await site.addAdmin({ password: ' with blanks ' })
    await site.signIn({ username, password: ' with blanks ' })
    const trimmed = await site.call(signIn, { body: { username, password: 'with blanks' } })
    expect(trimmed.statusCode).toBe(401)
  })
})

describe('the cookies of a session and of a known browser', () => {
  test('on http is kept from scripts and from other sites', async () => {
    const site = await openTestApp('sqlite')
    const { username, password } = await site.addAdmin()
    const response = await site.call(signIn, { body: { username, password } })
    expect(response.headers['set-cookie']).toEqual([
      expect.stringMatching(/^session=[\w-]{43}; Max-Age=604800; Path=\/; HttpOnly; SameSite=Lax$/),
      expect.stringMatching(/^device=[\w-]{36}\.[\w-]{43}; Max-Age=15552000; Path=\/; HttpOnly; SameSite=Lax$/),
    ])
  })

  test('on https behind a trusted proxy is Secure and bound to this host', async () => {
    const site = await openTestApp('sqlite', { config: { trustProxy: 1 } })
    const https = { 'x-forwarded-proto': 'https' }
    const { username, password } = await site.addAdmin()
    const response = await site.call(signIn, { body: { username, password }, headers: https })
    expect(response.headers['set-cookie']).toEqual([
      expect.stringMatching(/^__Host-session=[\w-]{43}; Max-Age=604800; Path=\/; HttpOnly; Secure; SameSite=Lax$/),
      expect.stringMatching(/^__Host-device=\S+ Max-Age=15552000; Path=\/; HttpOnly; Secure; SameSite=Lax$/),
    ])
    const maker = { cookie: cookieFrom(response) }
    expect(await site.ask(checkSession, { as: maker, headers: https })).toEqual(isSignedIn)
  })

  test('is Secure when the public address is https', async () => {
    const site = await openTestApp('sqlite', { config: { publicUrl: 'https://models.example' } })
    const maker = await site.signedIn()
    expect(maker.cookie).toMatch(/^__Host-session=/)
    expect(await site.ask(checkSession, { as: maker })).toEqual(isSignedIn)
  })

  test('is not Secure because a visitor claims https without a proxy', async () => {
    const site = await openTestApp('sqlite')
    const admin = await site.addAdmin()
    const { cookie } = await site.signIn(admin, { headers: { 'x-forwarded-proto': 'https' } })
    expect(cookie).toMatch(/^session=/)
  })
})
