import { beforeAll, describe, expect, test } from 'vitest'
import { site as en } from '#content/en/site.ts'
import { site as es } from '#content/es/site.ts'
import { aShownProject } from '#tests/factories.ts'
import { headOf } from './head.ts'
import { siteTexts } from './language/site-texts.ts'

beforeAll(() => Promise.all([siteTexts.load('en'), siteTexts.load('es')]))

const base = 'https://example.com'
const project = {
  ...aShownProject({
    title: 'Frigate "Aurora" <3',
    translations: { es: { title: 'Fragata «Aurora»' } },
    description: 'Masts & sails. '.repeat(40),
    imageUrl: `/objects/${'a'.repeat(64)}`,
    materials: 'Lime',
    photos: [
      { imageUrl: `/objects/${'b'.repeat(64)}`, caption: 'Her bow', translations: { es: { caption: 'La proa' } } },
      { imageUrl: 'https://elsewhere.example/stern.jpg' },
    ],
  }),
  slug: 'frigate-aurora-3',
}
const openProject = { project, position: 30, count: 60, previous: project.slug, next: project.slug }

describe('the head of the public page', () => {
  test('names the page in its language, with its address in every language', () => {
    const head = headOf({ path: '/', language: 'es', base, projects: [] })
    expect(head).toContain(`<title>${es.page.title}</title>`)
    expect(head).toContain('<link rel="canonical" href="https://example.com/?lang=es">')
    expect(head).toContain('hreflang="en" href="https://example.com/?lang=en"')
    expect(head).toContain('hreflang="es" href="https://example.com/?lang=es"')
    expect(head).toContain('hreflang="x-default" href="https://example.com/"')
    expect(head).toMatch(/<meta property="og:image" content="https:\/\/example\.com\/[^"]+\.jpeg">/)
  })

  test('of an open project tells that project, escaped, shortened and with its own picture', () => {
    const head = headOf({ path: '/', language: 'en', base, projects: [], openProject })
    expect(head).toContain('<title>Frigate &quot;Aurora&quot; &lt;3 · Vitrina</title>')
    expect(head).toContain(`content="https://example.com/objects/${'a'.repeat(64)}?w=1600&amp;f=jpeg"`)
    const description = /name="description" content="([^"]+)"/.exec(head)?.[1] ?? ''
    expect(description).toMatch(/^Masts &amp; sails\..+…$/)
    expect(description.replaceAll('&amp;', '&').length).toBeLessThanOrEqual(200)
    expect(head).toContain(`<link rel="canonical" href="https://example.com/?project=frigate-aurora-3">`)
  })

  test('of an open project shows all its photos, the cover first, each with its words', () => {
    const head = headOf({ path: '/', language: 'es', base, projects: [], openProject })
    const tags = [...head.matchAll(/property="og:image(:alt)?" content="([^"]+)"/g)].map(([, , content]) => content)
    const [cover, bow] = ['a', 'b'].map((letter) => `https://example.com/objects/${letter.repeat(64)}?w=1600&amp;f=jpeg`)
    const stern = 'https://elsewhere.example/stern.jpg'
    expect(tags).toEqual([cover, 'Fragata «Aurora»', bow, 'La proa', stern, 'Fragata «Aurora»'])
    expect(head).toContain(`"image":${JSON.stringify([cover, bow, stern]).replaceAll('&amp;', '&')}`)
    expect(head).toContain('"url":"https://example.com/?project=frigate-aurora-3&lang=es"')
  })

  test('without an open project tells the page', () => {
    const head = headOf({ path: '/', language: 'en', base, projects: [project] })
    expect(head).toContain(`<title>${en.page.title}</title>`)
  })

  test('describes each work on the page once, wherever it is shown', () => {
    const other = { ...project, id: 'ba5eba11-0000-4000-8000-000000000000', title: 'Beyond the first page' }
    const shown = { projects: [project], featured: [project], openProject: { ...openProject, project: other } }
    const head = headOf({ path: '/', language: 'en', base, ...shown })
    expect(head.match(/"VisualArtwork"/g)).toHaveLength(2)
    expect(head).toContain('"name":"Beyond the first page"')
  })

  test('describes the business and its works for search engines, in data that cannot end its script', () => {
    const es = { title: '</script><script>', description: null, materials: null, techniques: null }
    const hostile = { ...project, translations: { es } }
    const head = headOf({ path: '/', language: 'es', base, projects: [hostile] })
    const json = /<script type="application\/ld\+json">(.*?)<\/script>/.exec(head)?.[1] ?? ''
    const graph = JSON.parse(json)['@graph'] as Record<string, unknown>[]
    expect(graph.map((node) => node['@type'])).toEqual(['LocalBusiness', 'VisualArtwork'])
    expect(graph[1]).toMatchObject({ name: '</script><script>', artMedium: 'Lime', image: expect.any(Array) })
  })
})

test('pages that are not public are kept out of search engines', () => {
  expect(headOf({ path: '/404', language: 'en', base })).toContain('<meta name="robots" content="noindex">')
  expect(headOf({ path: '/404', language: 'en', base })).toContain('<title>404 Page Not Found</title>')
  expect(headOf({ path: '/admin/login', language: 'en', base })).toContain('noindex')
})
