import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import {
  changePassword,
  checkSession,
  confirmPassword,
  createAdmin,
  deleteAdmin,
  listAdmins,
  readConfirmation,
} from '#contract/accounts.ts'
import { cookieFrom, openTestApp, type SomeoneSignedIn, type TestApp } from '#tests/test-app.ts'
import { databases } from '#tests/test-database.ts'
import { brakes } from './sign-in-attempts.ts'

const isNeeded = (site: TestApp, as: { cookie: string }) => site.ask(readConfirmation, { as })
const confirm = (site: TestApp, as: SomeoneSignedIn, password = as.password) =>
  site.call(confirmPassword, { as, body: { password } })
const addAna = (site: TestApp, as: { cookie: string }) =>
  site.call(createAdmin, { as, body: { username: 'Ana', password: 'secret' } })

describe('the password before danger', () => {
  test('is asked for a quarter of an hour after signing in, and once given is good for another', async () => {
    const site = await openTestApp('sqlite')
    const maker = await site.signedIn()
    site.clock.pass({ minutes: 14, seconds: 59 })
    expect(await isNeeded(site, maker)).toEqual({ needed: false })
    site.clock.pass({ seconds: 1 })
    expect(await isNeeded(site, maker)).toEqual({ needed: true })
    expect((await addAna(site, maker)).json()).toMatchObject({ code: 'password_needed' })
    expect(await site.ask(listAdmins, { as: maker })).toHaveLength(1)

    expect((await confirm(site, maker)).statusCode).toBe(200)
    expect(await isNeeded(site, maker)).toEqual({ needed: false })
    const ana = await addAna(site, maker)
    expect(ana.statusCode).toBe(200)
    site.clock.pass({ minutes: 15 })
    const params = { id: ana.json().id }
    expect((await site.call(deleteAdmin, { as: maker, params })).json()).toMatchObject({ code: 'password_needed' })
    await confirm(site, maker)
    await site.ask(deleteAdmin, { as: maker, params })
  })

  test('a change of password has just been one', async () => {
    const site = await openTestApp('sqlite')
    const maker = await site.signedIn()
    site.clock.pass({ minutes: 15 })
    const body = { currentPassword: maker.password, newPassword: 'a better one' }
    const changed = { cookie: cookieFrom(await site.call(changePassword, { as: maker, body })) }
    expect(await isNeeded(site, changed)).toEqual({ needed: false })
  })

  test('a session of an older release has not given it', async () => {
    const site = await openTestApp('sqlite')
    const maker = await site.signedIn()
    const sess = JSON.stringify({ adminId: maker.adminId, createdAt: site.clock.now().toISOString() })
    await site.db.updateTable('sessions').set({ sess }).execute()
    expect(await site.ask(checkSession, { as: maker })).toMatchObject({ authenticated: true })
    expect(await isNeeded(site, maker)).toEqual({ needed: true })
    await confirm(site, maker)
    expect(await isNeeded(site, maker)).toEqual({ needed: false })
  })

  test('a wrong one opens nothing, is slowed down like every guess, and is in no log', async () => {
    const logged: unknown[] = []
    const site = await openTestApp('sqlite', { onLogged: (line) => logged.push(line) })
    const maker = await site.signedIn()
    site.clock.pass({ minutes: 15 })
    const wrong = `not mine ${randomUUID()}`
    for (let guesses = 0; guesses < brakes.accountAtAddress.free; guesses += 1) {
      const refused = await confirm(site, maker, wrong)
      expect(refused.statusCode).toBe(400)
      expect(refused.json()).toEqual({ message: 'That password is wrong. Nothing was done.', code: 'password_not_right' })
    }
    const early = await confirm(site, maker)
    expect(early.statusCode).toBe(429)
    expect(early.json()).toMatchObject({ code: 'too_many_attempts', details: { seconds: 1 } })
    // The same guesses count for a change of the password.
    const body = { currentPassword: maker.password, newPassword: 'a better one' }
    expect((await site.call(changePassword, { as: maker, body })).statusCode).toBe(429)
    expect(await isNeeded(site, maker)).toEqual({ needed: true })
    site.clock.pass({ seconds: 1 })
    expect((await confirm(site, maker)).statusCode).toBe(200)
    expect(JSON.stringify(logged)).not.toContain(wrong)
  })
})

describe.each(databases)('the password before danger, on %s', (dialect) => {
  test('is good for the session it was given in, which goes on as it was', async () => {
    const site = await openTestApp(dialect)
    const desk = await site.signedIn()
    const phone = await site.signIn(desk)
    const before = await site.db.selectFrom('sessions').selectAll().orderBy('sid').execute()
    site.clock.pass({ minutes: 15 })
    const confirmed = await confirm(site, desk)
    expect(confirmed.cookies).toEqual([])
    expect(await isNeeded(site, desk)).toEqual({ needed: false })
    expect(await isNeeded(site, phone)).toEqual({ needed: true })
    const after = await site.db.selectFrom('sessions').selectAll().orderBy('sid').execute()
    const [was, is] = [before, after].map((rows) =>
      rows.map(({ sess: { confirmedAt: _, ...sess }, ...row }) => ({ ...row, sess })),
    )
    expect(is).toEqual(was)
  })
})
