import { describe, expect, test } from 'vitest'
import { changePassword, checkSession, createAdmin, listAdmins, signIn } from '#contract/accounts.ts'
import { adminPage, homePage, signInPage } from '#contract/pages.ts'
import { problems } from '#contract/problems.ts'
import { demoAdmin } from '#demo/admin.ts'
import { cookieFrom, openTestApp } from '#tests/test-app.ts'

/** How a stranger may come to a site that listens on the loopback address only. */
const fromElsewhere: Record<string, string>[] = [
  { host: 'models.example' },
  { host: 'rebound.example:3000' },
  { host: 'localhost', 'x-forwarded-for': '203.0.113.7' },
  { host: 'localhost', 'x-forwarded-host': 'models.example' },
  { host: 'localhost', 'x-real-ip': '203.0.113.7' },
  { host: 'localhost', forwarded: 'for=203.0.113.7' },
  { host: '127.0.0.1:3000', via: '1.1 proxy' },
]

const refusal = { message: problems.demo_only_here[1], code: 'demo_only_here' }

describe('while the demo account has the password everybody knows', () => {
  test('it is managed from this machine only', async () => {
    const site = await openTestApp('sqlite')
    const demo = await site.signedIn({ ...demoAdmin, demo: true })
    for (const host of ['localhost:3000', '127.0.0.1', '[::1]:3000']) {
      await site.signIn(demoAdmin, { headers: { host } })
      await site.ask(listAdmins, { as: demo, headers: { host } })
    }
    for (const headers of fromElsewhere) {
      const attempt = await site.call(signIn, { body: { ...demoAdmin }, headers })
      expect([attempt.statusCode, attempt.json()]).toEqual([403, refusal])
      expect(attempt.cookies).toEqual([])
      const body = { username: 'Mallory', password: 'let me in' }
      for (const taken of [
        await site.call(listAdmins, { as: demo, headers }),
        await site.call(createAdmin, { as: demo, body, headers }),
      ])
        expect([taken.statusCode, taken.json()]).toEqual([403, refusal])
      expect(await site.ask(checkSession, { as: demo, headers })).toEqual({ authenticated: false })
    }
  })

  test('its pages are shown to others without the hint, and never the dashboard', async () => {
    const site = await openTestApp('sqlite')
    const demo = await site.signedIn({ ...demoAdmin, demo: true })
    for (const headers of fromElsewhere) {
      const page = await site.call(signInPage, { as: demo, headers })
      expect(page.statusCode).toBe(200)
      expect(page.body).not.toContain('"demoHint":true')
      expect((await site.call(adminPage, { as: demo, headers })).headers.location).toBe(signInPage.path)
      expect((await site.call(homePage, { headers })).statusCode).toBe(200)
    }
    expect((await site.call(signInPage)).body).toContain('"demoHint":true')
  })

  test('a password of one’s own ends that', async () => {
    const site = await openTestApp('sqlite')
    const demo = await site.signedIn({ ...demoAdmin, demo: true })
    const body = { currentPassword: demoAdmin.password, newPassword: 'my own secret' }
    const maker = { cookie: cookieFrom(await site.call(changePassword, { as: demo, body })) }
    for (const headers of fromElsewhere) {
      await site.ask(listAdmins, { as: maker, headers })
      await site.signIn({ username: demoAdmin.username, password: 'my own secret' }, { headers })
    }
  })

  test('going back to its password locks no account out: it has an owner by then', async () => {
    const site = await openTestApp('sqlite')
    const demo = await site.signedIn({ ...demoAdmin, demo: true })
    const change = async (as: { cookie: string }, currentPassword: string, newPassword: string) => ({
      cookie: cookieFrom(await site.call(changePassword, { as, body: { currentPassword, newPassword } })),
    })
    const maker = await change(demo, demoAdmin.password, 'my own secret')
    const second = await site.signedIn({ username: 'Second', password: 'another secret' })
    await change(maker, 'my own secret', demoAdmin.password)
    for (const headers of fromElsewhere) await site.ask(listAdmins, { as: second, headers })
    expect((await site.call(signInPage)).body).not.toContain('"demoHint":true')
  })

  test('an account that happens to have its name and its password is not the demo', async () => {
    const site = await openTestApp('sqlite')
    await site.addAdmin(demoAdmin)
    for (const headers of fromElsewhere) await site.signIn(demoAdmin, { headers })
  })
})
