import { randomUUID } from 'node:crypto'
import { EventEmitter, once } from 'node:events'
import { describe, expect, test } from 'vitest'
import { maker } from '#content/maker.ts'
import { contactLimits, projectTypes } from '#contract/contact-fields.ts'
import { type ContactMessage, deleteContact, deleteContacts, listContacts } from '#contract/contacts.admin.ts'
import { type ContactDraft, sendContact } from '#contract/contacts.ts'
import { placeOf } from '#contract/paging.ts'
import type { Dialect } from '#server/database/dialect.ts'
import { slice } from '#server/database/slices.ts'
import { sweepRequestCounts } from '#server/http/request-counts.ts'
import { aContact, storeVersion } from '#tests/factories.ts'
import { openTestApp, type TestApp } from '#tests/test-app.ts'
import { testClock } from '#tests/test-clock.ts'
import { databases, migratedDatabase } from '#tests/test-database.ts'
import { hourlyLimit, receiveContact, spamLimit } from './receive-contact.ts'

const stored = ({ db }: TestApp) => db.selectFrom('contactMessages').selectAll().execute()

describe('a message', () => {
  test('needs no project type', async () => {
    const site = await openTestApp('sqlite')
    for (const projectType of [undefined, null, ''] as const) {
      await site.ask(sendContact, { body: aContact({ projectType, message: `The type is ${projectType}.` }) })
    }
    expect((await stored(site)).map(({ projectType }) => projectType)).toEqual([null, null, null])
  })

  test('loses control characters, and keeps its lines', async () => {
    const site = await openTestApp('sqlite')
    const body = aContact({ name: '\u0001Zoë\u001b', message: '\u0001\u0002One\u0000\u0007\u007f\r\n\tTwo\u0001\n' })
    await site.ask(sendContact, { body })
    expect(await stored(site)).toMatchObject([{ name: 'Zoë', message: 'One\r\n\tTwo' }])
    const nothing = await site.call(sendContact, { body: aContact({ message: '\u0001'.repeat(5_000) }) })
    expect(nothing.json()).toMatchObject({ code: 'invalid_input', fields: { message: 'Please write a message.' } })
  })

  test('is another one as soon as one thing in it differs', async () => {
    const site = await openTestApp('sqlite')
    const others = [
      {},
      { name: 'Inés' },
      { email: 'other@example.com' },
      { projectType: '' as const },
      { message: 'Could you?' },
    ]
    await Promise.all(others.map((details) => site.ask(sendContact, { body: aContact(details) })))
    expect(await stored(site)).toHaveLength(5)
  })

  test('from a robot is kept as spam, out of sight', async () => {
    const site = await openTestApp('sqlite')
    await site.ask(sendContact, { body: aContact({ website: 'https://spam.example' }) })
    expect(await stored(site)).toMatchObject([{ state: 'spam', spamReason: 'hidden_field' }])
    expect(await site.ask(listContacts, { as: await site.signedIn() })).toEqual([])
  })

  test('that was taken for spam is heard when it comes again and does not look like it any more', async () => {
    const site = await openTestApp('sqlite')
    for (const elapsed of [500, 9_000, 12_000]) await site.ask(sendContact, { body: aContact({ elapsed }) })
    expect((await stored(site)).map(({ state }) => state).toSorted()).toEqual(['new', 'spam'])
  })

  test('is listed for the maker, the newest first', async () => {
    const site = await openTestApp('sqlite')
    const maker = await site.signedIn()
    for (const name of ['First', 'Second', 'Third']) {
      await site.ask(sendContact, { body: aContact({ name }) })
      site.clock.pass({ minutes: 1 })
    }
    const messages = await site.ask(listContacts, { as: maker })
    expect(messages.map(({ name }) => name)).toEqual(['Third', 'Second', 'First'])
  })

  test('is deleted for good, and only that one', async () => {
    const site = await openTestApp('sqlite')
    const maker = await site.signedIn()
    await site.ask(sendContact, { body: aContact({ name: 'Delete me' }) })
    await site.ask(sendContact, { body: aContact({ name: 'Keep me' }) })
    const id = (await stored(site)).find(({ name }) => name === 'Delete me')?.id ?? ''
    expect(await site.ask(deleteContact, { as: maker, params: { id } })).toEqual({
      message: 'Contact message deleted successfully',
    })
    expect(await stored(site)).toMatchObject([{ name: 'Keep me' }])
    const again = await site.call(deleteContact, { as: maker, params: { id } })
    expect(again.statusCode).toBe(404)
    expect(again.json()).toEqual({ message: 'That message no longer exists.', code: 'message_not_found' })
  })

  test('that does not exist is 404, and so is an impossible one', async () => {
    const site = await openTestApp('sqlite')
    const maker = await site.signedIn()
    for (const id of [randomUUID(), 'nothing']) {
      expect((await site.call(deleteContact, { as: maker, params: { id } })).statusCode).toBe(404)
    }
  })
})

describe.each(databases)('a message on %s', (dialect) => {
  test('is in the database when the visitor is told it was sent', async () => {
    const site = await openTestApp(dialect)
    expect(await site.ask(sendContact, { body: aContact() })).toEqual({
      message: 'Message sent!',
      answerBy: expect.any(String),
    })
    const createdAt = site.clock.now().toISOString()
    expect(await stored(site)).toMatchObject([{ ...aContact(), id: expect.any(String), createdAt, state: 'new' }])
  })

  test('keeps every letter, and loses the blanks around it', async () => {
    const site = await openTestApp(dialect)
    const message = 'Señora Ñáñez 🚂\n«¿Cuánto?» \'"; drop table projects; -- <b>'
    await site.ask(sendContact, { body: aContact({ name: '  Zoë ', email: ' zoe@example.com ', message: `\n${message}\n` }) })
    expect(await stored(site)).toMatchObject([{ name: 'Zoë', email: 'zoe@example.com', message }])
  })

  test.each(['ship', ''] as const)('that comes three times at once is stored once (type: "%s")', async (projectType) => {
    const place = await migratedDatabase(dialect)
    const first = await openTestApp(dialect, { place })
    const second = await openTestApp(dialect, { place })
    const body = aContact({ projectType })
    const answers = await Promise.all([first, second, first].map((site) => site.ask(sendContact, { body })))
    expect(answers).toEqual(Array.from({ length: 3 }, () => ({ message: 'Message sent!', answerBy: expect.any(String) })))
    expect(await stored(first)).toHaveLength(1)
  })

  test('that comes again is stored again after ten minutes and not before', async () => {
    const site = await openTestApp(dialect)
    await site.ask(sendContact, { body: aContact() })
    site.clock.pass({ minutes: 9 })
    await site.ask(sendContact, { body: aContact() })
    expect(await stored(site)).toHaveLength(1)
    site.clock.pass({ minutes: 2 })
    await site.ask(sendContact, { body: aContact() })
    expect(await stored(site)).toHaveLength(2)
  })
})

describe('a message that is not right', () => {
  test.each([
    ['name', 'Please tell me your name.'],
    ['email', 'Please enter your email address.'],
    ['message', 'Please write a message.'],
  ])('without %s is refused, blanks being nothing: %s', async (field, sentence) => {
    const site = await openTestApp('sqlite')
    for (const value of [undefined, null, '', ' \n\t ']) {
      const response = await site.call(sendContact, { body: { ...aContact(), [field]: value } })
      expect(response.statusCode).toBe(400)
      expect(response.json()).toMatchObject({ code: 'invalid_input', fields: { [field]: sentence } })
    }
    expect(await stored(site)).toEqual([])
  })

  test.each([
    ['name', contactLimits.name, 'Please use at most 120 characters.'],
    ['message', contactLimits.message, 'Please use at most 5,000 characters.'],
  ])('%s may have %i characters and no more', async (field, most, sentence) => {
    const site = await openTestApp('sqlite')
    const longest = await site.call(sendContact, { body: { ...aContact(), [field]: 'ñ'.repeat(most) } })
    expect(longest.statusCode).toBe(200)
    const longer = await site.call(sendContact, { body: { ...aContact(), [field]: 'ñ'.repeat(most + 1) } })
    expect(longer.statusCode).toBe(400)
    expect(longer.json()).toMatchObject({ message: sentence, fields: { [field]: sentence } })
    expect(await stored(site)).toHaveLength(1)
  })

  test('an e-mail address may have 254 characters and no more', async () => {
    const site = await openTestApp('sqlite')
    const domain = `${'d'.repeat(60)}.${'d'.repeat(60)}.${'d'.repeat(60)}.example`
    const addressOf = (length: number) => `${'a'.repeat(length - domain.length - 1)}@${domain}`
    expect(addressOf(contactLimits.email)).toHaveLength(254)
    const longest = await site.call(sendContact, { body: aContact({ email: addressOf(254) }) })
    expect(longest.statusCode).toBe(200)
    const longer = await site.call(sendContact, { body: aContact({ email: addressOf(255) }) })
    expect(longer.json()).toMatchObject({ fields: { email: 'Please use at most 254 characters.' } })
  })

  test('an address that is none is refused', async () => {
    const site = await openTestApp('sqlite', { config: { rateLimits: false } })
    for (const email of ['ines', 'ines@', '@example.com', 'ines@example', 'ines example@example.com']) {
      const response = await site.call(sendContact, { body: aContact({ email }) })
      expect([response.statusCode, response.json().message]).toEqual([400, 'That email address does not look right.'])
    }
  })

  test('the project types are the form’s own', async () => {
    const site = await openTestApp('sqlite', { config: { rateLimits: false } })
    for (const projectType of projectTypes) await site.ask(sendContact, { body: aContact({ projectType }) })
    const response = await site.call(sendContact, { body: { ...aContact(), projectType: 'ships' } })
    expect(response.statusCode).toBe(400)
    expect(response.json()).toMatchObject({ message: 'There is no such project type.' })
  })

  test('a field that is not one is refused by name', async () => {
    const site = await openTestApp('sqlite')
    const response = await site.call(sendContact, { body: { ...aContact(), createdAt: '2020-01-01T00:00:00Z' } })
    expect(response.statusCode).toBe(400)
    expect(response.json()).toMatchObject({ message: 'Not a field of this request: createdAt.' })
  })
})

describe('too many messages', () => {
  test('a visitor is asked to wait after five, and told for how long; another visitor is not', async () => {
    const site = await openTestApp('sqlite')
    for (const message of ['One', 'Two', 'Three', 'Four', 'Five']) {
      await site.ask(sendContact, { body: aContact({ message }), from: '203.0.113.7' })
    }
    const refused = await site.call(sendContact, { body: aContact(), from: '203.0.113.7' })
    expect(refused.statusCode).toBe(429)
    expect(refused.json()).toEqual({
      message: 'Too many attempts. Please wait a moment and try again.',
      code: 'too_many_requests',
    })
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
    expect(Number(refused.headers['retry-after'])).toBeLessThanOrEqual(600)
    expect(refused.headers).toMatchObject({
      'x-ratelimit-limit': '5',
      'x-ratelimit-remaining': '0',
      'x-ratelimit-reset': refused.headers['retry-after'],
    })
    expect(await stored(site)).toHaveLength(5)
    await site.ask(sendContact, { body: aContact(), from: '203.0.113.8' })
  })

  test('behind a proxy that is trusted, visitors are told apart by what it says', async () => {
    const site = await openTestApp('sqlite', { config: { trustProxy: 1 } })
    const sendFrom = (address: string) => site.call(sendContact, { body: aContact(), headers: { 'x-forwarded-for': address } })
    for (let sent = 0; sent < 5; sent += 1) await sendFrom('198.51.100.1')
    expect((await sendFrom('198.51.100.1')).statusCode).toBe(429)
    expect((await sendFrom('198.51.100.2')).statusCode).toBe(200)
  })

  test('without such a proxy, what a visitor claims does not help', async () => {
    const site = await openTestApp('sqlite')
    for (let sent = 0; sent < 5; sent += 1) await site.ask(sendContact, { body: aContact() })
    const claiming = await site.call(sendContact, { body: aContact(), headers: { 'x-forwarded-for': '198.51.100.2' } })
    expect(claiming.statusCode).toBe(429)
  })

  test.each(databases)(
    'the allowance is one for all processes on %s, and is there again when its time is over',
    async (dialect) => {
      const place = await migratedDatabase(dialect)
      const clock = testClock()
      const sites = [await openTestApp(dialect, { place, clock }), await openTestApp(dialect, { place, clock })] as const
      let sent = 0
      const send = async (turn: number) => {
        const site = sites[turn % 2] ?? sites[0]
        sent += 1
        const body = aContact({ message: `Message ${sent}` })
        return (await site.call(sendContact, { body, from: '203.0.113.7' })).statusCode
      }
      const statuses = await Promise.all(Array.from({ length: 8 }, (_, turn) => send(turn)))
      expect(statuses.toSorted()).toEqual([200, 200, 200, 200, 200, 429, 429, 429])
      clock.pass({ minutes: 9 })
      expect([await send(0), await send(1)]).toEqual([429, 429])
      clock.pass({ minutes: 1 })
      expect([await send(0), await send(1)]).toEqual([200, 200])
      expect(await stored(sites[0])).toHaveLength(7)
      clock.pass({ minutes: 60 })
      await sweepRequestCounts(sites[0].db, clock)
      expect(await sites[0].db.selectFrom('requestCounts').selectAll().execute()).toEqual([])
    },
  )
})

describe('a flood of messages', () => {
  const openFlooded = async () => {
    const site = await openTestApp('sqlite')
    const send = async (number: number, message = `Message ${number}`) =>
      site.call(sendContact, { body: aContact({ message }), from: `198.51.${number >> 8}.${number & 255}` })
    return { ...site, send }
  }

  const bySpam = async (site: TestApp) => {
    const all = await stored(site)
    return { contacts: all.filter(({ state }) => state === 'new'), apart: all.filter(({ state }) => state === 'spam') }
  }
  const setCount = async ({ db, clock }: TestApp, subject: string, count: number) => {
    const windowEnds = new Date(clock.now().getTime() + 3_600_000).toISOString()
    await db.insertInto('requestCounts').values({ subject, count, windowEnds }).execute()
  }

  test('from many addresses closes the form for no one: what comes after so many an hour is stored as possible spam', async () => {
    const site = await openFlooded()
    for (let number = 0; number < hourlyLimit.contacts; number += 1) expect((await site.send(number)).statusCode).toBe(200)
    for (const _ of ['once', 'again by mistake']) {
      const answer = await site.send(1_000, 'A ship, please')
      expect([answer.statusCode, answer.json()]).toEqual([200, { message: 'Message sent!', answerBy: expect.any(String) }])
    }
    const { contacts, apart } = await bySpam(site)
    expect(contacts).toHaveLength(hourlyLimit.contacts)
    expect(apart).toMatchObject([{ message: 'A ship, please', spamReason: null }])
    site.clock.pass({ hours: 1 })
    expect((await site.send(1_001)).statusCode).toBe(200)
    expect((await bySpam(site)).contacts).toHaveLength(hourlyLimit.contacts + 1)
  })

  test('that is kept apart has a limit as well, with a sentence that names another way', async () => {
    const site = await openFlooded()
    await setCount(site, 'all inquiries', hourlyLimit.contacts)
    await setCount(site, 'all spam', spamLimit.contacts)
    const refused = await site.send(1_000)
    expect([refused.statusCode, refused.json().code]).toEqual([429, 'too_many_inquiries'])
    expect(refused.json().message).toContain(`Please send it to ${maker.email} instead.`)
    await storeVersion(site.db, { 'maker.email': 'ana@taller.example' })
    expect((await site.send(1_000)).json().details).toEqual({ email: 'ana@taller.example' })
    expect(refused.headers['retry-after']).toBe('3600')
    expect(await stored(site)).toEqual([])
  })

  test('of the largest is kept apart from so many bytes an hour; a short one is still a message', async () => {
    const site = await openFlooded()
    const fitting = Math.floor(hourlyLimit.bytes / (4_990 * 3 + 30))
    for (let number = 0; number < fitting + 2; number += 1) await site.send(number, `${number} ${'漢'.repeat(4_990)}`)
    expect((await site.send(2_000, 'Short')).statusCode).toBe(200)
    const { contacts, apart } = await bySpam(site)
    expect([contacts.length, apart.length]).toEqual([fitting + 1, 2])
    expect(contacts.some(({ message }) => message === 'Short')).toBe(true)
  })
})

describe('a message that waits for a long write', () => {
  const openReceiver = async (timeout: number) => {
    const site = await openTestApp('sqlite')
    const { database } = site
    const receive = (draft: ContactDraft, hasGone?: () => boolean) => receiveContact(site, draft, hasGone, timeout)
    const merge = new EventEmitter()
    const begun = once(merge, 'begun')
    const merging = database.exclusively('merge', () => {
      merge.emit('begun')
      return once(merge, 'end')
    })
    await begun
    const endMerge = async () => {
      merge.emit('end')
      await merging
      // Behind all that waited for the writer.
      await database.exclusively('last', async () => {})
    }
    return { site, receive, endMerge }
  }
  const refusal = expect.objectContaining({ code: 'unavailable' })

  test('and is answered as failed is not stored later', async () => {
    const { site, receive, endMerge } = await openReceiver(1)
    await expect(receive(aContact())).rejects.toEqual(refusal)
    await endMerge()
    expect(await stored(site)).toEqual([])
    await receive(aContact())
    expect(await stored(site)).toHaveLength(1)
  })

  test('and whose sender has gone meanwhile is not stored either', async () => {
    const { site, receive, endMerge } = await openReceiver(60_000)
    const received = receive(aContact(), () => true)
    await Promise.all([expect(received).rejects.toEqual(refusal), endMerge()])
    expect(await stored(site)).toEqual([])
  })
})

const openFull = async (dialect: Dialect, count: number) => {
  const site = await openTestApp(dialect)
  const messages = Array.from({ length: count }, (_, number) => ({
    ...aContact({ name: `Visitor ${number}` }),
    id: randomUUID(),
    createdAt: new Date(Date.UTC(2026, 0, 1, 0, Math.floor(number / 3))).toISOString(),
  }))
  for (let start = 0; start < count; start += 100) {
    await site.db
      .insertInto('contactMessages')
      .values(messages.slice(start, start + 100) as never)
      .execute()
  }
  return { ...site, as: await site.signedIn() }
}
const idsOf = (messages: readonly ContactMessage[]) => messages.map(({ id }) => id)

describe('many messages', () => {
  test('are deleted by name, those that are there', async () => {
    const { ask, as } = await openFull('sqlite', 5)
    const [first, second, ...rest] = idsOf(await ask(listContacts, { as }))
    const ids = [first ?? '', second ?? '', randomUUID()]
    expect(await ask(deleteContacts, { as, body: { ids } })).toEqual({ message: 'Contact messages deleted: 2', deleted: 2 })
    expect(idsOf(await ask(listContacts, { as }))).toEqual(rest)
  })

  test('are not deleted by a body that names them in another way', async () => {
    const { call, as, ask } = await openFull('sqlite', 1)
    const tooMany = { ids: Array(1_001).fill(randomUUID()) }
    for (const body of [{}, { ids: ['x'] }, { ids: [], except: [] }, { upTo: 'x', except: [] }, tooMany]) {
      expect((await call(deleteContacts, { as, body })).statusCode).toBe(400)
    }
    expect(await ask(listContacts, { as })).toHaveLength(1)
  })
})

describe.each(databases)('many messages on %s', (dialect) => {
  test('are listed whole, however many, and in pages that leave nothing out', async () => {
    const { ask, as } = await openFull(dialect, 2 * slice + 5)
    const all = await ask(listContacts, { as })
    expect(all).toHaveLength(2 * slice + 5)
    expect(all.map(({ createdAt }) => createdAt)).toEqual(
      all
        .map(({ createdAt }) => createdAt)
        .toSorted()
        .toReversed(),
    )
    const paged: ContactMessage[] = []
    for (let page = await ask(listContacts, { as, query: { limit: '100' } }); page.length > 0; ) {
      paged.push(...page)
      page = await ask(listContacts, { as, query: { limit: '100', after: placeOf(page.at(-1) ?? { id: '', createdAt: '' }) } })
    }
    expect(idsOf(paged)).toEqual(idsOf(all))
  })

  test('are deleted all at once but for some, and what has arrived since is kept', async () => {
    const { ask, as, call } = await openFull(dialect, 2 * slice + 3)
    const seen = await ask(listContacts, { as })
    const kept = seen[250]?.id ?? ''
    await call(sendContact, { body: aContact({ name: 'Just now' }) })
    const body = { upTo: placeOf(seen[0] ?? { id: '', createdAt: '' }), except: [kept] }
    expect((await ask(deleteContacts, { as, body })).deleted).toBe(2 * slice + 2)
    const left = await ask(listContacts, { as })
    expect(left.map(({ name, id }) => (name === 'Just now' ? name : id))).toEqual(['Just now', kept])
  })
})

test('one message that a disk has damaged does not hide the others', async () => {
  const site = await openTestApp('sqlite')
  const as = await site.signedIn()
  for (const name of ['Ada', 'Grace']) await site.ask(sendContact, { body: aContact({ name }) })
  await site.db.updateTable('contactMessages').set({ id: 'not an id', createdAt: '?' }).where('name', '=', 'Ada').execute()
  expect((await site.ask(listContacts, { as })).map(({ name }) => name).toSorted()).toEqual(['Ada', 'Grace'])
})
