import { describe, expect, test } from 'vitest'
import { sections as sectionsEn } from '#content/en/sections.ts'
import { site as en } from '#content/en/site.ts'
import { defaultOf } from '#content/site-defaults.ts'
import { storedAddress } from '#contract/images.ts'
import { type Language, languages } from '#contract/languages.ts'
import { adminPage, homePage } from '#contract/pages.ts'
import { type FieldRule, type OwnFields, ruleOfField, type SiteField, siteFields } from '#contract/site-fields.ts'
import { storeImage } from '#server/features/images/image-store.ts'
import { aStoredProject, storeProject, storeVersion } from '#tests/factories.ts'
import { aPhoto } from '#tests/photos.ts'
import { openTestApp, type TestApp } from '#tests/test-app.ts'

/** The page as readers and search engines see it: without what the script begins with. */
async function read(site: TestApp, lang: Language, query: Record<string, string> = {}) {
  const { body } = await site.call(homePage, { query: { lang, ...query } })
  return body.replace(/<script type="application\/json" id="state">.*?<\/script>/s, '')
}

const storePhoto = async (site: TestApp, width: number, height = 1_000) =>
  storedAddress(await storeImage(site, () => aPhoto({ width, height })))

/** One that nothing else on the page has. */
const values: Record<FieldRule['kind'], (mark: string, index: number) => string> = {
  line: (mark) => mark,
  text: (mark) => mark,
  email: (mark) => `${mark}@example.com`,
  phone: (_, index) => `+52 442 7${String(index).padStart(6, '0')}`,
  link: (mark) => `https://example.com/${mark}`,
  date: () => '2031-03-05',
  country: () => 'QZ',
  point: (_, index) => `${index % 100} 7`,
  choice: () => '',
  photo: () => '',
}

/** What is seen of a value that is not seen as it is. */
const traces: Partial<Record<string, (value: string) => string>> = {
  'maker.phones.0': (value) => `tel:${value.replaceAll(' ', '')}`,
  'maker.phones.1': (value) => `tel:${value.replaceAll(' ', '')}`,
  'maker.whatsapp': (value) => `https://wa.me/${value.replaceAll(/\D/g, '')}`,
  'maker.commissions.from': () => ' 2031',
  'maker.accent': (value) => `data-accent="${value}"`,
  'contact.whatsapp.greeting': (value) => `?text=${value}`,
}

function traceOf(field: SiteField, value: string) {
  const { kind, words } = ruleOfField(field)
  if (kind === 'point')
    return value
      .split(' ')
      .map((part) => `${part}%`)
      .join(' ')
  return traces[words ? field.slice(3) : field]?.(value) ?? value
}

/** They say whether something else is shown, and have a test of their own. */
const isSwitch = (field: SiteField) => field.startsWith('maker.hidden.') || field === 'maker.commissions.state'

describe('what the maker has changed', () => {
  test('is seen on the page, every field of it, in its language and in no other', async () => {
    const site = await openTestApp('sqlite')
    const own: OwnFields = { 'maker.commissions.state': 'from', 'maker.accent': 'steel', 'maker.country': 'QZ' }
    const fields = siteFields.filter((field) => !isSwitch(field))
    for (const [index, field] of fields.entries()) {
      const { kind } = ruleOfField(field)
      own[field] ??= kind === 'photo' ? await storePhoto(site, 500 + index) : values[kind](`Q${index}Z`, index)
    }
    await storeVersion(site.db, own)
    const pages = { en: await read(site, 'en'), es: await read(site, 'es') }
    const faults = fields.flatMap((field) => {
      const trace = traceOf(field, own[field] ?? '')
      const seen = languages.filter((language) => trace && pages[language].includes(trace))
      const expected = ruleOfField(field).words ? [field.slice(0, 2)] : languages
      return seen.join() === expected.join() ? [] : [`${field}: ${trace} is seen in ${seen.join() || 'neither'}`]
    })
    expect(faults).toEqual([])
  })

  test('is left out where it is empty', async () => {
    const site = await openTestApp('sqlite')
    const empty = siteFields.filter((field) => ruleOfField(field).optional && defaultOf(field) !== '')
    expect(empty).toContain('maker.heroScale')
    await storeVersion(site.db, Object.fromEntries(empty.map((field) => [field, ''])))
    const page = await read(site, 'en')
    expect(page).toContain(`tel:${defaultOf('maker.phones.0').replaceAll(' ', '')}`)
    for (const left of [
      'https://wa.me/',
      `tel:${defaultOf('maker.phones.1').replaceAll(' ', '')}`,
      `${en.hero.scale} ${defaultOf('maker.heroScale')}`,
      defaultOf('maker.name'),
      sectionsEn.about.signature,
    ]) {
      expect(page).not.toContain(left)
    }
  })
})

describe('a hidden category', () => {
  const hidden: OwnFields = { 'maker.hidden.ships': 'yes', 'maker.hidden.figures': 'yes' }
  const offered = (page: string) =>
    (page.match(/<button [^>]*name="category"[^>]*>/g) ?? []).map((button) => /value="(\w+)"/.exec(button)?.[1])

  test('is not in the filter while it has no models, and its address still leads to it', async () => {
    const site = await openTestApp('sqlite')
    await storeVersion(site.db, hidden)
    await storeProject(site.db, aStoredProject({ category: 'ships' }))
    expect(offered(await read(site, 'en'))).toEqual(['locomotive', 'aircraft', 'ships', 'automotive', 'military'])
    const figures = await read(site, 'en', { category: 'figures' })
    expect(offered(figures)).toContain('figures')
    expect(figures).toContain(en.gallery.empty)
  })
})

test('a hidden newsletter leaves no trace on the page', async () => {
  const site = await openTestApp('sqlite')
  await storeVersion(site.db, { 'maker.hidden.newsletter': 'yes' })
  const hidden = await read(site, 'en')
  for (const text of [en.footer.newsletterTitle, en.footer.newsletterText, en.footer.newsletterAction]) {
    expect(hidden).not.toContain(text)
  }
})

describe('when commissions are taken', () => {
  const sentence = 'The bench is full.'
  const lines: [OwnFields, string][] = [
    [{}, ''],
    [{ 'en.pricing.commissions': sentence }, `Taking commissions now. ${sentence}`],
    [{ 'maker.commissions.state': 'closed' }, 'Not taking commissions at the moment.'],
    [{ 'maker.commissions.state': 'from', 'maker.commissions.from': '2031-03-05' }, 'Taking commissions from March 5, 2031.'],
    [{ 'maker.commissions.state': 'from', 'maker.commissions.from': '2020-03-05' }, ''],
  ]

  test('is said with the price and with the form', async () => {
    for (const [own, line] of lines) {
      const site = await openTestApp('sqlite')
      await storeVersion(site.db, own)
      const page = await read(site, 'en')
      expect(page.match(/[^>]*aking commissions[^<]*/g) ?? [], JSON.stringify(own)).toEqual(line ? [line, line] : [])
    }
  })
})

test('the accent is that of the whole site, the panel among it, and the one it came with has no name', async () => {
  const site = await openTestApp('sqlite')
  const maker = await site.signedIn()
  const beginnings = async () =>
    [await site.call(homePage), await site.call(adminPage, { as: maker })].map(({ body }) => /<html[^>]*>/.exec(body)?.[0])
  expect(await beginnings()).toEqual(['<html lang="en">', '<html lang="en">'])
  await storeVersion(site.db, { 'maker.accent': 'oxide' })
  await expect.poll(beginnings).toEqual(['<html lang="en" data-accent="oxide">', '<html lang="en" data-accent="oxide">'])
})

describe('an own first photo', () => {
  test('is preloaded as it is shown, in all widths it has, and is the picture of links and search results', async () => {
    const site = await openTestApp('sqlite', { config: { publicUrl: 'https://example.com' } })
    const [hero, heroTall] = [await storePhoto(site, 2_500), await storePhoto(site, 800, 1_200)]
    const [wide, narrow] = [
      [480, 960, 1600, 2400].map((width) => `${hero}?w=${width}&amp;f=avif ${width}w`).join(', '),
      [480, 750, 960].map((width) => `${heroTall}?w=${width}&amp;f=avif ${Math.min(width, 800)}w`).join(', '),
    ]
    await storeVersion(site.db, { 'photos.hero.image': hero, 'photos.hero.point': '80 40' })
    const alone = await read(site, 'en')
    // Upright screens show it too, around the same point.
    expect(alone.split(`imagesrcset="${wide}"`)).toHaveLength(3)
    expect(alone.split(`type="image/avif" srcSet="${wide}"`)).toHaveLength(3)
    expect(alone).toContain('--wide:80% 40%;--tall:80% 40%')
    expect(alone).toContain(`<meta property="og:image" content="https://example.com${hero}?w=1600&amp;f=jpeg">`)
    expect(alone).toContain(`"image":"https://example.com${hero}?w=1600&f=jpeg"`)

    await storeVersion(site.db, { 'photos.hero.image': hero, 'photos.heroTall.image': heroTall })
    await expect.poll(() => read(site, 'en')).toContain(`imagesrcset="${narrow}"`)
    expect((await read(site, 'en')).split(`imagesrcset="${wide}"`)).toHaveLength(2)
  })
})
