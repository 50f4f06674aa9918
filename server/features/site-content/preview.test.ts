import { describe, expect, test } from 'vitest'
import { signOut } from '#contract/accounts.ts'
import { homePage } from '#contract/pages.ts'
import { changeSiteDraft, publishSite, readSiteContent } from '#contract/site-content.ts'
import type { FieldChanges } from '#contract/site-fields.ts'
import { aStoredProject, storeProject } from '#tests/factories.ts'
import { openTestApp } from '#tests/test-app.ts'

const framed = { 'sec-fetch-dest': 'iframe' }
const marks = { en: 'Preview: only you can see this', es: 'Vista previa: solo usted la ve' }

describe('a preview of the site', () => {
  async function openSite() {
    const site = await openTestApp('sqlite')
    const maker = await site.signedIn()
    const change = async (changes: FieldChanges) => {
      const { revision } = await site.ask(readSiteContent, { as: maker })
      return site.ask(changeSiteDraft, { as: maker, body: { revision, changes } })
    }
    return {
      ...site,
      maker,
      change,
      publish: async (changes: FieldChanges) => {
        const { revision } = await change(changes)
        await site.ask(publishSite, { as: maker, body: { revision } })
      },
      look: (query: Record<string, string>, headers: Record<string, string> = framed) =>
        site.call(homePage, { as: maker, query, headers }),
      visit: (query: Record<string, string>) => site.call(homePage, { query }),
    }
  }

  test('is the real page with what is not published, in both languages', async () => {
    const site = await openSite()
    await site.change({ 'maker.brand': 'Taller Ana', 'en.hero.title': 'Small engines', 'es.hero.title': 'Máquinas pequeñas' })
    const english = await site.look({ preview: 'draft' })
    expect(english.statusCode).toBe(200)
    expect(english.body).toContain('Small engines')
    expect(english.body).toContain('"preview":"draft"')
    expect(english.body).toContain('<base target="_blank">')
    expect((await site.look({ preview: 'draft', lang: 'es' })).body).toContain('Máquinas pequeñas')
  })

  test('is for the maker alone: others get the ordinary page at that address', async () => {
    const site = await openSite()
    await site.change({ 'en.hero.title': 'Small engines' })
    const ordinary = await site.visit({})
    for (const preview of ['draft', '0', '7']) {
      const answer = await site.visit({ preview })
      expect(answer.body).toBe(ordinary.body)
      expect(answer.headers).toMatchObject({ 'x-frame-options': 'DENY', etag: ordinary.headers.etag })
    }
    await site.ask(signOut, { as: site.maker })
    expect((await site.look({ preview: 'draft' })).body).toBe(ordinary.body)
  })

  test('is seen by the maker, though a visitor has asked for the same address before', async () => {
    const site = await openSite()
    await site.change({ 'en.hero.title': 'Small engines' })
    const url = await site.app.listen({ port: 0, host: '127.0.0.1' })
    const read = async (headers: Record<string, string>) => (await fetch(`${url}/?preview=draft`, { headers })).text()
    for (let round = 0; round < 2; round += 1) {
      expect(await read({})).not.toContain('Small engines')
      expect(await read({ cookie: site.maker.cookie })).toContain('Small engines')
    }
  })

  test('is kept by no browser and no search engine, and framed by the panel alone', async () => {
    const site = await openSite()
    const { headers } = await site.look({ preview: 'draft' })
    expect(headers).toMatchObject({
      'cache-control': 'no-store',
      'x-frame-options': 'SAMEORIGIN',
      'x-robots-tag': 'noindex',
      'content-security-policy': expect.stringMatching(/frame-ancestors 'self'$/),
    })
    expect((await site.look({})).headers).toMatchObject({
      'x-frame-options': 'DENY',
      'content-security-policy': expect.stringMatching(/frame-ancestors 'none'$/),
    })
  })

  test('says so where it is not the panel that shows it', async () => {
    const site = await openSite()
    expect((await site.look({ preview: 'draft' })).body).not.toContain(marks.en)
    expect((await site.look({ preview: 'draft' }, {})).body).toContain(marks.en)
    expect((await site.look({ preview: 'draft', lang: 'es' }, {})).body).toContain(marks.es)
    expect((await site.look({}, {})).body).not.toContain(marks.en)
  })

  test('shows a version that is kept, and the site as it came', async () => {
    const site = await openSite()
    await site.publish({ 'en.hero.title': 'Small engines' })
    await site.publish({ 'en.hero.title': 'Large engines' })
    expect((await site.look({ preview: '1' })).body).toContain('Small engines')
    expect((await site.look({ preview: '2' })).body).toContain('Large engines')
    const asItCame = (await site.look({ preview: '0' })).body
    expect(asItCame).not.toContain('engines</h1>')
    expect(asItCame).toContain('"preview":"0"')
    for (const preview of ['9', 'x', '-1', '1e9', '']) {
      const { body, headers } = await site.look({ preview })
      expect(body).toContain('Large engines')
      expect(headers['x-frame-options']).toBe('DENY')
    }
  })

  test('has an open project and a category like any page', async () => {
    const site = await openSite()
    await storeProject(site.db, aStoredProject({ title: 'Galleon', category: 'ships' }))
    await storeProject(site.db, aStoredProject({ title: 'Not shown yet', draft: true }))
    await site.change({ 'en.gallery.title': 'All of it' })
    for (const [project, title] of [
      ['galleon', 'Galleon'],
      ['not-shown-yet', 'Not shown yet'],
    ]) {
      const { body } = await site.look({ preview: 'draft', project: project ?? '', category: 'ships' })
      expect(body).toContain('All of it')
      expect(body).toContain(`<title>${title}`)
    }
  })
})
