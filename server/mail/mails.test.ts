import { createHash, randomUUID } from 'node:crypto'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { maker } from '#content/maker.ts'
import { changeContact, deleteContact, readContact, replyToContact, searchContacts } from '#contract/contacts.admin.ts'
import { sendContact } from '#contract/contacts.ts'
import { changeMailSettings, dismissMail, readMails, retryMail } from '#contract/mails.ts'
import { sendTestMail } from '#contract/settings.ts'
import { readConfig } from '#server/config.ts'
import type { Dialect } from '#server/database/dialect.ts'
import type { Db } from '#server/database/tables.ts'
import { aContact, aStoredProject, storeContact, storeProject, storeVersion } from '#tests/factories.ts'
import { mailSettingsFor, startSmtp } from '#tests/smtp.ts'
import { openTestApp, type TestApp } from '#tests/test-app.ts'
import { testClock } from '#tests/test-clock.ts'
import { databases, migratedDatabase } from '#tests/test-database.ts'
import { runIfDue } from '../jobs/jobs.ts'
import { sweepOutbox } from './outbox.queries.ts'
import { remindersJob } from './reminders.ts'
import { mostAttempts, waitAfter } from './retries.rules.ts'

const polling = { timeout: 20_000, interval: 10 }

type Options = Parameters<typeof openTestApp>[1] & { smtp?: Parameters<typeof startSmtp>[0]; url?: string; to?: string }

/** A site with a mail server, and somebody who is signed in. */
async function openMailing(dialect: Dialect, { smtp: kind, url, to, config, ...options }: Options = {}) {
  const smtp = await startSmtp(kind)
  onTestFinished(() => smtp.stop())
  const settings = { ...mailSettingsFor(smtp), ...(url && { SMTP_URL: url }), ...(to && { MAIL_TO: to }) }
  const { mail } = readConfig(settings)
  const site = await openTestApp(dialect, {
    config: { rateLimits: false, publicUrl: 'https://models.example', mail, ...config },
    ...options,
  })
  const as = await site.signedIn()
  const mails = () => site.ask(readMails, { as })
  return {
    ...site,
    as,
    smtp,
    mails,
    inquire: (details: Partial<Parameters<typeof aContact>[0]> = {}) => site.ask(sendContact, { body: aContact(details) }),
    async received(count: number) {
      await expect.poll(() => smtp.received.length, polling).toBe(count)
      return smtp.received
    },
    /** When so many could not be sent. */
    async troubled(count = 1) {
      await expect.poll(async () => (await mails()).troubled.length, polling).toBe(count)
      return (await mails()).troubled
    },
    later(time: Parameters<typeof site.clock.pass>[0]) {
      site.clock.pass(time)
      site.mailer.wake()
    },
    /** When nothing is on its way any more. */
    async allSent() {
      const waiting = () => site.db.selectFrom('outbox').select('id').where('state', '!=', 'sent').execute()
      await expect.poll(waiting, polling).toEqual([])
    },
  }
}

/** A photo that a visitor has sent ahead; answers its ticket. */
async function storePhoto(db: Db, letter: string) {
  const ticket = letter.repeat(43)
  const facts = { hash: letter.repeat(64), contentType: 'image/jpeg', bytes: 1, width: 1, height: 1 }
  const id = createHash('sha256').update(ticket).digest('hex')
  await db
    .insertInto('contactPhotos')
    .values({ ...facts, id, contactId: null, createdAt: '2026-05-01T11:59:00.000Z' })
    .execute()
  return ticket
}

describe('a message', () => {
  test('is told in the language of the panel, with its photos, and without links where the address is not known', async () => {
    const site = await openMailing('sqlite', {
      config: { publicUrl: undefined },
      to: 'Ana <ana@models.example>, luis@models.example',
    })
    await site.ask(changeMailSettings, { as: site.as, body: { language: 'es' } })
    const photos = await Promise.all(['a', 'b'].map((letter) => storePhoto(site.db, letter)))
    await site.inquire({ projectType: 'militaryVehicles', language: 'en', photos })
    const received = await site.received(2)
    expect(received.map(({ to }) => to)).toEqual(expect.arrayContaining(['ana@models.example', 'luis@models.example']))
    expect(new Set(received.map(({ messageId }) => messageId)).size).toBe(2)
    expect(received[0]?.subject).toBe('Nuevo mensaje de Inés Robles')
    expect(received[0]?.text).toContain('Tipo de proyecto: Vehículo militar\n2 fotos: véalas en el panel.\n')
    expect(received[0]?.text).not.toContain('http')
    expect(await site.mails()).toMatchObject({
      setUp: { from: 'Vitrina <site@vitrina.example>', to: 'Ana <ana@models.example>, luis@models.example' },
      settings: { language: 'es', acknowledges: false },
    })
  })

  test('cannot add lines to the head of a mail, nor pass for the site', async () => {
    const site = await openMailing('sqlite')
    await site.inquire({ name: 'Eve\r\nBcc: all@example.com\nPlease answer by never.\u202Egnp', message: 'Hello' })
    const [mail] = await site.received(1)
    expect(mail?.envelope.to).toEqual(['maker@vitrina.example'])
    expect(mail?.headers.get('bcc')).toBeUndefined()
    expect(mail?.subject).toBe('New message from Eve Bcc: all@example.com Please answer by never. gnp')
    expect(mail?.headers.get('reply-to')).toContain('<ines@example.com>')
    expect(mail?.text.split('\n')[0]).toBe(
      'Eve Bcc: all@example.com Please answer by never. gnp (ines@example.com) wrote to you.',
    )
  })

  test('that looks like spam causes no mail', async () => {
    const site = await openMailing('sqlite')
    await site.ask(changeMailSettings, { as: site.as, body: { acknowledges: true } })
    await site.inquire({ website: 'https://spam.example' })
    expect(await site.db.selectFrom('outbox').selectAll().execute()).toEqual([])
  })

  test('is acknowledged and answered in the name the maker has given the site', async () => {
    const site = await openMailing('sqlite')
    await storeVersion(site.db, { 'maker.brand': 'Taller Ana', 'maker.email': 'ana@taller.example' })
    await site.ask(changeMailSettings, { as: site.as, body: { acknowledges: true } })
    await site.inquire({ language: 'es' })
    const [contact] = (await site.ask(searchContacts, { as: site.as })).contacts
    const params = { id: contact?.id ?? '' }
    await site.ask(replyToContact, { as: site.as, params, body: { id: randomUUID(), text: 'Con mucho gusto.' } })
    await site.ask(sendTestMail, { as: site.as })
    const received = await site.received(4)
    const acknowledgement = received.find(({ subject }) => subject === 'Taller Ana: su mensaje llegó')
    expect(acknowledgement?.headers.get('reply-to')).toBe('Taller Ana <ana@taller.example>')
    expect(acknowledgement?.text).toContain('\n\nTaller Ana\nhttps://models.example\n\n')
    expect(received.map(({ subject }) => subject)).toContain('Re: su mensaje a Taller Ana')
    expect(received.map(({ subject, text }) => subject + text).join()).not.toContain('Vitrina')
    await site.allSent()
  })

  test('shows the name of its sender as it was typed', async () => {
    const site = await openMailing('sqlite')
    const names = [
      '=?utf-8?q?=4Daria_from_the_bank?=',
      'Ana =?utf-8?b?TWFyw61h?= =?utf-8?q?=41?=',
      'Inés =?UTF-8?Q?=41?=',
      '=?=',
    ]
    const shown = (text = '') => text.replaceAll('\u200b', '')
    for (const [index, name] of names.entries()) {
      const project = aStoredProject({ title: name })
      await storeProject(site.db, project)
      await site.inquire({ name, about: project.id })
      const mail = (await site.received(index + 1)).at(-1)
      expect(shown(mail?.subject)).toBe(`New message from ${name} about ${name}`)
      expect(shown(mail?.headers.get('reply-to'))).toBe(`${name} <ines@example.com>`)
    }
  })

  test('is acknowledged once a day however the address is written, and to the address as it was typed', async () => {
    const site = await openMailing('sqlite')
    await site.ask(changeMailSettings, { as: site.as, body: { acknowledges: true } })
    const typed = ['In.es+models@example.com', 'ines@example.com', 'i.n.e.s@EXAMPLE.com', 'ines+2+3@example.com']
    for (const email of [...typed, 'ines@example.org']) await site.inquire({ email })
    const acknowledgements = site.db.selectFrom('outbox').select('message').where('kind', '=', 'acknowledgement')
    const to = (await acknowledgements.execute()).map(({ message }) => message.to)
    expect(to.toSorted()).toEqual(['In.es+models@example.com', 'ines@example.org'])
  })

  test('is acknowledged to at most sixty addresses an hour', async () => {
    const site = await openMailing('sqlite')
    await site.ask(changeMailSettings, { as: site.as, body: { acknowledges: true } })
    const windowEnds = new Date(site.clock.now().getTime() + 3_600_000).toISOString()
    await site.db.insertInto('requestCounts').values({ subject: 'all acknowledgements', count: 59, windowEnds }).execute()
    for (const email of ['sixtieth@example.com', 'one-too-many@example.com']) await site.inquire({ email })
    await site.received(3)
    await site.allSent()
    expect(site.smtp.received.map(({ to }) => to)).not.toContain('one-too-many@example.com')
  })
})

describe.each(databases)('a message on %s', (dialect) => {
  test('is told to the maker, who can answer the mail', async () => {
    const site = await openMailing(dialect)
    const project = aStoredProject({ title: 'Frigate Aurora', translations: { es: { title: 'Fragata Aurora' } } })
    await storeProject(site.db, project)
    await site.inquire({ name: 'Inés Robles', message: 'Line one\n\nLine two: ñandú', about: project.id, language: 'es' })
    const [mail] = await site.received(1)
    const { contacts } = await site.ask(searchContacts, { as: site.as })
    const [row] = await site.db.selectFrom('outbox').selectAll().execute()
    expect(mail).toMatchObject({
      envelope: { from: 'site@vitrina.example', to: ['maker@vitrina.example'] },
      to: 'maker@vitrina.example',
      subject: 'New message from Inés Robles about Fragata Aurora',
      messageId: `<${row?.id}@vitrina.example>`,
      text: [
        'Inés Robles (ines@example.com) wrote to you.',
        `Project type: Ships\nAbout: Fragata Aurora\nhttps://models.example/?project=${project.id}`,
        'Please answer by Sunday, May 3 at 6:00 AM CST.',
        `Answer in the panel, or reply to this email: your reply goes to the visitor. Then mark the message as answered in the panel.\nhttps://models.example/admin?inquiry=${contacts[0]?.id}`,
        'From here to the end of this email, the visitor’s own words:',
        'Line one\n\nLine two: ñandú\n',
      ].join('\n\n'),
    })
    expect(Object.fromEntries(mail?.headers ?? [])).toMatchObject({
      from: 'Vitrina <site@vitrina.example>',
      'reply-to': 'Inés Robles <ines@example.com>',
      date: 'Fri, 01 May 2026 12:00:00 +0000',
      'auto-submitted': 'auto-generated',
      'content-type': 'text/plain; charset=utf-8',
    })
    await site.allSent()
    expect(await site.mails()).toMatchObject({ troubled: [] })
  })

  test('that the maker marks as spam before its mails are sent causes none', async () => {
    const site = await openMailing(dialect)
    await site.ask(changeMailSettings, { as: site.as, body: { acknowledges: true } })
    site.smtp.behave('defer')
    await site.inquire()
    await site.troubled(2)
    const [contact] = (await site.ask(searchContacts, { as: site.as })).contacts
    await site.ask(changeContact, { as: site.as, params: { id: contact?.id ?? '' }, body: { state: 'spam' } })
    expect(await site.db.selectFrom('outbox').selectAll().execute()).toEqual([])
  })

  test('is acknowledged to the visitor if the maker likes, without a word of theirs, once a day for an address', async () => {
    const site = await openMailing(dialect)
    await site.ask(changeMailSettings, { as: site.as, body: { acknowledges: true } })
    const toVisitors = () => site.smtp.received.filter(({ to }) => to !== 'maker@vitrina.example')
    await site.inquire({ name: 'Buy cheap things', message: 'At https://spam.example', language: 'es' })
    await site.inquire({ email: 'INES@example.com', message: 'Once more' })
    await site.inquire({ email: 'luis@example.com' })
    await site.received(5)
    expect(toVisitors().map(({ to }) => to)).toEqual(expect.arrayContaining(['ines@example.com', 'luis@example.com']))
    const inSpanish = toVisitors().find(({ to }) => to === 'ines@example.com')
    expect(inSpanish).toMatchObject({
      subject: 'Vitrina: su mensaje llegó',
      text: [
        'Gracias por su interés. Su mensaje llegó, y le responderé en menos de 48 horas.',
        'Vitrina\nhttps://models.example',
        'Este correo se envió automáticamente porque su dirección se escribió en el formulario de contacto. Si no fue usted, no tiene que hacer nada.\n',
      ].join('\n\n'),
    })
    expect(inSpanish?.headers.get('auto-submitted')).toBe('auto-generated')
    expect(inSpanish?.headers.get('reply-to')).toBe(`Vitrina <${maker.email}>`)
    expect([...(inSpanish?.headers ?? [])].join()).not.toContain('cheap')
    site.clock.pass({ days: 1 })
    await site.inquire({ message: 'The next day' })
    await site.received(7)
    expect(toVisitors()).toHaveLength(3)
    const counts = await site.db.selectFrom('requestCounts').select('subject').execute()
    expect(counts.filter(({ subject }) => subject.includes('@'))).toEqual([])
  })

  test('is answered from the panel by a mail that is kept with it', async () => {
    const site = await openMailing(dialect)
    await site.inquire({ language: 'es' })
    const [contact] = (await site.ask(searchContacts, { as: site.as })).contacts
    const text = `Hola Inés:\n\n${'Con mucho gusto. '.repeat(600)}\n.\n> ¿Podría construir…?`
    const reply = { as: site.as, params: { id: contact?.id ?? '' }, body: { id: randomUUID(), text } }
    await site.ask(replyToContact, reply)
    await site.ask(replyToContact, reply)
    await site.received(2)
    await site.allSent()
    const mail = site.smtp.received.find(({ to }) => to === 'ines@example.com')
    expect(mail).toMatchObject({ subject: 'Re: su mensaje a Vitrina', text: `${text}\n` })
    expect(mail?.headers.get('reply-to')).toBe('maker@vitrina.example')
    expect(mail?.headers.has('auto-submitted')).toBe(false)
    const { replies } = await site.ask(readContact, { as: site.as, params: { id: contact?.id ?? '' } })
    expect(replies).toMatchObject([{ sentAt: site.clock.now().toISOString(), mail: { state: 'sent', lastError: null } }])
  })
})

describe('a mail server', () => {
  test('that is away for two days has lost a mail, which the maker may try again or give up', async () => {
    const site = await openMailing('sqlite', { url: 'smtp://127.0.0.1:1' })
    await site.inquire()
    for (let attempt = 1; attempt < mostAttempts; attempt += 1) {
      await expect.poll(async () => (await site.mails()).troubled.map(({ attempts }) => attempts), polling).toContain(attempt)
      site.later({ milliseconds: waitAfter(attempt) })
    }
    const failed = async () => (await site.mails()).troubled.filter(({ state }) => state === 'failed')
    await expect.poll(async () => (await failed()).length, polling).toBe(1)
    const [mail] = await failed()
    expect(mail).toMatchObject({ attempts: mostAttempts, lastError: 'connect ECONNREFUSED 127.0.0.1:1' })
    expect(site.clock.now().getTime() - Date.parse(mail?.createdAt ?? '')).toBeLessThanOrEqual(48 * 3_600_000)
    await site.ask(dismissMail, { as: site.as, params: { id: mail?.id ?? '' } })
    expect(await failed()).toEqual([])
    expect((await site.ask(searchContacts, { as: site.as })).contacts).toHaveLength(1)
  })

  test('that stops answering, at one step or another, or drops the line delays no visitor, and gets each mail once', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'], shouldAdvanceTime: true })
    onTestFinished(() => void vi.useRealTimers())
    const attempt = 20_000
    const site = await openMailing('sqlite', { mailTimeouts: { attempt, stop: 100 } })
    const hanging = ['hang at greeting', 'hang at recipient', 'hang at message'] as const
    for (const [number, behaviour] of [...hanging, 'drop the line' as const].entries()) {
      const hangs = behaviour !== 'drop the line'
      site.smtp.behave(behaviour)
      await site.inquire({ name: `Visitor ${number}` })
      if (hangs) {
        await expect.poll(() => site.smtp.hung.at(-1), polling).toBe(behaviour)
        vi.advanceTimersByTime(attempt)
      }
      const [mail] = await site.troubled()
      const reason = hangs ? 'The mail server did not finish within 20 seconds.' : 'Connection closed unexpectedly'
      expect(mail).toMatchObject({ state: 'waiting', attempts: 1, lastError: reason })
      site.smtp.behave('accept')
      site.later({ minutes: 1 })
      await site.received(number + 1)
      await site.troubled(0)
    }
    expect(site.smtp.hung).toEqual(hanging)
    expect(new Set(site.smtp.received.map(({ messageId }) => messageId)).size).toBe(4)
  })

  test('whose answer is lost gets the mail again, under the same id', async () => {
    const site = await openMailing('sqlite')
    site.smtp.behave('lose the answer')
    await site.inquire()
    await site.troubled()
    site.smtp.behave('accept')
    site.later({ minutes: 1 })
    await site.troubled(0)
    const [first, second, ...more] = site.smtp.received
    expect(more).toEqual([])
    expect(second?.messageId).toBe(first?.messageId)
    expect(second?.text).toBe(first?.text)
  })

  test('that takes no such password is asked once a round, and named without the password', async () => {
    const logged: unknown[] = []
    const smtp = await startSmtp({ account: { user: 'site', pass: 'right' } })
    onTestFinished(() => smtp.stop())
    const site = await openMailing('sqlite', {
      url: smtp.url.replace('right', 'very-wrong'),
      onLogged: (line) => logged.push(line),
    })
    await site.inquire()
    const [mail] = await site.troubled()
    expect(mail).toMatchObject({
      state: 'waiting',
      lastError: '535 5.7.8 Username and password not accepted: site ***',
    })
    const before = smtp.connections()
    site.clock.pass({ minutes: 2 })
    await site.inquire({ name: 'Second' })
    await expect.poll(() => logged.filter((line) => /not taken/.test(JSON.stringify(line))).length, polling).toBe(2)
    expect((await site.mails()).troubled).toMatchObject([{ id: mail?.id, attempts: 2 }])
    expect(smtp.connections()).toBe(before + 1)
    expect(JSON.stringify([logged, await site.mails()])).not.toContain('very-wrong')
  })

  test('is spoken to as the address says: encrypted from the start, or as soon as it offers that, and with the password', async () => {
    for (const kind of ['from the start', 'offered'] as const) {
      const site = await openMailing('sqlite', { smtp: { tls: kind, account: { user: 'site', pass: 'right' } } })
      await site.inquire()
      const [mail] = await site.received(1)
      expect(mail?.isEncrypted).toBe(true)
    }
  })
})

describe.each(databases)('a mail server on %s', (dialect) => {
  test.each([
    ['refuse recipient', '550 5.1.1 <maker@vitrina.example>: no such mailbox here'],
    ['refuse message', '554 5.7.1 Message content rejected'],
  ] as const)('that will %s has the last word, until the maker tries again', async (behaviour, reason) => {
    const site = await openMailing(dialect)
    site.smtp.behave(behaviour)
    await site.inquire()
    const [mail] = await site.troubled()
    expect(mail).toMatchObject({
      kind: 'inquiry',
      state: 'failed',
      attempts: 1,
      lastError: reason,
      to: 'maker@vitrina.example',
    })
    site.smtp.behave('accept')
    site.clock.pass({ days: 2 })
    await site.ask(sendTestMail, { as: site.as })
    expect((await site.received(1))[0]?.subject).toBe('Vitrina: email works')
    expect(await site.ask(retryMail, { as: site.as, params: { id: mail?.id ?? '' } })).toMatchObject({ state: 'waiting' })
    await site.received(2)
    await site.troubled(0)
    for (const endpoint of [retryMail, dismissMail]) {
      const response = await site.call(endpoint, { as: site.as, params: { id: mail?.id ?? '' } })
      expect([response.statusCode, response.json().code]).toEqual([404, 'mail_not_found'])
    }
  })

  test('that wants it later gets it later, after growing waits', async () => {
    const site = await openMailing(dialect)
    site.smtp.behave('defer')
    await site.inquire()
    const [first] = await site.troubled()
    expect(first).toMatchObject({ state: 'waiting', attempts: 1, lastError: '451 4.7.1 Greylisted, please come back later' })
    const wait = (mail = first) => Date.parse(mail?.nextAttemptAt ?? '') - site.clock.now().getTime()
    expect(wait()).toBe(waitAfter(1))
    site.later({ seconds: 59 })
    site.later({ seconds: 1 })
    await expect.poll(async () => (await site.mails()).troubled[0]?.attempts, polling).toBe(2)
    expect(wait((await site.mails()).troubled[0])).toBe(waitAfter(2))
    site.smtp.behave('accept')
    site.later({ minutes: 5 })
    await site.received(1)
    await site.troubled(0)
  })
})

describe('the outbox', () => {
  test('stays empty without a mail server, and everything else works', async () => {
    const site = await openTestApp('sqlite')
    const as = await site.signedIn()
    await site.ask(sendContact, { body: aContact() })
    expect(await site.db.selectFrom('outbox').selectAll().execute()).toEqual([])
    const body = { acknowledges: true, language: 'es' }
    expect(await site.ask(changeMailSettings, { as, body })).toEqual(body)
    expect(await site.ask(readMails, { as })).toEqual({ setUp: null, settings: body, troubled: [] })
    const refused = await site.call(retryMail, { as })
    expect([refused.statusCode, refused.json().code]).toEqual([409, 'mail_not_set_up'])
  })
})

describe.each(databases)('the outbox on %s', (dialect) => {
  test('puts back what is under way when the site stops, and the next start sends it at once', async () => {
    const place = await migratedDatabase(dialect)
    const clock = testClock()
    const stopped = await openMailing(dialect, { place, clock, mailTimeouts: { attempt: 45_000, stop: 50 } })
    stopped.smtp.behave('hang at sender')
    await stopped.inquire()
    await stopped.inquire({ name: 'Second' })
    await expect.poll(() => stopped.smtp.hung, polling).toEqual(['hang at sender'])
    await stopped.mailer?.stop()
    expect(await stopped.db.selectFrom('outbox').select(['attempts', 'state', 'lastError']).execute()).toEqual([
      { attempts: 0, state: 'waiting', lastError: null },
      { attempts: 0, state: 'waiting', lastError: null },
    ])
    stopped.smtp.behave('accept')
    await openTestApp(dialect, { place, clock, config: { mail: readConfig(mailSettingsFor(stopped.smtp)).mail } })
    await stopped.received(2)
  })

  test('is swept: what was sent after a day, what was given up after a month, what tells of a deleted message at once', async () => {
    const site = await openMailing(dialect)
    const rows = async () =>
      (await site.db.selectFrom('outbox').select('kind').orderBy('kind').execute()).map(({ kind }) => kind)
    await site.inquire()
    await site.received(1)
    await site.allSent()
    site.smtp.behave('refuse recipient')
    await site.inquire({ name: 'Luis' })
    await site.troubled()
    await sweepOutbox(site.db, site.clock)
    expect(await rows()).toEqual(['inquiry', 'inquiry'])
    site.clock.pass({ days: 1 })
    await sweepOutbox(site.db, site.clock)
    expect(await rows()).toEqual(['inquiry'])
    await site.inquire({ name: 'Forget me' })
    await site.troubled(2)
    const [forgotten] = (await site.ask(searchContacts, { as: site.as, query: { search: 'Forget me' } })).contacts
    await site.ask(deleteContact, { as: await site.signIn(site.as), params: { id: forgotten?.id ?? '' } })
    await sweepOutbox(site.db, site.clock)
    expect(await rows()).toEqual(['inquiry'])
    site.clock.pass({ days: 30 })
    await sweepOutbox(site.db, site.clock)
    expect(await rows()).toEqual([])
  })
})

const remind = (site: TestApp) => runIfDue(remindersJob(site), site)

describe('a reminder', () => {
  test('lists twenty, counts the others, and does not go on for ever', async () => {
    const site = await openMailing('sqlite')
    const hoursAgo = (hours: number) => new Date(site.clock.now().getTime() - hours * 3_600_000).toISOString()
    const waiting = (name: string, createdAt: string) =>
      storeContact(site.db, { ...aContact({ name }), id: randomUUID(), createdAt })
    await waiting('From long ago', hoursAgo(31 * 24))
    await remind(site)
    for (let number = 0; number < 21; number += 1) await waiting(`Visitor ${number}`, hoursAgo(40 - number))
    await remind(site)
    const [mail] = await site.received(1)
    expect(mail?.subject).toBe('21 messages are waiting for an answer')
    expect(mail?.text).toContain('- Visitor 0: 8 hours left\n')
    expect(mail?.text).toContain('- Visitor 19: 27 hours left\nand one more\n')
  })
})

describe.each(databases)('a reminder on %s', (dialect) => {
  test('comes when one has waited for 36 hours, names all that wait, and comes once a day', async () => {
    const site = await openMailing(dialect)
    const reminders = () => site.smtp.received.filter(({ subject }) => /wait/.test(subject))
    const reminded = async (count: number) => {
      await remind(site)
      await site.allSent()
      expect(reminders()).toHaveLength(count)
      return reminders().at(-1)
    }
    await site.inquire({ name: 'Inés\nRobles', message: 'A secret' })
    site.clock.pass({ hours: 30 })
    await site.inquire({ name: 'Luis', website: 'https://spam.example' })
    await site.inquire({ name: 'Luis', message: 'Not spam' })
    site.clock.pass({ hours: 5, minutes: 59 })
    await reminded(0)
    site.clock.pass({ minutes: 1 })
    await Promise.all([remind(site), remind(site)])
    const first = await reminded(1)
    expect(first).toMatchObject({
      subject: '2 messages are waiting for an answer',
      text: [
        'The site promises an answer within 48 hours. Oldest first:',
        '- Inés Robles: 12 hours left\n- Luis: 42 hours left',
        'Since the last reminder, one message was marked as spam. Please check that it is.',
        'The panel:\nhttps://models.example/admin\n',
      ].join('\n\n'),
    })
    site.clock.pass({ hours: 23, minutes: 59 })
    await reminded(1)
    site.clock.pass({ minutes: 1 })
    const second = await reminded(2)
    expect(second?.text).toContain('- Inés Robles: overdue by 12 hours\n- Luis: 18 hours left')
    expect(second?.text).not.toContain('spam')
    const { contacts } = await site.ask(searchContacts, { as: site.as })
    for (const { id } of contacts) await site.ask(changeContact, { as: site.as, params: { id }, body: { state: 'answered' } })
    site.clock.pass({ days: 2 })
    await reminded(2)
  })
})
