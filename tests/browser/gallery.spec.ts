import { en } from '#content/en.ts'
import { categories, galleryPage } from '#contract/gallery.ts'
import { listProjects } from '#contract/projects.ts'
import { demoProjects } from '#demo/projects.ts'
import { expect, test } from './fixtures.ts'
import { holdBack } from './hold-back.ts'
import { makersOwn, playOlderSite } from './maker.ts'
import { fill, manyProjects } from './many.ts'
import { card, gallery, titleOf, visitors } from './visitor.ts'

/** The category a list was asked for, null for all; undefined of other addresses. */
function askedFor(address: string) {
  const { pathname, searchParams } = new URL(address)
  return pathname === listProjects.path ? searchParams.get('category') : undefined
}

for (const { language, texts } of visitors) {
  test(`in ${language}, each filter asks the server for its category and shows what it has`, async ({ page, axe }) => {
    await page.goto(`/?lang=${language}`)
    const shown = gallery(page, texts)
    await expect(shown.getByRole('article')).toHaveCount(demoProjects.length)
    for (const category of categories) {
      const asked = page.waitForRequest((request) => askedFor(request.url()) === category)
      await shown.getByRole('button', { name: texts.gallery.categories[category], exact: true }).click()
      await asked
      const expected = demoProjects.filter((project) => project.category === category)
      await expect(shown.getByRole('article').getByRole('heading')).toHaveText(
        expected.map(({ photo }) => titleOf(photo, language)),
      )
    }
    await axe(page)
    const askedForAll = page.waitForRequest((request) => askedFor(request.url()) === null)
    await shown.getByRole('button', { name: texts.gallery.categories.all, exact: true }).click()
    await askedForAll
    await expect(shown.getByRole('article')).toHaveCount(demoProjects.length)
    await expect(shown.getByRole('status')).toHaveText(texts.gallery.count(demoProjects.length))
  })

  test(`in ${language}, the gallery says that it is loading, and that nothing could be fetched, with another try`, async ({
    page,
    axe,
    expectFailure,
  }) => {
    expectFailure(/\/api\/projects$/, 500)
    await page.goto(`/?lang=${language}`)
    const shown = gallery(page, texts)
    const release = await holdBack(page, '**/api/projects?category=ships*', { status: 500, body: '{"message":"no"}' })
    await shown.getByRole('button', { name: texts.gallery.categories.ships, exact: true }).click()
    await expect(shown.getByText(texts.gallery.loading)).toBeVisible()
    await expect(shown.getByRole('article')).toHaveCount(demoProjects.length)
    release()
    await expect(shown.getByRole('alert')).toContainText(texts.gallery.failed)
    await axe(page)

    await page.unroute('**/api/projects?category=ships*')
    await shown.getByRole('button', { name: texts.gallery.retry }).click()
    await expect(shown).toBeFocused()
    await expect(shown.getByRole('article')).toHaveCount(2)
  })
}

test('a site without projects says so, and so does a category that has none', async ({ page, startSite, axe }) => {
  const site = await startSite(makersOwn)
  await page.goto(site.url)
  await expect(gallery(page, en).getByText(en.gallery.emptyAll)).toBeVisible()
  await gallery(page, en).getByRole('button', { name: en.gallery.categories.ships, exact: true }).click()
  await expect(gallery(page, en).getByText(en.gallery.empty)).toBeVisible()
  await expect(page.getByText(en.featured.empty)).toBeVisible()
  await axe(page)
  await page.getByRole('button', { name: en.featured.emptyAction }).click()
  await expect(page.locator('#contact')).toBeInViewport()
})

test('descriptions are cut after two lines, and cards stand in reading order without overlapping', async ({ page }) => {
  await page.goto('/')
  const cards = gallery(page, en).getByRole('article')
  const places = await cards.evaluateAll((articles) =>
    articles.map((article) => {
      const { top, bottom, left, right } = article.getBoundingClientRect()
      const description = article.querySelector('p:last-of-type')
      const lines = description ? description.clientHeight / Number.parseFloat(getComputedStyle(description).lineHeight) : 0
      return { top, bottom, left, right, lines: Math.round(lines) }
    }),
  )
  expect(places).toHaveLength(demoProjects.length)
  for (const [index, place] of places.entries()) {
    expect(place.lines).toBeLessThanOrEqual(2)
    const earlier = places.slice(0, index)
    // Later cards never begin above earlier ones, and no two share a place.
    for (const other of earlier) {
      expect(place.top).toBeGreaterThanOrEqual(other.top - 1)
      const apart = place.top >= other.bottom - 1 || place.left >= other.right || place.right <= other.left
      expect(apart).toBe(true)
    }
  }
})

test('the featured projects are shown before the others, and the newest ones where none is featured', async ({ page }) => {
  await page.goto('/')
  const featured = page.getByRole('region', { name: en.featured.title })
  const expected = demoProjects.filter((project) => project.featured).map(({ title }) => en.featured.open(title))
  for (const name of expected) await expect(featured.getByRole('link', { name, exact: true })).toBeVisible()
  await expect(featured.getByRole('article')).toHaveCount(expected.length)
})

for (const { language, texts } of visitors) {
  test(`in ${language}, a gallery of sixty begins with twenty-four and shows the others on request, by keyboard too`, async ({
    page,
    startSite,
    request,
    axe,
    expectFailure,
  }) => {
    const { url } = await startSite(makersOwn)
    const projects = manyProjects(60)
    await fill(request, url, { projects })
    await playOlderSite(page)
    await page.goto(`${url}/?lang=${language}`)
    const shown = gallery(page, texts)
    const titles = projects.map(({ title, titleEs }) => (language === 'es' ? (titleEs ?? '') : title))
    const headings = shown.getByRole('article').getByRole('heading')
    await expect(headings).toHaveText(titles.slice(0, galleryPage))
    await expect(shown.getByRole('status')).toHaveText(texts.gallery.count(60))
    await axe(page)

    await shown.getByRole('button', { name: texts.gallery.more(36) }).focus()
    await page.keyboard.press('Enter')
    await expect(headings).toHaveText(titles.slice(0, 48))
    await expect(card(page, texts, titles[24] ?? '')).toBeFocused()
    await expect(shown.getByRole('status')).toHaveText(texts.gallery.count(60))

    expectFailure(/\/api\/projects$/, 500)
    const release = await holdBack(page, '**/api/projects?*after=*', { status: 500, body: '' })
    await shown.getByRole('button', { name: texts.gallery.more(12) }).click()
    await expect(shown.getByRole('button', { name: texts.gallery.loading })).toBeVisible()
    release()
    await expect(shown.getByRole('alert')).toHaveText(texts.gallery.failed)
    await axe(page)
    await page.unroute('**/api/projects?*after=*')
    await shown.getByRole('button', { name: texts.gallery.more(12) }).click()
    await expect(headings).toHaveText(titles)
    await expect(card(page, texts, titles[48] ?? '')).toBeFocused()
    await expect(shown.getByRole('button', { name: texts.gallery.more(12).slice(0, 12) })).toHaveCount(0)

    // Chosen anew, a filter is asked for anew, from its beginning.
    await shown.getByRole('button', { name: texts.gallery.categories.aircraft, exact: true }).click()
    await expect(shown.getByRole('article')).toHaveCount(10)
    await expect(shown.getByRole('status')).toHaveText(texts.gallery.count(10))
    await shown.getByRole('button', { name: texts.gallery.categories.all, exact: true }).click()
    await expect(headings).toHaveText(titles.slice(0, galleryPage))
  })
}

test('where nothing but the list of projects answers, the gallery works', async ({ page, expectFailure }) => {
  await page.goto('/')
  expectFailure(/\/api\/projects\/counts$/, 500)
  await page.route('**/api/projects/counts', (route) => route.fulfill({ status: 500, body: '' }))
  await gallery(page, en).getByRole('button', { name: en.gallery.categories.ships, exact: true }).click()
  await expect(gallery(page, en).getByRole('status')).toHaveText(en.gallery.count(2))
  await expect(gallery(page, en).getByRole('article')).toHaveCount(2)
})
