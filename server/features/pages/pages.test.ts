import { createHash } from 'node:crypto'
import { brotliDecompressSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { maker as owner } from '#content/maker.ts'
import { changePassword } from '#contract/accounts.ts'
import { adminPage, homePage, robots, securityText, sendFromPage, signInPage, sitemap } from '#contract/pages.ts'
import { createProject, deleteProject } from '#contract/projects.admin.ts'
import { demoAdmin } from '#demo/admin.ts'
import { renders } from '#server/http/request-counts.ts'
import { aProject, aStoredProject, storeProject, storeVersion } from '#tests/factories.ts'
import { openTestApp } from '#tests/test-app.ts'
import { databases } from '#tests/test-database.ts'
import type { PageState } from '#web/page.ts'

const languageOf = (html: string) => /<html lang="(\w+)"/.exec(html)?.[1]

function stateOf(html: string) {
  const json = /<script type="application\/json" id="state">(.*?)<\/script>/s.exec(html)?.[1]
  return JSON.parse(json ?? 'null') as unknown
}

describe('the public page', () => {
  test('has the projects in it before any script runs', async () => {
    const site = await openTestApp('sqlite')
    await storeProject(site.db, aStoredProject({ title: 'Sierra Express' }))
    const response = await site.call(homePage)
    expect(response.statusCode).toBe(200)
    expect(response.headers['content-type']).toBe('text/html; charset=utf-8')
    const [beforeState] = response.body.split('id="state"')
    expect(beforeState).toContain('Sierra Express')
    expect(stateOf(response.body)).toMatchObject({ path: '/', language: 'en', projects: [{ title: 'Sierra Express' }] })
  })

  test('highlights the last word of its title, and that alone', async () => {
    const site = await openTestApp('sqlite')
    await storeVersion(site.db, { 'en.hero.title': 'Small ships' })
    expect((await site.call(homePage)).body).toMatch(/>Small <span class="text-brass-light print:text-ink">ships<\/span><\/h1>/)
  })

  test('shows a change at once, under a new ETag, and 304 to who has it', async () => {
    const site = await openTestApp('sqlite')
    const maker = await site.signedIn()
    const before = await site.call(homePage)
    const { id } = await site.ask(createProject, { as: maker, body: aProject({ title: 'Brand new' }) })
    const after = await site.call(homePage, { headers: { 'if-none-match': String(before.headers.etag) } })
    expect(after.statusCode).toBe(200)
    expect(after.body).toContain('Brand new')
    const unchanged = await site.call(homePage, { headers: { 'if-none-match': String(after.headers.etag) } })
    expect(unchanged.statusCode).toBe(304)
    await site.ask(deleteProject, { as: maker, params: { id } })
    expect((await site.call(homePage)).body).not.toContain('Brand new')
  })

  test('shows the category its address names, and as many as it asks for within bounds', async () => {
    const site = await openTestApp('sqlite')
    for (let index = 0; index < 50; index += 1) {
      await storeProject(site.db, aStoredProject({ title: `Model ${index}`, category: index % 2 ? 'ships' : 'aircraft' }))
    }
    const shownFor = async (query: Record<string, string>) => {
      const { projects = [], category } = stateOf((await site.call(homePage, { query })).body) as PageState
      return [category, projects.length, new Set(projects.map((each) => each.category)).size]
    }
    expect(await shownFor({ category: 'ships' })).toEqual(['ships', 24, 1])
    expect(await shownFor({ category: 'ships', shown: '48' })).toEqual(['ships', 25, 1])
    expect(await shownFor({ shown: '48' })).toEqual([undefined, 48, 2])
    for (const nonsense of ['0', '25', '1000000', '-24', 'all']) {
      expect(await shownFor({ shown: nonsense, category: nonsense })).toEqual([undefined, 24, 2])
    }
  })

  test('shows the newest before the others where none is featured', async () => {
    const site = await openTestApp('sqlite')
    for (const minute of [1, 2, 3, 4, 5]) {
      await storeProject(site.db, aStoredProject({ title: `At ${minute}`, createdAt: `2026-05-01T12:0${minute}:00.000Z` }))
    }
    const { featured } = stateOf((await site.call(homePage)).body) as PageState
    expect(featured?.map(({ title }) => title)).toEqual(['At 5', 'At 4', 'At 3', 'At 2'])
  })

  test('opens the project its address names by id or in words', async () => {
    const site = await openTestApp('sqlite')
    const project = aStoredProject()
    await storeProject(site.db, project)
    const openIn = async (query: Record<string, string>) => stateOf((await site.call(homePage, { query })).body)
    const [previous, next] = ['harbour-tug', 'harbour-tug']
    for (const name of [project.id, 'harbour-tug', 'Harbour-Tug']) {
      expect(await openIn({ project: name, utm_source: 'letter' })).toMatchObject({
        openProject: { project: { id: project.id }, position: 1, count: 1, previous, next },
        isGone: false,
      })
    }
  })
})

describe.each(databases)('the public page on %s', (dialect) => {
  test('begins with the newest and the featured ones, however many there are, and opens any other', async () => {
    const site = await openTestApp(dialect)
    const added = Array.from({ length: 60 }, (_, index) =>
      aStoredProject({
        title: `Model ${index}`,
        featured: index < 6,
        createdAt: new Date(Date.UTC(2026, 0, 1) + index * 60_000).toISOString(),
      }),
    )
    for (const project of added) await storeProject(site.db, project)
    const oldest = added[0]?.id ?? ''
    const state = stateOf((await site.call(homePage, { query: { project: oldest } })).body) as PageState
    expect(state.projects?.map(({ title }) => title)).toEqual(
      added
        .slice(-24)
        .toReversed()
        .map(({ title }) => title),
    )
    expect(state.featured?.map(({ title }) => title)).toEqual(['Model 5', 'Model 4', 'Model 3', 'Model 2'])
    expect(state.counts).toMatchObject({ all: 60, ships: 60, aircraft: 0 })
    // What Featured shows comes behind it.
    expect(state.openProject).toMatchObject({ position: 56, count: 60, previous: 'model-1', next: 'model-5' })
  })
})

test('the policy knows the one script that stands in the page, and no other stands there', async () => {
  const { app } = await openTestApp('sqlite')
  for (const url of ['/', '/nowhere', signInPage.path]) {
    const { body, headers } = await app.inject({ url })
    const inPage = [...body.matchAll(/<script>(.*?)<\/script>/gs)].map(([, text = '']) => text)
    expect(inPage).toHaveLength(url === signInPage.path ? 0 : 1)
    for (const text of inPage) {
      const hash = createHash('sha256').update(text).digest('base64')
      expect(headers['content-security-policy']).toContain(`'sha256-${hash}'`)
    }
  }
})

describe('the language of a page', () => {
  const cases: [string, Record<string, string>, Record<string, string>, string][] = [
    ['is English to begin with', {}, {}, 'en'],
    ['is what the address says', { lang: 'es' }, {}, 'es'],
    ['is what was chosen before', {}, { cookie: 'language=es' }, 'es'],
    ['is what the address says, whatever was chosen before', { lang: 'en' }, { cookie: 'language=es' }, 'en'],
    ['is never what the browser prefers', {}, { 'accept-language': 'es-MX,es;q=0.9' }, 'en'],
    ['is English when the address names one we do not have', { lang: 'fr' }, {}, 'en'],
    ['is English when the cookie names one we do not have', {}, { cookie: 'language=fr' }, 'en'],
  ]

  test('is what the address says, else what was chosen before, else English', async () => {
    const site = await openTestApp('sqlite')
    for (const [name, query, headers, language] of cases) {
      const response = await site.call(homePage, { query, headers })
      expect(languageOf(response.body), name).toBe(language)
      expect(stateOf(response.body)).toMatchObject({ language })
      expect(response.headers.vary).toContain('Cookie')
    }
  })

  test('of the page for a wrong address follows the cookie', async () => {
    const { app } = await openTestApp('sqlite')
    const spanish = await app.inject({ url: '/nowhere', headers: { cookie: 'language=es' } })
    expect([spanish.statusCode, languageOf(spanish.body)]).toEqual([404, 'es'])
    const english = await app.inject({ url: '/nowhere' })
    expect([english.statusCode, languageOf(english.body)]).toEqual([404, 'en'])
  })

  test('goes along in every link of a page whose address asks for it, and on the way in', async () => {
    const { app } = await openTestApp('sqlite')
    const owned = (html: string) => [...html.matchAll(/<a href="(\/[^"]*)"/g)].map(([, address]) => address)
    for (const language of ['en', 'es']) {
      for (const path of ['/nowhere', '/']) {
        const { body } = await app.inject({ url: `${path}?lang=${language}` })
        expect(languageOf(body)).toBe(language)
        expect(owned(body).length).toBeGreaterThan(0)
        for (const address of owned(body)) expect(address).toContain('lang=')
      }
    }
    expect((await app.inject({ url: '/?lang=es' })).body).toContain('<input type="hidden" name="lang" value="es"/>')
    const { body } = await app.inject({ url: '/', headers: { cookie: 'language=es' } })
    expect(owned(body).filter((address) => address !== '/?lang=en' && address?.includes('lang='))).toEqual([])
    expect(body).not.toContain('name="lang"')
    expect((await app.inject({ url: `${adminPage.path}?lang=es` })).headers.location).toBe(`${signInPage.path}?lang=es`)
    const signIn = await app.inject({ url: `${signInPage.path}?lang=es` })
    expect(languageOf(signIn.body)).toBe('es')
    expect(signIn.body).toContain('<noscript>')
  })
})

describe('an address that leads nowhere', () => {
  const nowhere = [
    '/nowhere',
    '/admin/nowhere',
    '/ADMIN',
    '/index.html',
    '/.env',
    '/objects',
    '/%00',
    '/..%2f..%2fetc%2fpasswd',
    `/${'x'.repeat(101)}`,
    '/%zz',
    '/%E0%A4%A?lang=en',
    '/admin%',
  ]

  test('answers 404 with a page', async () => {
    const { app } = await openTestApp('sqlite')
    for (const url of nowhere) {
      const response = await app.inject({ url })
      expect([response.statusCode, response.headers['content-type']], url).toEqual([404, 'text/html; charset=utf-8'])
      expect(response.body).toContain('404 Page Not Found')
    }
  })

  test('what one visitor calls the site is not what the next one reads', async () => {
    const { app } = await openTestApp('sqlite')
    for (const url of ['/', '/nowhere', '/robots.txt', '/sitemap.xml']) {
      await app.inject({ url, headers: { host: 'poison.example' } })
      expect((await app.inject({ url, headers: { host: 'models.example' } })).body).not.toContain('poison.example')
    }
  })
})

describe('a site without a public address', () => {
  const hostile = ['evil.example"><script>alert(1)</script>', "x'onload=alert(1)", 'a b', '<loc>', 'a&b', '']

  test('says nothing of a hostile host', async () => {
    const { app } = await openTestApp('sqlite', { config: { trustProxy: 1, rateLimits: false } })
    for (const host of hostile) {
      for (const url of ['/', '/robots.txt', '/sitemap.xml', '/nowhere']) {
        for (const headers of [{ host }, { host, 'x-forwarded-host': host, 'x-forwarded-proto': host }]) {
          const { body } = await app.inject({ url, headers })
          expect(body).not.toMatch(/evil|alert|onload|a b\/|<loc>\s*<loc>|a&b/)
        }
      }
    }
  })

  test('is one page for all, whatever they call it, with addresses that are right for each', async () => {
    let renders = 0
    const { app } = await openTestApp('sqlite', { onRender: () => (renders += 1) })
    for (let number = 0; number < 50; number += 1) {
      const { body } = await app.inject({ url: '/', headers: { host: `name-${number}.example` } })
      expect(body).toContain('<meta property="og:url" content="/?lang=en">')
      expect(body).not.toMatch(/canonical|hreflang/)
    }
    expect(renders).toBe(1)
  })

  test('tells the maker what is missing, once it has a name of its own', async () => {
    const addressFor = async (publicUrl: string | undefined, host: string) => {
      const site = await openTestApp('sqlite', { config: { publicUrl } })
      const findings = await site.findings({ as: await site.signedIn(), headers: { host } })
      return findings.find((finding) => finding.startsWith('address_'))
    }
    expect(await addressFor(undefined, 'models.example')).toBe('address_missing')
    expect(await addressFor(undefined, 'localhost:3000')).toBe('address_local')
    expect(await addressFor('https://models.example', '10.0.0.7:3000')).toBe('address_secure')
    expect(await addressFor('https://models.example', 'models.example')).toBe('address_unencrypted')
  })
})

describe('the admin pages', () => {
  test('signed out, the dashboard leads to the sign-in page', async () => {
    const site = await openTestApp('sqlite')
    const response = await site.call(adminPage)
    expect([response.statusCode, response.headers.location]).toEqual([302, '/admin/login'])
    expect(response.headers['cache-control']).toBe('no-store')
  })

  test('what a link in a mail leads to is kept on the way through the sign-in page, and nothing else', async () => {
    const site = await openTestApp('sqlite')
    const contact = '5e9b1f6a-5d0c-4f0f-9c5e-0d5d6a3f1b11'
    const out = await site.call(adminPage, { query: { inquiry: contact, lang: 'es', next: 'https://elsewhere.example' } })
    expect(out.headers.location).toBe(`/admin/login?lang=es&inquiry=${contact}`)
    const back = await site.call(signInPage, { query: { inquiry: contact }, as: await site.signedIn() })
    expect(back.headers.location).toBe(`/admin?inquiry=${contact}`)
    expect((await site.call(adminPage, { query: { inquiry: '//elsewhere' } })).headers.location).toBe('/admin/login')
  })

  test('signed in, the sign-in page leads to the dashboard, which answers', async () => {
    const site = await openTestApp('sqlite')
    const maker = await site.signedIn()
    const response = await site.call(signInPage, { as: maker })
    expect([response.statusCode, response.headers.location]).toEqual([302, '/admin'])
    const dashboard = await site.call(adminPage, { as: maker })
    expect(dashboard.statusCode).toBe(200)
    expect(dashboard.headers['cache-control']).toBe('no-store')
    expect(stateOf(dashboard.body)).toMatchObject({ path: '/admin' })
  })

  test('the hint is shown exactly as long as the demo account has the password everybody knows', async () => {
    const site = await openTestApp('sqlite')
    const hint = async () => (stateOf((await site.call(signInPage)).body) as { demoHint: boolean }).demoHint
    expect(await hint()).toBe(false)
    const demo = await site.signedIn({ ...demoAdmin, demo: true })
    expect(await hint()).toBe(true)
    const body = { currentPassword: demoAdmin.password, newPassword: 'my own secret' }
    await site.ask(changePassword, { as: demo, body })
    expect(await hint()).toBe(false)
  })

  test('the hint is not shown for another account with the name and the password of the demo', async () => {
    const site = await openTestApp('sqlite')
    await site.addAdmin(demoAdmin)
    expect(stateOf((await site.call(signInPage)).body)).toMatchObject({ demoHint: false })
  })
})

describe('for search engines', () => {
  test('robots.txt keeps them out of the admin area and names the sitemap', async () => {
    const site = await openTestApp('sqlite', { config: { publicUrl: 'https://models.example' } })
    const response = await site.call(robots)
    expect(response.headers['content-type']).toBe('text/plain; charset=utf-8')
    expect(response.body.split('\n')).toEqual(
      expect.arrayContaining(['User-agent: *', 'Disallow: /admin', 'Sitemap: https://models.example/sitemap.xml']),
    )
  })

  test('the sitemap has every project in every language', async () => {
    const site = await openTestApp('sqlite', { config: { publicUrl: 'https://models.example' } })
    const project = aStoredProject()
    await storeProject(site.db, project)
    const response = await site.call(sitemap)
    expect(response.headers['content-type']).toBe('application/xml; charset=utf-8')
    const places = [...response.body.matchAll(/<loc>(.*?)<\/loc>/g)].map(([, place]) => place)
    expect(places).toEqual(['https://models.example/', 'https://models.example/?project=harbour-tug'])
    expect(response.body).toContain(`hreflang="es" href="https://models.example/?project=harbour-tug&amp;lang=es"`)
  })
})

describe('for who finds a hole in the site', () => {
  test('security.txt says whom to tell, and is never out of date', async () => {
    const site = await openTestApp('sqlite', { config: { publicUrl: 'https://models.example' } })
    for (const days of [0, 1_000]) {
      site.clock.pass({ days })
      const response = await site.call(securityText)
      expect(response.headers['content-type']).toBe('text/plain; charset=utf-8')
      const fields = Object.fromEntries(
        response.body
          .trim()
          .split('\n')
          .map((line) => line.split(/: (.*)/)),
      )
      expect(fields).toMatchObject({
        Contact: `mailto:${owner.email}`,
        'Preferred-Languages': 'en, es',
        Canonical: 'https://models.example/.well-known/security.txt',
      })
      const daysLeft = (Date.parse(fields.Expires ?? '') - site.clock.now().getTime()) / 86_400_000
      expect(daysLeft).toBeGreaterThan(30)
      expect(daysLeft).toBeLessThan(365)
    }
  })

  test('security.txt is not there without an address to write to', async () => {
    const site = await openTestApp('sqlite')
    await storeVersion(site.db, { 'maker.email': '' })
    expect((await site.call(securityText)).statusCode).toBe(404)
    await storeVersion(site.db, { 'maker.email': 'ana@taller.example' })
    expect((await site.call(securityText)).body).toContain('Contact: mailto:ana@taller.example\n')
  })
})

test('what the maker types cannot leave the place it stands in', async () => {
  const site = await openTestApp('sqlite')
  const title = '</script><script>alert(1)</script>$& $1'
  await storeProject(site.db, aStoredProject({ title, description: '<img src=x onerror=alert(1)>' }))
  const { body } = await site.call(homePage)
  expect(body).not.toContain('<script>alert')
  expect(body).not.toContain('<img src=x')
  expect(stateOf(body)).toMatchObject({ projects: [{ title }] })
})

test('compressed, it is the same page', async () => {
  const site = await openTestApp('sqlite')
  const plain = await site.call(homePage, { headers: { 'accept-encoding': 'identity' } })
  const compressed = await site.call(homePage, { headers: { 'accept-encoding': 'br' } })
  expect(brotliDecompressSync(compressed.rawPayload)).toEqual(plain.rawPayload)
})

describe('pages that name a model, a form about one and a part of the gallery together', () => {
  const openCounting = async () => {
    const rendered = { pages: 0 }
    const site = await openTestApp('sqlite', {
      onRender: () => {
        rendered.pages += 1
      },
    })
    const project = await site.ask(createProject, { as: await site.signedIn(), body: aProject({ category: 'ships' }) })
    return { site, project, rendered }
  }

  test('are rendered and not kept; those that name one of them are kept', async () => {
    const { site, project, rendered } = await openCounting()
    const { id } = project
    const timesRendered = async (query: Record<string, string>) => {
      const before = rendered.pages
      for (const _ of [1, 2]) expect((await site.call(homePage, { query })).statusCode).toBe(200)
      return rendered.pages - before
    }
    for (const query of [{}, { project: id }, { about: id }, { category: 'ships', shown: '48' }, { shown: '72', lang: 'es' }])
      expect([query, await timesRendered(query)]).toEqual([query, 1])
    const others = [
      { project: id, about: id },
      { project: id, shown: '48' },
      { about: id, category: 'ships', shown: '48' },
    ]
    for (const query of others) expect([query, await timesRendered(query)]).toEqual([query, 2])
  })

  test('are rendered for one address so many times at once, while what is kept and other addresses go on', async () => {
    const { site, project, rendered } = await openCounting()
    const ask = (query: Record<string, string>, from = '203.0.113.7') =>
      site.call(homePage, { query, from, headers: { accept: 'text/html' } })
    const costly = { project: project.id, category: 'ships' }
    expect((await ask({})).statusCode).toBe(200)
    for (let asked = 1; asked < renders.atOnce; asked += 1) expect((await ask(costly)).statusCode).toBe(200)
    // Together, because a refusal takes a second.
    const form = { 'content-type': 'application/x-www-form-urlencoded', accept: 'text/html' }
    const [refused, refusedForm] = await Promise.all([
      ask(costly),
      site.call(sendFromPage, { body: 'name=Ana', headers: form, from: '203.0.113.7' }),
    ])
    expect(refusedForm.statusCode).toBe(429)
    expect([refused.statusCode, refused.headers['content-type']]).toEqual([429, 'text/html; charset=utf-8'])
    expect(refused.headers['retry-after']).toBe('1')
    expect(rendered.pages).toBe(renders.atOnce)
    expect((await ask({})).statusCode).toBe(200)
    expect((await ask(costly, '203.0.113.8')).statusCode).toBe(200)
    site.clock.pass({ minutes: 1 })
    expect((await ask(costly)).statusCode).toBe(200)
  })
})
