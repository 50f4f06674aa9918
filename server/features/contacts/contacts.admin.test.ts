import { randomUUID } from 'node:crypto'
import { describe, expect, onTestFinished, test } from 'vitest'
import {
  type Contact,
  type ContactState,
  changeContact,
  deleteContacts,
  exportContacts,
  listContacts,
  mostReplies,
  readContact,
  readContactNews,
  replyToContact,
  searchContacts,
} from '#contract/contacts.admin.ts'
import { sendContact } from '#contract/contacts.ts'
import { readOverview } from '#contract/overview.ts'
import { placeOf } from '#contract/paging.ts'
import { deleteProject } from '#contract/projects.admin.ts'
import { readConfig } from '#server/config.ts'
import type { Dialect } from '#server/database/dialect.ts'
import { slice } from '#server/database/slices.ts'
import type { ContactMessageRow } from '#server/database/tables.ts'
import { aContact, aStoredProject, storeContact, storeProject } from '#tests/factories.ts'
import { mailSettingsFor, startSmtp } from '#tests/smtp.ts'
import { openTestApp, type TestApp } from '#tests/test-app.ts'
import { databases, migratedDatabase } from '#tests/test-database.ts'
import { insertReplies } from './contacts.queries.ts'

/** A site whose mail server takes its time: mails stay in the outbox. */
async function withMail() {
  const smtp = await startSmtp()
  smtp.behave('hang at greeting')
  onTestFinished(() => smtp.stop())
  return { config: { mail: readConfig(mailSettingsFor(smtp)).mail }, mailTimeouts: { attempt: 60_000, stop: 10 } }
}

type Page = { contacts: Contact[]; next: string | null }
type Details = Partial<ContactMessageRow>

/** A message that arrived so many hours after the first of May. */
async function arrived(site: TestApp, hours: number, details: Details = {}) {
  const id = randomUUID()
  await storeContact(site.db, {
    ...aContact(),
    id,
    createdAt: new Date(Date.UTC(2026, 4, 1, hours)).toISOString(),
    language: null,
    ...details,
  })
  return id
}

const namesOf = (contacts: readonly Contact[]) => contacts.map(({ name }) => name)
const outbox = ({ db }: TestApp) => db.selectFrom('outbox').selectAll().execute()

const open = async (dialect: Dialect, options: Parameters<typeof openTestApp>[1] = {}) => {
  const site = await openTestApp(dialect, options)
  return { ...site, as: await site.signedIn() }
}

describe('messages', () => {
  test('about a model know its title, also when it is gone, and nothing of what visitors cannot see', async () => {
    const site = await open('sqlite')
    const shown = aStoredProject({ title: 'Frigate Aurora' })
    const draft = aStoredProject({ title: 'Secret', draft: true })
    for (const project of [shown, draft]) await storeProject(site.db, project)
    const slug = (await site.db.selectFrom('projects').select('slug').where('id', '=', shown.id).executeTakeFirst())?.slug ?? ''
    const abouts = [shown.id, slug.toUpperCase(), draft.id, 'nothing-like-it', "'; drop", randomUUID()]
    for (const [index, about] of abouts.entries()) {
      await site.call(sendContact, { body: aContact({ name: `${index}`, about, language: 'es' }), from: `203.0.113.${index}` })
    }
    await site.ask(deleteProject, { as: site.as, params: { id: shown.id } })
    const { contacts } = await site.ask(searchContacts, { as: site.as })
    const aurora = { id: shown.id, title: 'Frigate Aurora' }
    expect(new Map(contacts.map(({ name, about }) => [name, about]))).toEqual(
      new Map([['0', aurora], ['1', aurora], ...['2', '3', '4', '5'].map((name) => [name, null] as const)]),
    )
    expect(new Set(contacts.map(({ language }) => language))).toEqual(new Set(['es']))
  })

  test('get another state by one click, and spam keeps what it was taken for until then', async () => {
    const site = await open('sqlite')
    await site.ask(sendContact, { body: aContact({ elapsed: 500 }) })
    const { contacts } = await site.ask(searchContacts, { as: site.as, query: { state: 'spam' } })
    const params = { id: contacts[0]?.id ?? '' }
    const change = (state: ContactState) => site.ask(changeContact, { as: site.as, params, body: { state } })
    expect(contacts[0]).toMatchObject({ spamReason: 'too_fast', changedAt: null })
    expect(await change('spam')).toMatchObject({ state: 'spam', spamReason: 'too_fast', changedAt: null })
    const changedAt = site.clock.now().toISOString()
    expect(await change('new')).toMatchObject({ state: 'new', spamReason: null, changedAt })
    expect(await change('quoted')).toMatchObject({ state: 'quoted' })
    expect(await change('spam')).toMatchObject({ state: 'spam', spamReason: 'marked' })
    expect(await site.ask(readContact, { as: site.as, params })).toMatchObject({ state: 'spam', spamReason: 'marked' })
    expect(await outbox(site)).toEqual([])
    for (const body of [{ state: 'lost' }, {}, { state: 'new', note: 'x', was: null }, { note: 'x' }]) {
      expect((await site.call(changeContact, { as: site.as, params, body })).statusCode).toBe(400)
    }
    for (const endpoint of [changeContact, readContact]) {
      const gone = await site.call(endpoint, { as: site.as, ...(endpoint === changeContact && { body: { state: 'new' } }) })
      expect([gone.statusCode, gone.json().code]).toEqual([404, 'message_not_found'])
    }
  })

  test('are not answered from here where no mail is set up', async () => {
    const site = await open('sqlite')
    const params = { id: await arrived(site, 1) }
    const response = await site.call(replyToContact, { as: site.as, params, body: { id: randomUUID(), text: 'Yes' } })
    expect([response.statusCode, response.json().code]).toEqual([409, 'mail_not_set_up'])
    expect((await site.ask(readContact, { as: site.as, params })).state).toBe('new')
  })
})

describe.each(databases)('messages on %s', (dialect) => {
  test('that wait come first, the oldest first, then the others, the newest first, in pages that leave nothing out', async () => {
    const site = await open(dialect)
    const states: ContactState[] = ['new', 'answered', 'spam', 'quoted', 'new', 'closed', 'new', 'answered']
    for (const [hours, state] of states.entries()) await arrived(site, hours, { name: `${state} ${hours}`, state })
    const listed = async (query: Record<string, string>) => {
      const all: Contact[] = []
      for (let after: string | null = ''; after !== null; ) {
        const page: Page = await site.ask(searchContacts, {
          as: site.as,
          query: { ...query, limit: '2', ...(after && { after }) },
        })
        all.push(...page.contacts)
        after = page.next
      }
      return namesOf(all)
    }
    expect(await listed({})).toEqual(['new 0', 'new 4', 'new 6', 'answered 7', 'closed 5', 'quoted 3', 'answered 1'])
    expect(await listed({ state: 'new' })).toEqual(['new 0', 'new 4', 'new 6'])
    expect(await listed({ state: 'answered' })).toEqual(['answered 7', 'answered 1'])
    expect(await listed({ state: 'spam' })).toEqual(['spam 2'])
    const { newest, next } = await site.ask(searchContacts, { as: site.as })
    expect([newest?.startsWith('2026-05-01T07:00:00.000Z,'), next]).toEqual([true, null])
    const shown = await site.ask(listContacts, { as: site.as })
    expect(shown.map(({ name }) => name)).not.toContain('spam 2')
    expect(shown[0]).not.toHaveProperty('state')
    const [first] = await site.ask(listContacts, { as: site.as, query: { limit: '1', with: 'state' } })
    expect(first).toEqual({ ...shown[0], state: 'answered' })
    const hostile = { as: site.as, query: { with: 'note' } as never }
    expect((await site.call(listContacts, hostile)).statusCode).toBe(400)
    expect((await site.ask(readOverview, { as: site.as })).contacts).toBe(7)
    site.clock.pass({ hours: 40 })
    const { contacts: waiting } = await site.ask(searchContacts, { as: site.as, query: { state: 'new' } })
    expect(await site.ask(readContactNews, { as: site.as })).toEqual({
      now: site.clock.now().toISOString(),
      counts: { new: 3, answered: 2, quoted: 1, closed: 1, spam: 1 },
      waiting: waiting.map(({ id, name, createdAt }) => ({ id, name, createdAt, photo: null })),
      newest: (await site.ask(searchContacts, { as: site.as, query: { state: 'answered' } })).contacts[0]?.id,
      troubledMails: 0,
    })
  })

  test('are in pages also where many arrived in the same moment', async () => {
    const site = await open(dialect)
    for (let number = 0; number < 7; number += 1) await arrived(site, 1, { state: number < 4 ? 'new' : 'closed' })
    const seen = new Set<string>()
    let after: string | null = ''
    let pages = 0
    while (after !== null) {
      const page: Page = await site.ask(searchContacts, {
        as: site.as,
        query: { limit: '3', ...(after && { after }) },
      })
      for (const { id } of page.contacts) seen.add(id)
      after = page.next
      pages += 1
    }
    expect([seen.size, pages]).toEqual([7, 3])
  })

  test('are found by all words in name, address, text and note, whatever the accents and capitals', async () => {
    const site = await open(dialect)
    await arrived(site, 1, { name: 'Zoë Ñáñez', state: 'closed' })
    await arrived(site, 2, { name: 'Second', note: 'Wants it in PEAR wood, señor Núñez' })
    await arrived(site, 3, { name: 'Third', email: 'nunez@museum.example', message: 'The tug' })
    await arrived(site, 4, { name: 'Spam', state: 'spam', message: 'nunez' })
    const find = async (search: string, state?: ContactState) =>
      namesOf((await site.ask(searchContacts, { as: site.as, query: { search, ...(state && { state }) } })).contacts)
    expect(await find('ÑANEZ zoe')).toEqual(['Zoë Ñáñez'])
    expect(await find('nuñez')).toEqual(['Second', 'Third'])
    expect(await find('nunez MUSEUM tug')).toEqual(['Third'])
    expect(await find('nunez', 'spam')).toEqual(['Spam'])
    expect(await find('%')).toEqual([])
    expect(await find('  ')).toHaveLength(3)
    const first = await site.ask(searchContacts, { as: site.as, query: { search: 'e', limit: '1' } })
    const second = await site.ask(searchContacts, { as: site.as, query: { search: 'e', limit: '2', after: first.next ?? '' } })
    expect([...namesOf(first.contacts), ...namesOf(second.contacts), second.next]).toEqual([
      'Second',
      'Third',
      'Zoë Ñáñez',
      null,
    ])
  })

  test('of many are found wherever they are', async () => {
    const site = await open(dialect)
    await arrived(site, 0, { name: 'Needle', state: 'closed' })
    const hay = Array.from({ length: 2 * slice + 1 }, (_, index) => index)
    await site.db.transaction().execute(async (db) => {
      for (const index of hay) await arrived({ ...site, db }, 1 + index, { name: 'Hay', state: index % 2 ? 'new' : 'closed' })
    })
    const { contacts, next } = await site.ask(searchContacts, { as: site.as, query: { search: 'needle', limit: '10' } })
    expect([namesOf(contacts), next]).toEqual([['Needle'], null])
  })

  test('have a note, which of two at once is written by one', async () => {
    const site = await open(dialect)
    const params = { id: await arrived(site, 1) }
    const write = (note: string, was: string | null) => site.call(changeContact, { as: site.as, params, body: { note, was } })
    const answers = await Promise.all([write('From the phone', null), write('From the desk', null)])
    expect(answers.map(({ statusCode }) => statusCode).toSorted()).toEqual([200, 409])
    expect(answers.find(({ statusCode }) => statusCode === 409)?.json().code).toBe('note_changed')
    const { note } = await site.ask(readContact, { as: site.as, params })
    expect((await write(' ', note)).json()).toMatchObject({ note: null, state: 'new' })
    expect((await site.call(changeContact, { as: site.as, body: { note: 'x', was: null } })).json().code).toBe(
      'message_not_found',
    )
  })

  test('and the mail each causes are stored together; spam causes none', async () => {
    const site = await open(dialect, await withMail())
    await site.ask(sendContact, { body: aContact() })
    await site.ask(sendContact, { body: aContact() })
    await site.ask(sendContact, { body: aContact({ message: 'x', website: 'x' }) })
    expect((await outbox(site)).map(({ kind }) => kind)).toEqual(['inquiry'])
    // Nor does what comes after so many an hour that it is kept apart.
    await site.db.updateTable('requestCounts').set({ count: 1_000 }).where('subject', '=', 'all inquiries').execute()
    await site.ask(sendContact, { body: aContact({ message: 'A ship' }) })
    expect(await outbox(site)).toHaveLength(1)
    await site.db.updateTable('requestCounts').set({ count: 1 }).where('subject', '=', 'all inquiries').execute()
    await site.db.schema.alterTable('outbox').renameTo('elsewhere').execute()
    expect((await site.call(sendContact, { body: aContact({ name: 'Lost?' }) })).statusCode).toBe(500)
    await site.db.schema.alterTable('elsewhere').renameTo('outbox').execute()
    expect(site.takeLoggedProblems()).toHaveLength(1)
    expect(await site.ask(listContacts, { as: site.as })).toHaveLength(1)
  })

  test('are answered once, however often the same reply comes, and the mail that carries it is shown', async () => {
    const place = await migratedDatabase(dialect)
    const mail = await withMail()
    const site = await open(dialect, { ...mail, place })
    const second = await openTestApp(dialect, { ...mail, place })
    const params = { id: await arrived(site, 1) }
    const body = { id: randomUUID(), text: ' Dear Inés,\n\nyes. ' }
    const answers = await Promise.all(
      [site, second, site].map((each) => each.ask(replyToContact, { as: site.as, params, body })),
    )
    const [sent] = await outbox(site)
    const reply = { id: body.id, text: 'Dear Inés,\n\nyes.', createdAt: site.clock.now().toISOString(), sentAt: null }
    for (const contact of answers) {
      expect(contact).toMatchObject({ state: 'answered', changedAt: reply.createdAt, replies: [reply] })
    }
    expect(answers[0]?.replies[0]?.mail).toEqual({ id: sent?.id, state: 'waiting', lastError: null })
    expect(await outbox(site)).toHaveLength(1)
    await site.db.updateTable('outbox').set({ lastError: '450 Later', attempts: 1 }).execute()
    expect((await site.ask(readContactNews, { as: site.as })).troubledMails).toBe(1)
    await site.ask(changeContact, { as: site.as, params, body: { state: 'quoted' } })
    const more = await site.ask(replyToContact, { as: site.as, params, body: { id: randomUUID(), text: 'And one thing more' } })
    expect([more.state, more.replies.length]).toEqual(['quoted', 2])
    const other = { id: await arrived(site, 2) }
    const stolen = await site.call(replyToContact, { as: site.as, params: other, body })
    expect([stolen.statusCode, (await site.ask(readContact, { as: site.as, params: other })).state]).toEqual([200, 'new'])
    expect((await site.call(replyToContact, { as: site.as, body })).json().code).toBe('message_not_found')

    // No more than a backup has room for with one message.
    await insertReplies(
      site.db,
      Array.from({ length: mostReplies - 2 }, () => ({ ...reply, id: randomUUID(), contactId: params.id })),
    )
    const onTop = { id: randomUUID(), text: 'One too many' }
    const refused = await site.call(replyToContact, { as: site.as, params, body: onTop })
    expect([refused.statusCode, refused.json().code]).toEqual([409, 'too_many_replies'])
    expect((await outbox(site)).length).toBe(2)
    expect((await site.ask(replyToContact, { as: site.as, params, body })).replies).toHaveLength(mostReplies)
  })

  test('are deleted as they were filtered, and spam only by its name', async () => {
    const site = await open(dialect)
    const states: ContactState[] = ['new', 'spam', 'answered', 'closed', 'spam', 'answered', 'new']
    for (const [hours, state] of states.entries()) {
      await arrived(site, hours, { name: `${state} ${hours}`, state, message: hours % 2 ? 'Odd tug' : 'Even tug' })
    }
    const rows = await site.db.selectFrom('contactMessages').selectAll().orderBy('createdAt').execute()
    const upTo = placeOf(rows[5] ?? { id: '', createdAt: '' })
    const remove = async (filter: object) =>
      (await site.ask(deleteContacts, { as: site.as, body: { upTo, except: [], ...filter } })).deleted
    expect(await remove({ state: 'answered', search: 'ODD' })).toBe(1)
    expect(await remove({ state: 'spam' })).toBe(2)
    expect(await remove({ search: 'nothing like it' })).toBe(0)
    expect(await remove({ except: [rows[0]?.id] })).toBe(2)
    const left = await site.ask(listContacts, { as: site.as })
    expect(left.map(({ name }) => name)).toEqual(['new 6', 'new 0'])
  })
})

const openTable = async (dialect: Dialect) => {
  const site = await openTestApp(dialect)
  const as = await site.signedIn()
  const table = async (query = {}) => site.call(exportContacts, { as, query })
  return { ...site, as, table }
}

describe('the table for spreadsheets', () => {
  test('starts no formula where a spreadsheet ends cells at another sign', async () => {
    for (const separator of [';', '\t', '\n']) {
      const site = await openTable('sqlite')
      for (const [hours, sign] of [...'=+-@＝＋－＠'].entries()) {
        const text = `Ana${separator}${sign}1${separator} "${sign}2${separator}"${sign}3`
        await arrived(site, hours, { name: text, message: text, note: text, aboutTitle: text, projectType: text })
      }
      const { body } = await site.table()
      const cells = body.split(new RegExp(`[\r\n${separator}]`)).map((cell) => cell.replace(/^[\s"]+/, ''))
      expect(cells.filter((cell) => /^[-=+@＝＋－＠]/.test(cell))).toEqual([])
      expect(body).toContain(`Ana${separator}'=1${separator}`)
    }
  })

  test('has a message whose project type is a name that every object has', async () => {
    const site = await openTable('sqlite')
    const names = ['toString', 'constructor', '__proto__']
    for (const [hours, projectType] of names.entries()) await arrived(site, hours, { projectType })
    const { body } = await site.table()
    for (const name of names) expect(body).toContain(`"${name}"`)
  })
})

describe.each(databases)('the table for spreadsheets on %s', (dialect) => {
  test('has a row for each message in the language that was chosen, and starts no formula', async () => {
    const site = await openTable(dialect)
    const hostile = ['=1+1', '+1', '-1', '@SUM(1)', '\t=1', '＝1', '＋1', '－1', '＠x', '=HYPERLINK("http://evil.example","x")']
    for (const [hours, name] of hostile.entries())
      await arrived(site, hours, { name, message: name, note: name, aboutTitle: name })
    await arrived(site, 20, {
      name: 'Zoë "the" Ñáñez, jr.',
      message: 'One\r\nTwo;\nthree',
      state: 'quoted',
      projectType: 'militaryVehicles',
      aboutId: randomUUID(),
      aboutTitle: 'Aurora',
    })
    await arrived(site, 21, { state: 'spam' })
    const response = await site.table({ lang: 'es' })
    expect(response.headers).toMatchObject({
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': 'attachment; filename="mensajes-2026-05-01.csv"',
      'cache-control': 'no-store',
    })
    const text = response.body
    expect(text.startsWith('\ufeff"Recibido (UTC)","Estado","Nombre","Correo",')).toBe(true)
    const [, first, ...others] = text.split('\r\n')
    expect(first).toBe(
      '"2026-05-01 20:00:00","Cotizado","Zoë ""the"" Ñáñez, jr.","ines@example.com","Vehículo militar","Aurora","One\nTwo;\nthree",,,"0"',
    )
    expect(others).toHaveLength(hostile.length + 1)
    expect(
      text
        .replace(/""/g, '')
        .match(/"[^"]*"/g)
        ?.filter((cell) => /^"[=+\-@\t\r＝＋－＠]/.test(cell)),
    ).toEqual([])
    expect((await site.table({ lang: 'en', state: 'spam' })).body.split('\r\n')).toHaveLength(3)
    expect((await site.table({ search: 'zoe' })).body).toContain('"Quoted"')
  })

  test('holds any number of them, some at a time', async () => {
    const site = await openTable(dialect)
    await site.db.transaction().execute(async (db) => {
      for (let number = 0; number < 2 * slice + 3; number += 1)
        await arrived({ ...site, db }, number, { name: `Visitor ${number}` })
    })
    const lines = (await site.table()).body.trimEnd().split('\r\n')
    expect(lines).toHaveLength(2 * slice + 4)
    expect(lines[1]).toContain(`"Visitor ${2 * slice + 2}"`)
  })
})
