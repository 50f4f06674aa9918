import { describe, expect, test } from 'vitest'
import { changePassword, confirmPassword, deleteAdmin, readConfirmation, signIn } from '#contract/accounts.ts'
import {
  addPasskey,
  askForPasskey,
  confirmByPasskey,
  listPasskeys,
  mostPasskeys,
  removePasskey,
  signInByPasskey,
  startPasskey,
} from '#contract/passkeys.ts'
import { anAuthenticator } from '#tests/authenticator.ts'
import { cookieFrom, openTestApp } from '#tests/test-app.ts'
import { databases, emptyDatabase } from '#tests/test-database.ts'
import { brakes } from './sign-in-attempts.ts'

const refused = {
  message: 'That passkey was not accepted. Nothing was changed. Try again, or use your password.',
  code: 'passkey_refused',
}

async function aSiteWithPasskey(...options: Parameters<typeof openTestApp>) {
  const site = await openTestApp(...options)
  const maker = await site.signedIn()
  const device = anAuthenticator()
  const passkey = await device.addTo(site, maker)
  const activity = async () =>
    (await site.db.selectFrom('activity').selectAll().orderBy('at').execute()).map(({ kind }) => kind)
  return { site, maker, device, passkey, activity }
}

describe.each(databases)('a passkey on %s', (dialect) => {
  test('is added, signs in without a name, counts as the password given, confirms later, and is removed', async () => {
    const { site, maker, device, passkey, activity } = await aSiteWithPasskey(dialect)
    expect(passkey).toEqual({
      id: device.id,
      name: 'Desk',
      transports: ['internal'],
      createdAt: site.clock.now().toISOString(),
      usedAt: null,
    })
    expect(await site.ask(listPasskeys, { as: maker })).toEqual([passkey])

    site.clock.pass({ hours: 1 })
    const entered = await device.signIn(site)
    expect(entered.json()).toEqual({ authenticated: true, adminId: maker.adminId, role: 'owner' })
    const phone = { cookie: cookieFrom(entered) }
    expect(await site.ask(readConfirmation, { as: phone })).toEqual({ needed: false })
    expect(await site.ask(listPasskeys, { as: phone })).toMatchObject([{ usedAt: site.clock.now().toISOString() }])

    site.clock.pass({ minutes: 15 })
    expect((await site.call(startPasskey, { as: phone })).json()).toMatchObject({ code: 'password_needed' })
    const params = { id: device.id }
    expect((await site.call(removePasskey, { as: phone, params })).json()).toMatchObject({ code: 'password_needed' })
    const body = device.answer(await site.ask(askForPasskey))
    await site.ask(confirmByPasskey, { as: phone, body })
    expect(await site.ask(readConfirmation, { as: phone })).toEqual({ needed: false })

    await site.ask(removePasskey, { as: phone, params })
    expect(await site.ask(listPasskeys, { as: phone })).toEqual([])
    expect((await site.call(removePasskey, { as: phone, params })).json()).toMatchObject({ code: 'passkey_not_found' })
    const after = await device.signIn(site)
    expect([after.statusCode, after.json()]).toEqual([401, refused])
    // The last way in is the password, which cannot be removed.
    await site.signIn(maker)
    const kinds = ['signed_in', 'passkey_added', 'signed_in', 'passkey_removed', 'sign_in_failed', 'signed_in']
    expect((await activity()).toSorted()).toEqual(kinds.toSorted())
    expect(await site.db.selectFrom('tokens').selectAll().execute()).toEqual([])
  })

  test('of one challenge, only one of many answers is accepted, whichever process gets them', async () => {
    const place = await emptyDatabase(dialect)
    const { site, device, maker } = await aSiteWithPasskey(dialect, { place })
    const second = dialect === 'postgres' ? await openTestApp(dialect, { place }) : site
    const challenge = await site.ask(askForPasskey)
    const answers = [site, second, site, second].map((at) => ({ at, body: device.answer(challenge) }))
    const entered = await Promise.all(answers.map(({ at, body }) => at.call(signInByPasskey, { body })))
    expect(entered.map(({ statusCode }) => statusCode).toSorted()).toEqual([200, 401, 401, 401])
    const sessions = await site.db.selectFrom('sessions').select('sid').execute()
    expect(sessions).toHaveLength(2)

    const adding = await site.ask(startPasskey, { as: maker })
    const bodies = Array.from({ length: 4 }, () => ({ name: 'Phone', ...anAuthenticator().make(adding) }))
    const added = await Promise.all(bodies.map((body) => site.call(addPasskey, { as: maker, body })))
    expect(added.map(({ statusCode }) => statusCode).toSorted()).toEqual([200, 401, 401, 401])
  })

  test(`an account has at most ${mostPasskeys}, however many are added at once`, async () => {
    const { site, maker } = await aSiteWithPasskey(dialect)
    const bodies = []
    for (let number = 0; number < mostPasskeys; number += 1) {
      bodies.push({ name: `Key ${number}`, ...anAuthenticator().make(await site.ask(startPasskey, { as: maker })) })
    }
    const added = await Promise.all(bodies.map((body) => site.call(addPasskey, { as: maker, body })))
    expect(added.filter(({ statusCode }) => statusCode === 200)).toHaveLength(mostPasskeys - 1)
    expect(added.filter(({ statusCode }) => statusCode === 409)).toHaveLength(1)
    expect(await site.ask(listPasskeys, { as: maker })).toHaveLength(mostPasskeys)
    expect((await site.call(startPasskey, { as: maker })).json()).toMatchObject({ code: 'too_many_passkeys' })
  })

  test('is refused when its counter goes back, which the log says; one that does not count is accepted', async () => {
    const logged: string[] = []
    const { site, device, maker } = await aSiteWithPasskey(dialect, { onLogged: ({ msg }) => logged.push(msg) })
    expect((await device.signIn(site, { counter: 7 })).statusCode).toBe(200)
    for (const counter of [7, 6, 0]) expect((await device.signIn(site, { counter })).json()).toEqual(refused)
    const body = device.answer(await site.ask(askForPasskey), { counter: 3 })
    expect((await site.call(confirmByPasskey, { as: maker, body })).json()).toEqual(refused)
    expect(logged.filter((line) => line.includes('counter went back'))).toHaveLength(4)
    expect((await device.signIn(site, { counter: 8 })).statusCode).toBe(200)

    const uncounted = anAuthenticator()
    const made = uncounted.make(await site.ask(startPasskey, { as: maker }), { counter: 0 })
    await site.ask(addPasskey, { as: maker, body: { name: 'Phone', ...made } })
    for (const counter of [0, 0]) expect((await uncounted.signIn(site, { counter })).statusCode).toBe(200)
  })

  test('of a deleted account opens nothing, and goes with it', async () => {
    const { site, maker } = await aSiteWithPasskey(dialect)
    const ana = await site.signedIn({ username: 'Ana', password: 'another one' })
    const device = anAuthenticator()
    await device.addTo(site, ana)
    const challenge = await site.ask(askForPasskey)
    await site.ask(deleteAdmin, { as: maker, params: { id: ana.adminId } })
    const response = await site.call(signInByPasskey, { body: device.answer(challenge) })
    expect([response.statusCode, response.json(), response.cookies]).toEqual([401, refused, []])
    expect(await site.db.selectFrom('passkeys').select('adminId').execute()).toEqual([{ adminId: maker.adminId }])
  })
})

describe('a passkey', () => {
  test('stays when the password is changed', async () => {
    const { site, device, maker } = await aSiteWithPasskey('sqlite')
    const body = { currentPassword: maker.password, newPassword: 'a better one' }
    await site.ask(changePassword, { as: maker, body })
    expect((await device.signIn(site)).statusCode).toBe(200)
  })

  test('signs in only at the address, for the site and with the person it says, and all else gets one answer', async () => {
    const { site, device, maker } = await aSiteWithPasskey('sqlite')
    const someone = anAuthenticator()
    const present = 0x01
    const others = Buffer.from(crypto.randomUUID()).toString('base64url')
    const answered = (body: object) => site.call(signInByPasskey, { body })
    for (const attempt of [
      () => device.signIn(site, { origin: 'https://evil.example' }),
      () => device.signIn(site, { origin: 'http://localhost:3000' }),
      () => device.signIn(site, { rpId: 'evil.example' }),
      () => device.signIn(site, { type: 'webauthn.create' }),
      () => device.signIn(site, { flags: present }),
      () => device.signIn(site, { flags: 0 }),
      () => device.signIn(site, { userHandle: others }),
      async () => answered({ ...someone.answer(await site.ask(askForPasskey)), id: device.id }),
      async () => answered(someone.answer(await site.ask(askForPasskey))),
      () => answered(device.answer({ challenge: 'invented' })),
      // A challenge to make one is none to sign in.
      async () => answered(device.answer(await site.ask(startPasskey, { as: maker }))),
    ]) {
      const response = await attempt()
      expect([response.statusCode, response.json(), response.cookies]).toEqual([401, refused, []])
      await site.db.deleteFrom('loginAttempts').execute()
    }

    const challenge = await site.ask(askForPasskey)
    site.clock.pass({ minutes: 5 })
    expect((await site.call(signInByPasskey, { body: device.answer(challenge) })).json()).toEqual(refused)
    const answer = device.answer(await site.ask(askForPasskey))
    expect((await site.call(signInByPasskey, { body: answer })).statusCode).toBe(200)
    expect((await site.call(signInByPasskey, { body: answer })).json()).toEqual(refused)
    expect((await device.signIn(site, { userHandle: undefined })).statusCode).toBe(200)
  })

  test('is added only with a challenge of the same account, by somebody who was verified, at this address', async () => {
    const { site, device, maker } = await aSiteWithPasskey('sqlite')
    const ana = await site.signedIn({ username: 'Ana', password: 'another one' })
    const start = () => site.ask(startPasskey, { as: maker })
    const present = 0x01
    for (const made of [
      anAuthenticator().make(await site.ask(startPasskey, { as: ana })),
      anAuthenticator().make({ ...(await start()), challenge: (await site.ask(askForPasskey)).challenge }),
      anAuthenticator().make(await start(), { origin: 'https://evil.example' }),
      anAuthenticator().make(await start(), { rpId: 'evil.example' }),
      anAuthenticator().make(await start(), { flags: present }),
      anAuthenticator().make(await start(), { type: 'webauthn.get' }),
      { ...anAuthenticator().make(await start()), id: device.id },
      // The same device again: browsers do not offer it.
      device.make(await start()),
    ]) {
      const response = await site.call(addPasskey, { as: maker, body: { name: 'Phone', ...made } })
      expect([response.statusCode, response.json()]).toEqual([401, refused])
    }
    expect(await site.ask(listPasskeys, { as: maker })).toHaveLength(1)
    expect(await site.ask(startPasskey, { as: maker })).toMatchObject({
      rp: { id: 'localhost' },
      user: { name: 'maker' },
      excludeCredentials: [{ id: device.id }],
    })
  })

  test('of somebody else confirms nothing, and is neither seen nor removed', async () => {
    const { site, device, maker } = await aSiteWithPasskey('sqlite')
    const ana = await site.signedIn({ username: 'Ana', password: 'another one', role: 'helper' })
    expect(await site.ask(listPasskeys, { as: ana })).toEqual([])
    const params = { id: device.id }
    expect((await site.call(removePasskey, { as: ana, params })).json()).toMatchObject({ code: 'passkey_not_found' })
    // Helpers have passkeys, too.
    await anAuthenticator().addTo(site, ana)
    site.clock.pass({ minutes: 15 })
    const confirm = async () => site.call(confirmByPasskey, { as: ana, body: device.answer(await site.ask(askForPasskey)) })
    for (let tries = 0; tries < brakes.accountAtAddress.free; tries += 1) expect((await confirm()).json()).toEqual(refused)
    expect(await site.ask(readConfirmation, { as: ana })).toEqual({ needed: true })
    // Counted with the passwords that are guessed in this session.
    expect((await confirm()).statusCode).toBe(429)
    const guess = await site.call(confirmPassword, { as: ana, body: { password: ana.password } })
    expect(guess.statusCode).toBe(429)
    expect(await site.ask(listPasskeys, { as: maker })).toHaveLength(1)
  })

  test('that is refused is counted: one of an account with its passwords, an unknown one by its address', async () => {
    const logged: unknown[] = []
    const { site, device, maker } = await aSiteWithPasskey('sqlite', { onLogged: (line) => logged.push(line) })
    const wrong = { origin: 'https://evil.example' }
    for (let tries = 0; tries < brakes.accountAtAddress.free; tries += 1) {
      expect((await device.signIn(site, wrong)).statusCode).toBe(401)
    }
    expect((await device.signIn(site)).statusCode).toBe(429)
    const { username, password } = maker
    expect((await site.call(signIn, { body: { username, password } })).statusCode).toBe(429)
    expect(logged).toContainEqual(expect.objectContaining({ msg: 'sign-in', outcome: 'wrong', account: 'maker' }))
    expect(logged).toContainEqual(expect.objectContaining({ outcome: 'refused-too-many', account: 'maker' }))
    site.clock.pass({ seconds: 1 })
    expect((await device.signIn(site)).statusCode).toBe(200)

    const stranger = anAuthenticator()
    const statuses = []
    for (let tries = 0; tries <= brakes.address.free; tries += 1) statuses.push((await stranger.signIn(site)).statusCode)
    expect(statuses).toEqual([...Array.from({ length: brakes.address.free }, () => 401), 429])
    expect(logged).toContainEqual(expect.objectContaining({ outcome: 'wrong', account: null }))
  })

  test('of garbage in any field is refused, and nothing falls over', async () => {
    const { site, device, maker } = await aSiteWithPasskey('sqlite', { config: { rateLimits: false } })
    // The last four are CBOR that promises more than there is.
    const promises = ['9bffffffffffffffff', '5bffffffffffffffff', 'bb00000000ffffffff00', 'a363666d74']
    const bytes = [Buffer.from('null'), Buffer.alloc(700, 0xff), Buffer.alloc(8_000, 0x81), Buffer.alloc(8_000, 0xa1)]
    const garbage = [...bytes, ...promises.map((hex) => Buffer.from(hex, 'hex'))].map((some) => some.toString('base64url'))
    const spoiled = (text: string) => [...garbage, text.slice(0, text.length / 2), `${text}AA`, 'A', '', `${text}=`, null, []]
    const before = await site.db.selectFrom('passkeys').selectAll().execute()
    const answer = async () => device.answer(await site.ask(askForPasskey))
    const make = async () => ({ name: 'Phone', ...anAuthenticator().make(await site.ask(startPasskey, { as: maker })) })
    for (const [endpoint, whole] of [
      [signInByPasskey, answer],
      [addPasskey, make],
    ] as const) {
      const sent: Record<string, unknown> = await whole()
      const fields = Object.keys(sent).filter((name) => !['name', 'transports'].includes(name))
      for (const field of fields) {
        for (const value of spoiled(String(sent[field]))) {
          await site.db.deleteFrom('loginAttempts').execute()
          const response = await site.call(endpoint, { as: maker, body: { ...(await whole()), [field]: value } })
          expect([400, 401], `${endpoint.path} ${field} ${JSON.stringify(value)?.slice(0, 80)}`).toContain(response.statusCode)
        }
      }
      expect((await site.call(endpoint, { as: maker, body: { ...sent, more: 1 } })).statusCode).toBe(400)
    }
    expect(await site.db.selectFrom('passkeys').selectAll().execute()).toEqual(before)
  })

  test('has a name of 1 to 60 characters, without blanks around it', async () => {
    const { site, maker } = await aSiteWithPasskey('sqlite')
    const made = anAuthenticator().make(await site.ask(startPasskey, { as: maker }))
    for (const name of ['', '   ', 'x'.repeat(61)]) {
      const response = await site.call(addPasskey, { as: maker, body: { ...made, name } })
      expect([response.statusCode, response.json().fields]).toEqual([400, { name: expect.any(String) }])
    }
    // The challenge was not used up by it.
    expect(await site.ask(addPasskey, { as: maker, body: { ...made, name: '  Phone ' } })).toMatchObject({ name: 'Phone' })
  })
})

describe('where passkeys work', () => {
  const unavailable = { code: 'passkeys_unavailable' }

  test('is localhost, when the site is called by it directly', async () => {
    const site = await openTestApp('sqlite')
    const from = (host: string, more = {}) => site.call(askForPasskey, { headers: { host, ...more } })
    expect((await from('localhost:3000')).json()).toMatchObject({ rpId: 'localhost' })
    for (const host of ['127.0.0.1:3000', '[::1]:3000', 'studio.lan', 'example.com', 'localhost:99999', 'evil.localhost']) {
      const response = await from(host)
      expect([response.statusCode, response.json()], host).toMatchObject([409, unavailable])
    }
    expect((await from('localhost', { 'x-forwarded-for': '203.0.113.1' })).json()).toMatchObject(unavailable)
  })

  test.each([
    ['https://example.com', 'example.com'],
    ['http://localhost:3000', 'localhost'],
    ['http://example.com', undefined],
    ['https://203.0.113.7', undefined],
  ])('is the address in PUBLIC_URL, whatever the site was called: %s', async (publicUrl, rpId) => {
    const site = await openTestApp('sqlite', { config: { publicUrl } })
    for (const host of ['localhost', 'other.example']) {
      const response = await site.call(askForPasskey, { headers: { host } })
      expect(response.json()).toMatchObject(rpId ? { rpId } : unavailable)
    }
  })

  test('a site with an address of its own accepts answers from there and from nowhere else', async () => {
    const site = await openTestApp('sqlite', { config: { publicUrl: 'https://example.com' } })
    const maker = await site.signedIn()
    const device = anAuthenticator()
    const here = { origin: 'https://example.com', rpId: 'example.com' }
    const made = device.make(await site.ask(startPasskey, { as: maker }), here)
    await site.ask(addPasskey, { as: maker, body: { name: 'Desk', ...made } })
    expect((await device.signIn(site)).statusCode).toBe(401)
    expect((await device.signIn(site, { ...here, origin: 'http://example.com' })).statusCode).toBe(401)
    expect((await device.signIn(site, here)).statusCode).toBe(200)
  })

  test('is not a demo that is called from another machine', async () => {
    const site = await openTestApp('sqlite')
    const maker = await site.signedIn({ username: 'admin', password: 'admin123', demo: true })
    const device = anAuthenticator()
    await device.addTo(site, maker)
    const headers = { host: 'demo.example' }
    const body = device.answer(await site.ask(askForPasskey))
    for (const response of [
      await site.call(askForPasskey, { headers }),
      await site.call(signInByPasskey, { headers, body }),
      await site.call(confirmByPasskey, { headers, as: maker, body }),
    ]) {
      expect([response.statusCode, response.json()]).toMatchObject([403, { code: 'demo_only_here' }])
    }
    expect((await site.call(signInByPasskey, { body })).statusCode).toBe(200)
  })

  test('strangers get so many challenges a minute', async () => {
    const site = await openTestApp('sqlite')
    const statuses = []
    for (let asked = 0; asked <= 30; asked += 1) statuses.push((await site.call(askForPasskey)).statusCode)
    expect(statuses.slice(-2)).toEqual([200, 429])
  })
})
