import { describe, expect, onTestFinished, test } from 'vitest'
import { changePassword, checkSession, deleteAdmin, listAdmins, signIn } from '#contract/accounts.ts'
import { changeMailSettings, readMails } from '#contract/mails.ts'
import { signInPage } from '#contract/pages.ts'
import {
  confirmAddress,
  readLinkNeeds,
  removeAddress,
  requestPasswordLink,
  resetPassword,
  setAddress,
} from '#contract/recovery.ts'
import { demoAdmin } from '#demo/admin.ts'
import { readConfig } from '#server/config.ts'
import type { Dialect } from '#server/database/dialect.ts'
import { sweepOutbox } from '#server/mail/outbox.queries.ts'
import { mailSettingsFor, startSmtp } from '#tests/smtp.ts'
import { cookiesFrom, openTestApp } from '#tests/test-app.ts'
import { databases } from '#tests/test-database.ts'

const polling = { timeout: 20_000, interval: 10 }
const email = 'ana@taller.example'
const newPassword = 'pear wood and brass'
const notValid = [410, 'link_not_valid']

/** A site that can mail links, with a maker who is signed in and, unless told otherwise, has an address. */
async function openRecovery(dialect: Dialect, address: string | null = email, options: Parameters<typeof openTestApp>[1] = {}) {
  const smtp = await startSmtp()
  onTestFinished(() => smtp.stop())
  const { mail } = readConfig(mailSettingsFor(smtp))
  const site = await openTestApp(dialect, {
    ...options,
    config: { rateLimits: false, publicUrl: 'https://models.example', mail, ...options.config },
  })
  const maker = await site.signedIn()
  const giveAddress = (id: string, to: string | null) =>
    site.db.updateTable('adminUsers').set({ email: to }).where('id', '=', id).execute()
  await giveAddress(maker.adminId, address)
  const forget = (account: string = maker.username) => site.ask(requestPasswordLink, { body: { account } })
  const refusal = async (...made: Parameters<typeof site.call>) => {
    const response = await site.call(...made)
    return [response.statusCode, response.json().code]
  }
  return {
    ...site,
    smtp,
    maker,
    giveAddress,
    forget,
    refusal,
    reset: (token: string) => refusal(resetPassword, { body: { token, newPassword } }),
    /** The mails so far, once there are so many. */
    async received(count: number) {
      await expect.poll(() => smtp.received.length, polling).toBe(count)
      return smtp.received
    },
    /** The token of the mail of that number, once it is there. */
    async tokenIn(number: number) {
      await expect.poll(() => smtp.received.length, polling).toBeGreaterThanOrEqual(number)
      return /=([\w-]{43})\n/.exec(smtp.received[number - 1]?.text ?? '')?.[1] ?? ''
    },
    /** Once what follows an answer has been done. */
    async settled() {
      const counted = site.db.selectFrom('requestCounts').select('count').where('subject', '=', 'all password mails')
      return (await counted.executeTakeFirst())?.count
    },
    activity: async () => (await site.db.selectFrom('activity').select('kind').execute()).map(({ kind }) => kind).toSorted(),
  }
}

describe.each(databases)('the address of an account on %s', (dialect) => {
  test('is confirmed by pressing a button, by whoever has the mail, once', async () => {
    const site = await openRecovery(dialect, null)
    const other = await site.signedIn({ username: 'other' })
    const helper = await site.signedIn({ username: 'helper', role: 'helper' })
    await site.ask(changeMailSettings, { as: site.maker, body: { language: 'es' } })
    await site.ask(setAddress, { as: site.maker, body: { email: 'Ana@Taller.example ' }, headers: { host: 'evil.example' } })
    const token = await site.tokenIn(1)
    expect(site.smtp.received[0]).toMatchObject({
      to: email,
      subject: 'Vitrina: confirme su dirección de correo',
      text: [
        'Esta dirección se indicó para la cuenta «maker». Para confirmarla, abra este enlace antes de 24 horas y presione el botón.',
        `https://models.example/admin/login?lang=es&address=${token}`,
        'Si no fue usted, ignore este correo. Nada cambiará.\n',
      ].join('\n\n'),
    })
    const seenBy = async (as: { cookie: string }) =>
      (await site.ask(listAdmins, { as }))
        .filter(({ username }) => username === 'maker')
        .map(({ email, unconfirmedEmail }) => [email, unconfirmedEmail])
    expect(await seenBy(site.maker)).toEqual([[null, email]])
    expect(await seenBy(other)).toEqual([[null, null]])

    for (const as of [{}, { as: site.maker }]) {
      const page = await site.call(signInPage, { query: { address: token }, ...as })
      expect([page.statusCode, page.headers['referrer-policy']]).toEqual([200, 'no-referrer'])
    }
    expect(await site.ask(confirmAddress, { body: { token } })).toEqual({ email })
    expect(await site.refusal(confirmAddress, { body: { token } })).toEqual(notValid)
    expect(await seenBy(site.maker)).toEqual([[email, null]])
    expect(await seenBy(other)).toEqual([[email, null]])
    expect(await seenBy(helper)).toEqual([])

    await site.ask(removeAddress, { as: site.maker })
    await site.ask(removeAddress, { as: site.maker })
    expect(await seenBy(site.maker)).toEqual([[null, null]])
    expect((await site.activity()).filter((kind) => kind.startsWith('address'))).toEqual([
      'address_confirmed',
      'address_removed',
    ])
  })

  test('is that of the newest link, for a day', async () => {
    const site = await openRecovery(dialect)
    const ask = (to: string) => site.ask(setAddress, { as: site.maker, body: { email: to } })
    await ask('one@taller.example')
    await ask('two@taller.example')
    const [one, two] = [await site.tokenIn(1), await site.tokenIn(2)]
    expect(await site.refusal(confirmAddress, { body: { token: one } })).toEqual(notValid)
    site.clock.pass({ hours: 24 })
    expect(await site.refusal(confirmAddress, { body: { token: two } })).toEqual(notValid)
    const again = await site.signIn(site.maker)
    await site.ask(setAddress, { as: again, body: { email: 'three@taller.example' } })
    await site.ask(confirmAddress, { body: { token: await site.tokenIn(4) } })
    expect(await site.ask(listAdmins, { as: again })).toMatchObject([{ email: 'three@taller.example', unconfirmedEmail: null }])
  })
})

describe.each(databases)('a link for a new password on %s', (dialect) => {
  test('goes to the confirmed address, and ends every session once it is used', async () => {
    const site = await openRecovery(dialect)
    for (let guess = 0; guess < 6; guess += 1) {
      await site.call(signIn, { body: { username: 'maker', password: `guess ${guess}` } })
    }
    await site.forget(' MAKER ')
    await site.forget('ANA@taller.example')
    const [first, second] = [await site.tokenIn(1), await site.tokenIn(2)]
    expect(site.smtp.received[0]).toMatchObject({
      to: email,
      subject: 'Vitrina: set a new password',
      text: [
        'A new password was requested for the account “maker”. To set one, open this link within 30 minutes. It works once.',
        `https://models.example/admin/login?lang=en&reset=${first}`,
        'If it was not you, ignore this email. Your password stays as it is.\n',
      ].join('\n\n'),
    })
    // With their links.
    await expect.poll(() => site.db.selectFrom('outbox').selectAll().execute(), polling).toEqual([])

    const refused = await site.call(resetPassword, { body: { token: second, newPassword: 'short' } })
    expect(refused.json().fields).toEqual({ newPassword: 'New password must be at least 6 characters' })
    await site.ask(resetPassword, { body: { token: second, newPassword } })
    expect(await site.ask(checkSession, { as: site.maker })).toEqual({ authenticated: false })
    for (const token of [first, second]) expect(await site.reset(token)).toEqual(notValid)
    await site.signIn({ username: 'maker', password: newPassword })
    expect(await site.refusal(signIn, { body: { username: 'maker', password: site.maker.password } })).toEqual([
      401,
      'wrong_credentials',
    ])
    expect(await site.activity()).toEqual(
      expect.arrayContaining(['password_link_sent', 'password_link_sent', 'password_reset', 'signed_in']),
    )
  })

  test('ends after half an hour, with a sign-in, another password, another address and the account, and opens nothing else', async () => {
    const site = await openRecovery(dialect)
    const other = await site.addAdmin({ username: 'other' })
    let mails = 0
    const aLink = async () => {
      await site.db.deleteFrom('requestCounts').execute()
      await site.forget()
      mails += 1
      return site.tokenIn(mails)
    }
    const endings: Record<string, () => unknown> = {
      'half an hour': () => site.clock.pass({ minutes: 30 }),
      'a sign-in': async () => {
        await site.signIn(site.maker)
        mails += 1
      },
      'another password': () =>
        site.ask(changePassword, {
          as: site.maker,
          body: { currentPassword: site.maker.password, newPassword: site.maker.password },
        }),
      'another address': () => site.giveAddress(site.maker.adminId, 'new@taller.example'),
    }
    for (const [ending, end] of Object.entries(endings)) {
      const token = await aLink()
      await end()
      expect(await site.reset(token), ending).toEqual(notValid)
    }
    const token = await aLink()
    for (const wrong of ['', 'forged', token.slice(0, -1), `${token}=`, token.toUpperCase(), '\0', '🚂'.repeat(100)]) {
      expect(await site.reset(wrong), wrong).toEqual(notValid)
    }
    expect(await site.refusal(confirmAddress, { body: { token } })).toEqual(notValid)
    await site.ask(deleteAdmin, { as: await site.signIn(other), params: { id: site.maker.adminId } })
    expect(await site.reset(token)).toEqual(notValid)
    expect(await site.db.selectFrom('tokens').selectAll().execute()).toEqual([])
    expect(await site.refusal(resetPassword, { body: { token: 'x'.repeat(501), newPassword } })).toEqual([400, 'invalid_input'])
  })

  test('is used once by five who have it at the same moment, and never while somebody signs in does one wait for the other', async () => {
    const site = await openRecovery(dialect)
    await site.forget()
    const token = await site.tokenIn(1)
    const answers = await Promise.all(Array.from({ length: 5 }, () => site.reset(token)))
    expect(answers.map(([status]) => status).toSorted()).toEqual([200, 410, 410, 410, 410])
    await site.forget()
    const next = await site.tokenIn(2)
    const body = { username: 'maker', password: newPassword }
    const both = await Promise.all(
      Array.from({ length: 5 }, async () => [site.reset(next), site.refusal(signIn, { body })]).map(async (pair) =>
        Promise.all(await pair),
      ),
    )
    expect(both.flat().filter(([status]) => ![200, 401, 410, 429].includes(status))).toEqual([])
  })

  test('is mailed three times an hour to an account and twenty times in all, and every answer is the same', async () => {
    const site = await openRecovery(dialect)
    const answers = new Set<string>()
    const ask = async (account: string) => {
      const { body, statusCode, headers } = await site.call(requestPasswordLink, { body: { account } })
      answers.add(`${statusCode} ${body} ${Object.keys(headers)}`)
    }
    await site.addAdmin({ username: 'without address' })
    for (let time = 0; time < 5; time += 1) await ask('maker')
    for (const account of ['without address', 'nobody', email, 'nobody@taller.example']) await ask(account)
    const many = await Promise.all(Array.from({ length: 18 }, (_, index) => site.addAdmin({ username: `helper ${index}` })))
    for (const { adminId, username } of many) {
      await site.giveAddress(adminId, `${adminId}@taller.example`)
      await ask(username)
    }
    await site.received(20)
    expect(site.smtp.received.filter(({ to }) => to === email)).toHaveLength(3)
    // Counted in the order of the requests: the last one was too many.
    await expect.poll(site.settled, polling).toBe(21)
    site.clock.pass({ hours: 1 })
    await ask('maker')
    expect(await site.received(21)).toHaveLength(21)
    expect(answers.size).toBe(1)
  })
})

describe('a sign-in from a new device', () => {
  test('is told to the confirmed address, but for the first one ever and that of a remembered browser', async () => {
    const site = await openRecovery('sqlite')
    const second = await site.addAdmin({ username: 'second' })
    await site.giveAddress(second.adminId, 'second@taller.example')
    const agent = 'Mozilla/5.0 (Android 15; Mobile; rv:140.0) Gecko/140.0 Firefox/140.0'
    const enter = (account: { username: string; password: string }, headers: Record<string, string> = {}) =>
      site.call(signIn, {
        body: { username: account.username, password: account.password },
        headers: { 'user-agent': agent, ...headers },
      })
    const first = await enter(second)
    const again = await enter(second, { cookie: cookiesFrom(first) })
    const body = { currentPassword: second.password, newPassword }
    await site.ask(changePassword, { as: { cookie: cookiesFrom(again) }, body })
    await enter(site.maker)
    const [mail] = await site.received(1)
    expect(mail).toMatchObject({
      to: email,
      subject: 'Vitrina: new sign-in',
      text: [
        'The account “maker” was signed in on Friday, May 1 at 6:00 AM CST, on a device it had not used since its password was set:',
        'Firefox on Android',
        'If it was you, there is nothing to do.',
        'If it was not you, change your password right away: that signs out every other device.\nhttps://models.example/admin\n',
      ].join('\n\n'),
    })
    await enter({ ...second, password: newPassword }, { cookie: cookiesFrom(first) })
    for (let time = 0; time < 5; time += 1) await enter(site.maker)
    await site.received(4)
    expect(site.smtp.received.filter(({ to }) => to === email)).toHaveLength(3)
  })
})

describe('what links need', () => {
  test('is named while it is missing, and then nothing is offered', async () => {
    for (const [config, missing] of [
      [{ mail: undefined }, ['mail']],
      [{ publicUrl: undefined }, ['publicUrl']],
    ] as const) {
      const site = await openRecovery('sqlite', email, { config })
      expect(await site.ask(readLinkNeeds, { as: site.maker })).toEqual({ missing })
      expect(await site.refusal(setAddress, { as: site.maker, body: { email } })).toEqual([409, 'mail_not_set_up'])
      expect(await site.refusal(requestPasswordLink, { body: { account: 'maker' } })).toEqual([409, 'mail_not_set_up'])
      expect((await site.call(signInPage)).body).toContain('"mailsLinks":false')
    }
  })

  test('is not answered elsewhere than on the demo’s own machine', async () => {
    const site = await openRecovery('sqlite', null)
    await site.signedIn({ ...demoAdmin, demo: true })
    const headers = { host: 'models.example' }
    const elsewhere = [
      [requestPasswordLink, { account: 'admin' }],
      [resetPassword, { token: 'x', newPassword }],
      [confirmAddress, { token: 'x' }],
    ] as const
    for (const [endpoint, body] of elsewhere) {
      expect(await site.refusal(endpoint, { body, headers })).toEqual([403, 'demo_only_here'])
    }
    expect((await site.call(signInPage)).body).toContain('"mailsLinks":true')
  })
})

describe('a mail with a link', () => {
  test('that is not taken is listed for owners, without its link, and not for helpers; it goes with its link', async () => {
    const site = await openRecovery('sqlite')
    const helper = await site.signedIn({ username: 'helper', role: 'helper' })
    site.smtp.behave('defer')
    await site.forget()
    const troubled = async (as: { cookie: string }) => (await site.ask(readMails, { as })).troubled
    await expect.poll(() => troubled(site.maker), polling).toMatchObject([{ kind: 'password', to: email, attempts: 1 }])
    expect(JSON.stringify(await troubled(site.maker))).not.toContain('reset=')
    expect(await troubled(helper)).toEqual([])
    site.clock.pass({ days: 1 })
    await sweepOutbox(site.db, site.clock)
    expect(await site.db.selectFrom('outbox').selectAll().execute()).toEqual([])
  })

  test('is asked for and used by one visitor twenty times in a quarter of an hour', async () => {
    const site = await openRecovery('sqlite', null, { config: { rateLimits: true } })
    for (let time = 0; time < 10; time += 1) await site.forget('nobody')
    for (let time = 0; time < 10; time += 1)
      expect(await site.refusal(confirmAddress, { body: { token: 'x' } })).toEqual(notValid)
    expect(await site.reset('x')).toEqual([429, 'too_many_requests'])
    expect(await site.refusal(requestPasswordLink, { body: { account: 'nobody' } })).toEqual([429, 'too_many_requests'])
  })
})
