import { randomUUID } from 'node:crypto'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { categories } from '#contract/first-visit.ts'
import { homePage } from '#contract/pages.ts'
import { createProject, deleteProject, updateProject } from '#contract/projects.admin.ts'
import { listProjects } from '#contract/projects.ts'
import type { Dialect } from '#server/database/dialect.ts'
import { aProject, aShownProject, aStoredProject, storeProject } from '#tests/factories.ts'
import { openTestApp } from '#tests/test-app.ts'
import { databases } from '#tests/test-database.ts'

const hash = 'ab'.repeat(32)

describe('listing projects', () => {
  test('an empty site has an empty list', async () => {
    const site = await openTestApp('sqlite')
    expect(await site.ask(listProjects)).toEqual([])
  })

  test('a category leaves out the others', async () => {
    const site = await openTestApp('sqlite')
    for (const category of categories) await storeProject(site.db, aStoredProject({ category, title: category }))
    for (const category of categories) {
      const found = await site.ask(listProjects, { query: { category } })
      expect(found.map(({ title }) => title)).toEqual([category])
    }
  })
})

describe.each(databases)('listing projects on %s', (dialect) => {
  test('the newest comes first, with all its fields', async () => {
    const site = await openTestApp(dialect)
    const older = aStoredProject({ title: 'Older', createdAt: '2026-01-01T00:00:00.000Z' })
    const newer = aStoredProject({
      createdAt: '2026-02-01T00:00:00.000Z',
      translations: { es: { title: 'Remolcador' } },
      featured: true,
      scale: '1:48',
    })
    await storeProject(site.db, older)
    await storeProject(site.db, newer)
    expect(await site.ask(listProjects)).toEqual([
      { ...aShownProject(newer), slug: 'harbour-tug' },
      { ...aShownProject(older), slug: 'older' },
    ])
  })

  test('a photo of our own store brings its size and its placeholder along', async () => {
    const site = await openTestApp(dialect)
    const facts = { width: 1200, height: 800, placeholder: 'data:image/webp;base64,AAAA' }
    await site.db
      .insertInto('images')
      .values({ hash, contentType: 'image/jpeg', bytes: 1, ...facts })
      .execute()
    await storeProject(site.db, aStoredProject({ imageUrl: `/objects/${hash}`, afterImageUrl: `/objects/${hash}` }))
    const [project] = await site.ask(listProjects)
    expect(project).toMatchObject({ image: facts, beforeImage: null, afterImage: facts })
  })
})

describe('asking for the list', () => {
  test('an unknown category is refused with the ones there are', async () => {
    const site = await openTestApp('sqlite')
    const response = await site.call(listProjects, { query: { category: 'trains' } })
    expect(response.statusCode).toBe(400)
    const message = 'There is no such category. Choose one of: locomotive, aircraft, ships, automotive, military, figures.'
    expect(response.json()).toEqual({
      message,
      code: 'invalid_input',
      details: { reason: 'fields', faults: [{ field: 'category', fault: 'not_a_choice', names: categories }] },
      fields: { category: message },
    })
  })

  test('an unknown parameter is refused by name', async () => {
    const site = await openTestApp('sqlite')
    const response = await site.call(listProjects, { query: { colour: 'red' } })
    expect(response.statusCode).toBe(400)
    expect(response.json()).toMatchObject({ message: 'Not a field of this request: colour.' })
  })

  test('who has it already is told so in 304 and no bytes', async () => {
    const site = await openTestApp('sqlite')
    const first = await site.call(listProjects)
    const etag = String(first.headers.etag)
    const again = await site.call(listProjects, { headers: { 'if-none-match': etag } })
    expect(again.statusCode).toBe(304)
    expect(again.body).toBe('')
    expect(again.headers.etag).toBe(etag)
    const among = await site.call(listProjects, { headers: { 'if-none-match': `"other", ${etag}` } })
    expect(among.statusCode).toBe(304)
    const other = await site.call(listProjects, { headers: { 'if-none-match': '"other"' } })
    expect(other.statusCode).toBe(200)
  })

  test('brotli, gzip and plain are the same bytes', async () => {
    const site = await openTestApp('sqlite')
    await storeProject(site.db, aStoredProject({ description: 'A ñandú in 1:1. '.repeat(200) }))
    const get = (encoding: string) => site.call(listProjects, { headers: { 'accept-encoding': encoding } })
    const [plain, brotli, zipped] = [await get('identity'), await get('gzip, br'), await get('gzip')]
    expect(plain.headers['content-encoding']).toBeUndefined()
    expect(brotli.headers['content-encoding']).toBe('br')
    expect(zipped.headers['content-encoding']).toBe('gzip')
    expect(brotliDecompressSync(brotli.rawPayload)).toEqual(plain.rawPayload)
    expect(gunzipSync(zipped.rawPayload)).toEqual(plain.rawPayload)
    expect(brotli.rawPayload.length).toBeLessThan(plain.rawPayload.length)
    expect(plain.headers.vary).toBe('Accept-Encoding')
    expect(new Set([plain, brotli, zipped].map(({ headers }) => headers.etag)).size).toBe(1)
  })

  test('an encoding the caller refuses is not sent', async () => {
    const site = await openTestApp('sqlite')
    const response = await site.call(listProjects, { headers: { 'accept-encoding': 'br;q=0, gzip;q=0.5' } })
    expect(response.headers['content-encoding']).toBe('gzip')
  })
})

describe('the maker changes projects', () => {
  test('a project needs a title, a description, a category and a photo, and gets the rest', async () => {
    const site = await openTestApp('sqlite')
    const maker = await site.signedIn()
    const created = await site.ask(createProject, { as: maker, body: aProject() })
    const createdAt = site.clock.now().toISOString()
    expect(created).toEqual({ ...aShownProject({ id: created.id, createdAt }), slug: 'harbour-tug' })
    expect(await site.ask(listProjects)).toEqual([created])
  })

  test('a change touches what was sent and keeps the rest', async () => {
    const site = await openTestApp('sqlite')
    const maker = await site.signedIn()
    const body = aProject({ scale: '1:48', featured: true, materials: 'Brass' })
    const created = await site.ask(createProject, { as: maker, body })
    const params = { id: created.id }
    const changed = await site.ask(updateProject, { as: maker, params, body: { title: 'Tugboat', materials: '' } })
    expect(changed).toEqual({ ...created, title: 'Tugboat', slug: 'tugboat', materials: null, version: 2 })
    expect(await site.ask(updateProject, { as: maker, params, body: {} })).toEqual(changed)
    expect(await site.ask(listProjects)).toEqual([changed])
  })

  test('a deleted project is gone', async () => {
    const site = await openTestApp('sqlite')
    const maker = await site.signedIn()
    const [kept, { id }] = [
      await site.ask(createProject, { as: maker, body: aProject() }),
      await site.ask(createProject, { as: maker, body: aProject({ title: 'Not for long' }) }),
    ]
    expect(await site.ask(deleteProject, { as: maker, params: { id } })).toEqual({ message: 'Project deleted successfully' })
    expect(await site.ask(listProjects)).toEqual([kept])
    expect((await site.call(deleteProject, { as: maker, params: { id } })).statusCode).toBe(404)
  })

  test('an unknown id leads to 404', async () => {
    const site = await openTestApp('sqlite')
    const maker = await site.signedIn()
    const params = { id: randomUUID() }
    const answers = [
      await site.call(updateProject, { as: maker, params, body: { title: 'Nothing' } }),
      await site.call(deleteProject, { as: maker, params }),
    ]
    for (const answer of answers) {
      expect(answer.statusCode).toBe(404)
      expect(answer.json()).toEqual({ message: 'That project no longer exists.', code: 'project_not_found' })
    }
  })

  test('every change is seen at once, under a new ETag', async () => {
    const site = await openTestApp('sqlite')
    const maker = await site.signedIn()
    const seen: unknown[] = []
    const etags = new Set<unknown>()
    const look = async () => {
      const response = await site.call(listProjects)
      etags.add(response.headers.etag)
      seen.push(response.json<{ title: string }[]>().map(({ title }) => title))
    }
    await look()
    const { id } = await site.ask(createProject, { as: maker, body: aProject({ title: 'First' }) })
    await look()
    await site.ask(updateProject, { as: maker, params: { id }, body: { title: 'Second' } })
    await look()
    await site.ask(createProject, { as: maker, body: aProject({ title: 'Third' }) })
    await site.ask(deleteProject, { as: maker, params: { id } })
    await look()
    expect(seen).toEqual([[], ['First'], ['Second'], ['Third']])
    expect(etags.size).toBe(4)
  })
})

describe.each(databases)('the maker changes projects on %s', (dialect) => {
  test('every field is kept as it was typed, without blanks around it', async () => {
    const site = await openTestApp(dialect)
    const maker = await site.signedIn()
    const everything = {
      title: 'Frigate',
      description: 'Three masts.\nAll sails furled.',
      category: 'ships' as const,
      imageUrl: `/objects/${hash}`,
      scale: '1:96',
      materials: 'Lime and pear',
      techniques: 'Planking',
      timeSpent: '1150',
      beforeImageUrl: 'https://example.com/before.jpg',
      afterImageUrl: `/objects/${hash}`,
      featured: true,
      translations: {
        es: { title: 'Fragata', description: 'Tres palos.', materials: 'Tilo y peral', techniques: 'Forrado' },
      },
    }
    expect(await site.ask(createProject, { as: maker, body: { ...everything, title: '  Frigate ' } })).toMatchObject(everything)
    expect(await site.ask(listProjects)).toMatchObject([everything])
  })

  test('a translation is changed field by field, and a text that is emptied is not kept', async () => {
    const site = await openTestApp(dialect)
    const maker = await site.signedIn()
    const created = await site.ask(createProject, {
      as: maker,
      body: aProject({ translations: { es: { title: 'Remolcador', materials: '  ' } } }),
    })
    const es = { title: 'Remolcador', description: null, materials: null, techniques: null }
    expect(created.translations).toEqual({ es })
    const rows = () => site.db.selectFrom('projectTexts').selectAll().execute()
    const change = (body: object) => site.ask(updateProject, { as: maker, params: { id: created.id }, body })
    expect((await change({ translations: { es: { materials: 'Latón' } } })).translations).toEqual({
      es: { ...es, materials: 'Latón' },
    })
    expect((await change({ title: 'Tug' })).translations.es).toMatchObject({ title: 'Remolcador', materials: 'Latón' })
    expect(await rows()).toHaveLength(1)
    const none = await change({ translations: { es: { title: '', materials: null } } })
    expect(none).toMatchObject({ translations: { es: { title: null, materials: null } }, version: 4 })
    expect(await rows()).toEqual([])
    for (const translations of [{ en: { title: 'Tug' } }, { es: { scale: '1:48' } }, { es: { title: 'x'.repeat(201) } }]) {
      const refused = await site.call(updateProject, { as: maker, params: { id: created.id }, body: { translations } })
      expect(refused.json()).toMatchObject({ code: 'invalid_input' })
    }
  })
})

async function openOneProject(dialect: Dialect) {
  const site = await openTestApp(dialect)
  const maker = await site.signedIn()
  const opened = await site.ask(createProject, { as: maker, body: aProject() })
  const save = (body: object) => site.call(updateProject, { as: maker, params: { id: opened.id }, body })
  return { site, maker, opened, save }
}

describe('two makers change one project', () => {
  test('a version alone changes nothing, and says whether it is still the present one', async () => {
    const { opened, save } = await openOneProject('sqlite')
    expect((await save({ version: opened.version })).json()).toEqual(opened)
    expect((await save({ version: opened.version + 1 })).statusCode).toBe(409)
  })

  test('a project that was deleted is not one that was changed', async () => {
    const { site, maker, opened, save } = await openOneProject('sqlite')
    await site.ask(deleteProject, { as: maker, params: { id: opened.id } })
    const answer = await save({ title: 'Too late', version: opened.version })
    expect(answer.statusCode).toBe(404)
    expect(answer.json()).toMatchObject({ code: 'project_not_found' })
  })

  test('a version is a whole number', async () => {
    const { save } = await openOneProject('sqlite')
    for (const version of [2 ** 31, 1.5, '1', null]) {
      const answer = await save({ title: 'Renamed', version })
      expect(answer.statusCode).toBe(400)
      expect(answer.json()).toMatchObject({ fields: { version: 'The version must be a whole number.' } })
    }
  })

  test('a new project cannot choose its version', async () => {
    const { site, maker } = await openOneProject('sqlite')
    const answer = await site.call(createProject, { as: maker, body: { ...aProject(), version: 7 } })
    expect(answer.statusCode).toBe(400)
  })
})

describe.each(databases)('two makers change one project on %s', (dialect) => {
  test('of two saves from one version the second is refused and the first is kept', async () => {
    const { site, opened, save } = await openOneProject(dialect)
    const { version } = opened
    const first = await save({ title: 'From the first', version })
    expect(first.json()).toEqual({ ...opened, title: 'From the first', slug: 'from-the-first', version: version + 1 })
    const second = await save({ title: 'From the second', scale: '1:12', version })
    expect(second.statusCode).toBe(409)
    expect(second.json()).toMatchObject({ code: 'project_changed' })
    expect(await site.ask(listProjects)).toEqual([first.json()])
    const again = await save({ title: 'From the second', version: version + 1 })
    expect(again.json()).toMatchObject({ title: 'From the second', version: version + 2 })
  })

  test('of ten saves at once exactly one wins', async () => {
    const { site, opened, save } = await openOneProject(dialect)
    const titles = Array.from({ length: 10 }, (_, number) => `Number ${number}`)
    const answers = await Promise.all(titles.map((title) => save({ title, version: opened.version })))
    const won = answers.filter(({ statusCode }) => statusCode === 200)
    expect(won).toHaveLength(1)
    expect(answers.filter(({ statusCode }) => statusCode === 409)).toHaveLength(9)
    expect(await site.ask(listProjects)).toEqual([won[0]?.json()])
  })

  test('changes without a version are all taken, and each makes a version', async () => {
    const { site, opened, save } = await openOneProject(dialect)
    const answers = await Promise.all([save({ featured: true }), save({ scale: '1:48' }), save({ timeSpent: '90' })])
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200])
    const expected = { ...opened, featured: true, scale: '1:48', timeSpent: '90', version: opened.version + 3 }
    expect(await site.ask(listProjects)).toEqual([expected])
    expect((await save({ title: 'Made before', version: opened.version })).statusCode).toBe(409)
  })
})

describe.each(databases)('a project in one language only, on %s', (dialect) => {
  test('answers that one where the site’s own is missing, says so, and is published and addressed by it', async () => {
    const site = await openTestApp(dialect)
    const maker = await site.signedIn()
    const es = { title: 'Remolcador Ñandú', description: 'Un remolcador.', materials: 'Peral' }
    const body = { ...aProject({ title: '', description: '' }), translations: { es } }
    const created = await site.ask(createProject, { as: maker, body })
    expect(created).toMatchObject({ ...es, techniques: null, slug: 'remolcador-nandu' })
    expect(created.fallbacks).toEqual(['title', 'description', 'materials'])
    const [listed] = await site.ask(listProjects)
    expect(listed).toEqual(created)
    expect((await site.call(homePage, { query: { project: created.slug } })).body).toContain('Remolcador Ñandú')

    const save = (changes: object) => site.call(updateProject, { as: maker, params: { id: created.id }, body: changes })
    expect((await save({ translations: { es: { title: null } } })).json().fields).toEqual({ title: 'Title is required' })
    const renamed = (await save({ translations: { es: { title: 'Remolcador viejo' } } })).json()
    expect(renamed).toMatchObject({ title: 'Remolcador viejo', slug: 'remolcador-viejo' })
    const translated = (await save({ title: 'Tug', description: 'A tug.', materials: 'Pear' })).json()
    expect(translated).toMatchObject({ title: 'Tug', slug: 'tug', translations: { es: { title: 'Remolcador viejo' } } })
    expect(translated.fallbacks).toBeUndefined()
  })
})

describe('a project that is not right', () => {
  test.each([
    ['title', 'Title is required'],
    ['description', 'Description is required'],
    ['category', 'Category is required'],
    ['imageUrl', 'Image is required'],
  ])('without %s is refused: %s', async (field, sentence) => {
    const site = await openTestApp('sqlite')
    const maker = await site.signedIn()
    for (const value of [undefined, '', '   ', null]) {
      const response = await site.call(createProject, { as: maker, body: { ...aProject(), [field]: value } })
      expect(response.statusCode).toBe(400)
      const details = { reason: 'fields', faults: [{ field }] }
      expect(response.json()).toMatchObject({
        message: sentence,
        code: 'invalid_input',
        details,
        fields: { [field]: sentence },
      })
    }
    expect(await site.ask(listProjects)).toEqual([])
  })

  test('a change may not empty what is required', async () => {
    const site = await openTestApp('sqlite')
    const maker = await site.signedIn()
    const { id } = await site.ask(createProject, { as: maker, body: aProject() })
    const response = await site.call(updateProject, { as: maker, params: { id }, body: { title: ' ' } })
    expect(response.statusCode).toBe(400)
    expect(response.json()).toMatchObject({ message: 'Title is required' })
  })

  test('all faulty fields are named at once', async () => {
    const site = await openTestApp('sqlite')
    const maker = await site.signedIn()
    const response = await site.call(createProject, { as: maker, body: { featured: 'yes', scale: 7 } })
    expect(response.json()).toMatchObject({
      fields: {
        title: 'Title is required',
        description: 'Description is required',
        category: 'Category is required',
        imageUrl: 'Image is required',
        featured: 'Featured must be yes or no.',
        scale: 'This must be text.',
      },
    })
  })

  test('a field that is not one is refused by name', async () => {
    const site = await openTestApp('sqlite')
    const maker = await site.signedIn()
    const { id } = await site.ask(createProject, { as: maker, body: aProject() })
    for (const extra of [{ id: randomUUID() }, { createdAt: '2020-01-01T00:00:00.000Z' }, { colour: 'red' }]) {
      const message = `Not a field of this request: ${Object.keys(extra)}.`
      const answers = [
        await site.call(createProject, { as: maker, body: { ...aProject(), ...extra } }),
        await site.call(updateProject, { as: maker, params: { id }, body: extra }),
      ]
      for (const answer of answers) {
        expect(answer.statusCode).toBe(400)
        expect(answer.json()).toMatchObject({ message, code: 'invalid_input' })
      }
    }
  })

  test('an impossible id leads to 404', async () => {
    const site = await openTestApp('sqlite')
    const maker = await site.signedIn()
    for (const id of ['not-an-id', '1', '%2e%2e', "1' or '1'='1"]) {
      expect((await site.call(updateProject, { as: maker, params: { id }, body: {} })).statusCode).toBe(404)
      expect((await site.call(deleteProject, { as: maker, params: { id } })).statusCode).toBe(404)
    }
  })

  test('a photo lives in our store or at https, and nowhere else', async () => {
    const site = await openTestApp('sqlite')
    const maker = await site.signedIn()
    const elsewhere = [
      'http://example.com/tug.jpg',
      'javascript:alert(1)',
      'data:image/png;base64,AAAA',
      '//example.com/tug.jpg',
      'https://',
      '/objects/short',
      `/objects/${hash}/..`,
      `/objects/${hash.toUpperCase()}`,
      `/other/${hash}`,
      'tug.jpg',
    ]
    for (const field of ['imageUrl', 'beforeImageUrl', 'afterImageUrl']) {
      for (const address of elsewhere) {
        const response = await site.call(createProject, { as: maker, body: { ...aProject(), [field]: address } })
        expect(response.statusCode, address).toBe(400)
        expect(response.json()).toMatchObject({
          fields: { [field]: 'Use a photo uploaded here or an https:// address.' },
        })
      }
    }
  })
})
