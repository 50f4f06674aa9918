import { describe, expect, test } from 'vitest'
import { sections as sectionsEn } from '#content/en/sections.ts'
import { server as en } from '#content/en/server.ts'
import { server as es } from '#content/es/server.ts'
import { maker } from '#content/maker.ts'
import { homePage, robots, sendFromPage, sitemap } from '#contract/pages.ts'
import { listProjects } from '#contract/projects.ts'
import { readWords, setSiteOpened } from '#contract/site-content.ts'
import { aStoredProject, storeProject, storeVersion } from '#tests/factories.ts'
import { addressOf, openTestApp } from '#tests/test-app.ts'
import { databases, migratedDatabase } from '#tests/test-database.ts'

const config = { publicUrl: 'https://models.example' }
/** Of the page that only the maker sees. */
const biography = sectionsEn.about.paragraphs[0] ?? ''

async function closedSite(...options: Parameters<typeof openTestApp>) {
  const site = await openTestApp(options[0], { config, ...options[1] })
  await storeProject(site.db, aStoredProject({ title: 'Harbour tug' }))
  const as = await site.signedIn()
  await site.ask(setSiteOpened, { as, body: { opened: false } })
  return { ...site, as }
}

describe('a site that is not open yet', () => {
  test('tells visitors its name and that it opens soon, in every language, and nothing else', async () => {
    const { call } = await closedSite('sqlite')
    for (const query of [
      {},
      { lang: 'es' },
      { project: 'harbour-tug' },
      { project: 'gone' },
      { category: 'ships', shown: '48' },
      { preview: 'draft' },
    ]) {
      const { statusCode, headers, body } = await call(homePage, { query })
      expect(statusCode).toBe(200)
      expect(headers).toMatchObject({ 'x-robots-tag': 'noindex', 'cache-control': 'public, max-age=0, must-revalidate' })
      expect(headers['content-security-policy']).toContain("script-src 'self'")
      for (const text of [maker.brand, en.opening.soon, es.opening.soon, '<meta name="robots" content="noindex">']) {
        expect(body).toContain(text)
      }
      for (const text of ['Harbour tug', biography, maker.phones[0], maker.email, '<script', 'canonical']) {
        expect(body).not.toContain(text)
      }
    }
    expect((await call(homePage, { query: { lang: 'es' } })).body).toContain('<html lang="es"')
  })

  test('shows the e-mail address, name and accent that the maker has published, as text', async () => {
    const { call, db } = await closedSite('sqlite')
    await storeVersion(db, { 'maker.brand': 'Taller <b>&', 'maker.email': 'ana@example.com', 'maker.accent': 'steel' })
    await expect.poll(async () => (await call(homePage)).body).toContain('mailto:ana@example.com')
    const { body } = await call(homePage)
    expect(body).toContain('<h1>Taller &lt;b>&amp;</h1>')
    expect(body).toContain('--accent:#b0c3d3')
    expect(body).not.toContain('<b>')
  })

  test('is seen whole by the signed-in maker alone, and no cache may keep that', async () => {
    const { call, as } = await closedSite('sqlite')
    const tag = String((await call(homePage)).headers.etag)
    for (let time = 0; time < 2; time += 1) {
      const { statusCode, headers, body } = await call(homePage, { as, headers: { 'if-none-match': tag } })
      expect([statusCode, headers['cache-control'], headers.etag]).toEqual([200, 'no-store', undefined])
      for (const text of [biography, 'Harbour tug', en.opening.bar, es.opening.bar]) expect(body).toContain(text)
      expect((await call(homePage)).body).not.toContain(biography)
      expect((await call(homePage, { headers: { 'if-none-match': tag } })).statusCode).toBe(304)
    }
    const named = await call(homePage, { as, query: { project: 'harbour-tug' } })
    expect([named.statusCode, named.headers['cache-control']]).toEqual([200, 'no-store'])
    expect((await call(homePage, { as, query: { project: 'gone' } })).statusCode).toBe(404)
    const stranger = { cookie: 'session=bm90IGEgc2Vzc2lvbg' }
    expect((await call(homePage, { as: stranger })).body).not.toContain(biography)
  })

  test('has no sitemap, and its form without a script shows no page either', async () => {
    const { call, app } = await closedSite('sqlite')
    expect((await call(sitemap)).statusCode).toBe(404)
    expect((await call(robots)).body).not.toContain('Sitemap')
    const { statusCode, body } = await app.inject({
      method: sendFromPage.method,
      url: addressOf(sendFromPage),
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      payload: 'name=&email=&message=',
    })
    expect(statusCode).toBe(400)
    expect(body).toContain(en.opening.soon)
    expect(body).not.toContain(biography)
  })

  test('answers calls as ever', async () => {
    const { call, ask } = await closedSite('sqlite')
    expect(await ask(listProjects)).toMatchObject([{ title: 'Harbour tug' }])
    expect((await call(readWords, { query: { lang: 'es' } })).statusCode).toBe(200)
    for (const body of [{}, { opened: 'yes' }, { opened: true, more: 1 }]) {
      expect((await call(setSiteOpened, { body })).statusCode).toBe(401)
    }
  })

  test('refuses what is no answer to whether it is open', async () => {
    const { call, as } = await closedSite('sqlite')
    for (const body of [{}, { opened: 'yes' }, { opened: null }, { opened: true, more: 1 }, []]) {
      expect((await call(setSiteOpened, { as, body })).statusCode).toBe(400)
    }
    expect((await call(homePage)).body).toContain(en.opening.soon)
  })
})

describe.each(databases)('a new site on %s', (dialect) => {
  test('is opened and closed in all processes, whatever they have cached', async () => {
    const place = await migratedDatabase(dialect)
    const { call, ask, as } = await closedSite(dialect, { place })
    const other = dialect === 'postgres' ? await openTestApp(dialect, { place, config }) : { call }
    const shows = (text: string) =>
      expect.poll(async () => (await other.call(homePage)).body, { timeout: 5_000 }).toContain(text)
    await shows(en.opening.soon)
    for (const [opened, text] of [
      [true, biography],
      [false, en.opening.soon],
      [true, biography],
    ] as const) {
      await ask(setSiteOpened, { as, body: { opened } })
      expect((await call(homePage)).body).toContain(text)
      await shows(text)
    }
    expect((await call(sitemap)).statusCode).toBe(200)
    expect((await call(robots)).body).toContain('Sitemap: https://models.example/sitemap.xml')
  })
})
