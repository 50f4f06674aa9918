import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { maxImageBytes } from '#contract/contact-fields.ts'
import { sendContact } from '#contract/contacts.ts'
import { homePage, sendFromPage } from '#contract/pages.ts'
import { createProject } from '#contract/projects.admin.ts'
import { aContact, aProject, aStoredProject, storeProject } from '#tests/factories.ts'
import { aPhoto, aPhotoOfBytes, aPngBomb } from '#tests/photos.ts'
import { openTestApp, type TestApp } from '#tests/test-app.ts'
import type { PageState } from '#web/page.ts'
import { maxTakenBytes } from './page-form.ts'

type File = { name?: string; field?: string; content: Buffer }

/** The form as a browser sends it. */
function asForm(fields: Record<string, unknown>, files: readonly File[] = []) {
  const boundary = `form-${randomUUID()}`
  const part = (head: string, content: Buffer | string) =>
    Buffer.concat([
      Buffer.from(`--${boundary}\r\nContent-Disposition: form-data; ${head}\r\n\r\n`),
      Buffer.from(content),
      Buffer.from('\r\n'),
    ])
  const body = Buffer.concat([
    ...Object.entries(fields).map(([name, value]) => part(`name="${name}"`, String(value))),
    ...files.map(({ name = 'a.jpg', field = 'photos', content }) => part(`name="${field}"; filename="${name}"`, content)),
    Buffer.from(`--${boundary}--\r\n`),
  ])
  return { body, headers: { 'content-type': `multipart/form-data; boundary=${boundary}`, accept: 'text/html' } }
}

const asAddress = (fields: Record<string, string>) => ({
  body: new URLSearchParams(fields).toString(),
  headers: { 'content-type': 'application/x-www-form-urlencoded', accept: 'text/html' },
})

const stateOf = ({ body }: { body: string }) =>
  JSON.parse(/<script type="application\/json" id="state">(.*?)<\/script>/s.exec(body)?.[1] ?? 'null') as PageState

const stored = ({ db }: TestApp) => db.selectFrom('contactMessages').selectAll().execute()
const photosOf = ({ db }: TestApp) => db.selectFrom('contactPhotos').selectAll().orderBy('position').execute()

describe('the form without a script', () => {
  test('is stored with its photos, and the page says so in the language it was sent in', async () => {
    const site = await openTestApp('sqlite')
    const project = aStoredProject({ title: 'Frigate Aurora' })
    await storeProject(site.db, project)
    const files = [
      { content: await aPhoto() },
      { content: await aPhoto({ colour: '#204060' }) },
      { name: '', content: Buffer.alloc(0) },
    ]
    const fields = aContact({ message: 'One\r\nTwo', about: project.id, website: '' })
    const response = await site.call(sendFromPage, { query: { lang: 'es' }, ...asForm(fields, files) })
    expect(response.statusCode).toBe(200)
    expect(response.headers).toMatchObject({ 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' })
    const state = stateOf(response)
    expect(state).toMatchObject({ language: 'es', languageAsked: true })
    const { name, email } = fields
    const answerBy = new Date(site.clock.now().getTime() + 48 * 60 * 60 * 1000).toISOString()
    const sent = { name, email, message: 'One\nTwo', answerBy }
    expect(state.sentForm).toEqual({ outcome: 'sent', photosLost: 0, entries: {}, faults: [], sent })
    expect(state.about).toBeUndefined()
    const [contact, ...others] = await stored(site)
    expect(others).toEqual([])
    expect(contact).toMatchObject({
      message: 'One\nTwo',
      language: 'es',
      state: 'new',
      aboutId: project.id,
      aboutTitle: 'Frigate Aurora',
    })
    expect((await photosOf(site)).map(({ contactId, position }) => [contactId, position])).toEqual([
      [contact?.id, 0],
      [contact?.id, 1],
    ])
    // The same by the other way is the same.
    await site.ask(sendContact, { body: aContact({ message: 'One\nTwo' }) })
    expect(await stored(site)).toHaveLength(1)
  })

  test('comes back with its faults and everything that was typed', async () => {
    const site = await openTestApp('sqlite')
    const project = aStoredProject()
    await storeProject(site.db, project)
    const fields = {
      name: 'Zoë </script><script>alert(1)</script>',
      email: 'zoe@',
      projectType: 'ship',
      message: ' ',
      about: project.id,
    }
    for (const sent of [asForm(fields, [{ content: await aPhoto() }]), asAddress(fields)]) {
      const response = await site.call(sendFromPage, sent)
      expect(response.statusCode).toBe(400)
      expect(response.body).not.toContain('<script>alert')
      const { sentForm, about } = stateOf(response)
      expect(sentForm).toMatchObject({
        outcome: 'refused',
        entries: { name: fields.name, email: 'zoe@', projectType: 'ship', message: ' ' },
        faults: [
          { field: 'email', fault: 'not_an_email' },
          { field: 'message', fault: 'missing' },
        ],
      })
      expect(sentForm?.photosLost).toBe(sent.body instanceof Buffer ? 1 : 0)
      expect(about).toMatchObject({ id: project.id, title: project.title })
    }
    expect([await stored(site), await photosOf(site)]).toEqual([[], []])
  })
})

describe('a form without a script that cannot be taken as it is', () => {
  const send = (site: TestApp, sent: ReturnType<typeof asForm> | ReturnType<typeof asAddress>, from?: string) =>
    site.call(sendFromPage, { ...sent, ...(from && { from }) })

  test('goes through without the photos that cannot be kept, and counts them', async () => {
    const site = await openTestApp('sqlite')
    const photos = [
      await aPhotoOfBytes(2 * maxImageBytes),
      aPngBomb(),
      Buffer.from('not a photo'),
      await aPhoto(),
      await aPhoto({ colour: '#111111' }),
      await aPhoto({ colour: '#222222' }),
    ].map((content) => ({ content }))
    const other = { field: 'other', content: await aPhoto() }
    const response = await send(site, asForm(aContact(), [other, ...photos]))
    expect([response.statusCode, stateOf(response).sentForm]).toEqual([
      200,
      // Two of the first five are photos, and there is no room for the sixth.
      { outcome: 'sent', photosLost: 4, entries: {}, faults: [], sent: expect.anything() },
    ])
    expect(await photosOf(site)).toHaveLength(2)
    expect(await site.storage.list('incoming')).toEqual([])
  })

  test('has photos that are too many bytes together: the message is taken alone', async () => {
    const site = await openTestApp('sqlite')
    const { body, headers } = asForm(aContact(), [{ content: await aPhoto() }, { content: await aPhoto() }])
    const filler = asForm({}, [{ field: 'other', content: Buffer.alloc(maxTakenBytes) }])
    const boundary = headers['content-type'].split('boundary=')[1] ?? ''
    const joined = Buffer.concat([
      body.subarray(0, body.length - `--${boundary}--\r\n`.length),
      Buffer.from(`--${boundary}`),
      filler.body.subarray(boundary.length + 2, filler.body.length - boundary.length - 6),
      Buffer.from(`--${boundary}--\r\n`),
    ])
    const response = await send(site, { body: joined, headers })
    expect([response.statusCode, stateOf(response).sentForm]).toMatchObject([200, { outcome: 'sent', photosLost: 2 }])
    expect([(await stored(site)).length, (await photosOf(site)).length]).toEqual([1, 0])
  })

  test('has the texts behind the photos, lines in its name, a hidden field or a field twice, and is stored all the same', async () => {
    const site = await openTestApp('sqlite')
    const { body, headers } = asForm({
      ...aContact({ name: 'Zoë\r\nBcc: all@example.com' }),
      website: 'x'.repeat(2_000),
      about: 'x'.repeat(300),
      language: 'xx',
      extra: '1',
    })
    const [fields = '', ...rest] = [body.toString('latin1')]
    expect(rest).toEqual([])
    const photo = asForm({}, [{ content: await aPhoto() }])
    const boundary = (type: string) => type.split('boundary=')[1] ?? ''
    const first = photo.body
      .toString('latin1')
      .replaceAll(boundary(photo.headers['content-type']), boundary(headers['content-type']))
    const joined = Buffer.from(first.replace(/--\r\n$/, '\r\n') + fields, 'latin1')
    const response = await send(site, { body: joined, headers })
    expect(stateOf(response).sentForm?.outcome).toBe('sent')
    const [contact] = await stored(site)
    expect(contact).toMatchObject({
      name: 'Zoë\nBcc: all@example.com',
      state: 'spam',
      spamReason: 'hidden_field',
      language: 'en',
    })
    expect(await photosOf(site)).toMatchObject([{ contactId: contact?.id }])
  })

  test('too often has one limit with the other way, and comes back with what was typed', async () => {
    const site = await openTestApp('sqlite')
    for (let sent = 0; sent < 3; sent += 1)
      await site.ask(sendContact, { body: aContact({ name: `${sent}` }), from: '203.0.113.7' })
    for (let sent = 3; sent < 5; sent += 1) await send(site, asAddress(aContact({ name: `${sent}` })), '203.0.113.7')
    const form = asForm(aContact({ name: 'Zoë' }), [{ content: await aPhoto() }])
    const refused = await send(site, form, '203.0.113.7')
    expect(refused.statusCode).toBe(429)
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
    expect(stateOf(refused).sentForm).toMatchObject({ outcome: 'tooOften', entries: aContact({ name: 'Zoë' }) })
    expect((await site.call(sendContact, { body: aContact(), from: '203.0.113.7' })).statusCode).toBe(429)
    expect([(await stored(site)).length, (await photosOf(site)).length]).toEqual([5, 0])
    expect((await send(site, form, '203.0.113.8')).statusCode).toBe(200)
  })

  test('because so many came within the hour says so', async () => {
    const site = await openTestApp('sqlite')
    const windowEnds = new Date(site.clock.now().getTime() + 3_600_000).toISOString()
    const full = ['all inquiries', 'all spam'].map((subject) => ({ subject, count: 1e6, windowEnds }))
    await site.db.insertInto('requestCounts').values(full).execute()
    const response = await send(site, asAddress(aContact()))
    expect([response.statusCode, stateOf(response).sentForm?.outcome]).toEqual([429, 'tooMany'])
  })

  test('while the database fails, or is away, comes back with what was typed', async () => {
    const site = await openTestApp('sqlite')
    await site.call(homePage)
    await site.db.schema.alterTable('contactMessages').renameTo('gone').execute()
    const failed = await send(site, asForm(aContact(), [{ content: await aPhoto() }]))
    expect(failed.statusCode).toBe(500)
    expect(stateOf(failed).sentForm).toMatchObject({ outcome: 'failed', entries: aContact() })
    expect(site.takeLoggedProblems()).toHaveLength(1)
  })

  test('comes back without the models, whichever of them the last visitor looked at', async () => {
    const site = await openTestApp('sqlite')
    await storeProject(site.db, aStoredProject({ category: 'ships' }))
    await site.call(homePage, { query: { category: 'ships' } })
    const answers = [await send(site, asAddress({ name: 'Ana' }))]
    await site.db.schema.alterTable('projects').renameTo('gone').execute()
    answers.push(await send(site, asAddress({ name: 'Ana' })))
    for (const answer of answers) {
      expect([answer.statusCode, stateOf(answer).sentForm?.entries]).toEqual([400, { name: 'Ana' }])
      expect(stateOf(answer)).not.toHaveProperty('projects')
      expect(answer.body).not.toContain('No projects')
    }
  })

  test('when it is too large, cut off, or no form at all', async () => {
    const site = await openTestApp('sqlite', { config: { rateLimits: false } })
    const { body, headers } = asForm(aContact())
    const long = await send(site, asAddress(aContact({ message: 'x'.repeat(300_000) })))
    expect([long.statusCode, stateOf(long).sentForm?.outcome]).toEqual([413, 'failed'])
    const many = await send(site, asForm(Object.fromEntries(Array.from({ length: 100 }, (_, index) => [`f${index}`, 'x']))))
    expect([many.statusCode, stateOf(many).sentForm?.outcome]).toEqual([413, 'failed'])
    const cut = await send(site, { body: body.subarray(0, body.length - 30), headers })
    expect([cut.statusCode, stateOf(cut).sentForm?.outcome]).toEqual([400, 'failed'])
    const huge = await send(site, { body, headers: { ...headers, 'content-length': '999999999' } as typeof headers })
    expect([huge.statusCode, stateOf(huge).sentForm?.outcome]).toEqual([413, 'failed'])
    const json = await site.call(sendFromPage, { body: aContact() })
    expect([json.statusCode, json.json().code]).toEqual([415, 'unsupported_media_type'])
    const nothing = await site.call(sendFromPage)
    expect([nothing.statusCode, stateOf(nothing).sentForm?.outcome]).toEqual([400, 'refused'])
    expect(await stored(site)).toEqual([])
  })
})

describe('the page about a model', () => {
  test('has it in its form, by id or address, while visitors can see it, and is one page with the others otherwise', async () => {
    let rendered = 0
    const site = await openTestApp('sqlite', {
      onRender: () => {
        rendered += 1
      },
    })
    const as = await site.signedIn()
    const create = (details: object) => site.ask(createProject, { as, body: aProject(details) })
    const shown = await create({ title: 'Frigate Aurora' })
    const draft = await create({ draft: true })
    const about = async (name: string) => stateOf(await site.call(homePage, { query: { about: name } })).about
    const { slug } = shown
    const aurora = { id: shown.id, slug, title: 'Frigate Aurora', translations: { es: { title: null } }, category: 'ships' }
    expect([await about(shown.id), await about(slug)]).toEqual([aurora, aurora])
    expect(rendered).toBe(1)
    for (const name of [draft.id, 'nothing', '../x', randomUUID()]) expect(await about(name)).toBeUndefined()
    await site.call(homePage)
    expect(rendered).toBe(2)
  })
})
