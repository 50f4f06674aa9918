import { categories, galleryPage } from '#contract/first-visit.ts'
import { listProjects } from '#contract/projects.ts'
import { demoProjects } from '#demo/projects.ts'
import { expect, test } from './fixtures.ts'
import { holdBack } from './hold-back.ts'
import { manyProjects } from './many.ts'
import { card, gallery, inEnglish, inSpanish, titleOf } from './visitor.ts'

/** The category a list was asked for, null for all; undefined of other addresses. */
function askedFor(address: string) {
  const { pathname, searchParams } = new URL(address)
  return pathname === listProjects.path ? searchParams.get('category') : undefined
}

for (const { language, texts } of inEnglish) {
  test(`in ${language}, each filter asks the server for its category, and says when nothing could be fetched, with another try`, async ({
    page,
    axe,
    expectFailure,
  }) => {
    expectFailure(/\/api\/projects(\/counts)?$/, 500)
    await page.goto(`/?lang=${language}`)
    const shown = gallery(page, texts)
    const ships = shown.getByRole('button', { name: texts.gallery.categories.ships, exact: true })
    await expect(shown.getByRole('article')).toHaveCount(demoProjects.length)

    await test.step('loading and failing', async () => {
      const release = await holdBack(page, '**/api/projects?category=ships*', { status: 500, body: '{"message":"no"}' })
      await ships.click()
      await expect(shown.getByText(texts.gallery.loading)).toBeVisible()
      await expect(shown.getByRole('article')).toHaveCount(demoProjects.length)
      release()
      await expect(shown.getByRole('alert')).toContainText(texts.gallery.failed)
      await axe(page, { within: shown })
      await page.unroute('**/api/projects?category=ships*')
      await shown.getByRole('button', { name: texts.gallery.retry }).click()
      await expect(shown).toBeFocused()
      await expect(shown.getByRole('article')).toHaveCount(2)
    })

    await test.step('each category', async () => {
      for (const category of categories) {
        const asked = page.waitForRequest((request) => askedFor(request.url()) === category)
        await shown.getByRole('button', { name: texts.gallery.categories[category], exact: true }).click()
        await asked
        const expected = demoProjects.filter((project) => project.category === category)
        await expect(shown.getByRole('article').getByRole('heading')).toHaveText(
          expected.map(({ photo }) => titleOf(photo, language)),
        )
      }
      await axe(page, { within: shown, atBothSizes: true })
      const askedForAll = page.waitForRequest((request) => askedFor(request.url()) === null)
      await shown.getByRole('button', { name: texts.gallery.categories.all, exact: true }).click()
      await askedForAll
      await expect(shown.getByRole('article')).toHaveCount(demoProjects.length)
      await expect(shown.getByRole('status')).toHaveText(texts.gallery.count(demoProjects.length))
    })

    await test.step('where nothing but the list of projects answers', async () => {
      await page.route('**/api/projects/counts', (route) => route.fulfill({ status: 500, body: '' }))
      await ships.click()
      await expect(shown.getByRole('status')).toHaveText(texts.gallery.count(2))
      await expect(shown.getByRole('article')).toHaveCount(2)
    })
  })
}

for (const { language, texts } of inSpanish) {
  test(`in ${language}, a gallery of sixty begins with twenty-four and shows the others on request, by keyboard too`, async ({
    page,
    siteWith,
    axe,
    expectFailure,
  }) => {
    const projects = manyProjects(60)
    const url = await siteWith({ projects })
    await page.goto(`${url}/?lang=${language}`)
    const shown = gallery(page, texts)
    // None is marked: Featured shows the first four, which come last here.
    const inGallery = [...projects.slice(4), ...projects.slice(0, 4)]
    const titles = inGallery.map(({ title, translations }) => translations?.[language]?.title ?? title)
    const headings = shown.getByRole('article').getByRole('heading')
    await expect(headings).toHaveText(titles.slice(0, galleryPage))
    await expect(shown.getByRole('status')).toHaveText(texts.gallery.count(60))
    await axe(page, { within: shown, atBothSizes: true })

    await shown.getByRole('button', { name: texts.gallery.more(36) }).focus()
    await page.keyboard.press('Enter')
    await expect(headings).toHaveText(titles.slice(0, 48))
    await expect(card(page, texts, titles[24] ?? '')).toBeFocused()
    await expect(shown.getByRole('status')).toHaveText(texts.gallery.count(60))
    await expect(page).toHaveURL(`${url}/?lang=${language}&shown=48`)
    await page.reload()
    await expect(headings).toHaveText(titles.slice(0, 48))

    expectFailure(/\/api\/projects$/, 500)
    expectFailure(/\/elsewhere$/, 404)
    const release = await holdBack(page, '**/api/projects?*after=*', { status: 500, body: '' })
    await shown.getByRole('button', { name: texts.gallery.more(12) }).click()
    await expect(shown.getByRole('button', { name: texts.gallery.loading })).toBeVisible()
    release()
    await expect(shown.getByRole('alert')).toHaveText(texts.gallery.failed)
    await page.unroute('**/api/projects?*after=*')
    await shown.getByRole('button', { name: texts.gallery.more(12) }).click()
    await expect(headings).toHaveText(titles)
    await expect(card(page, texts, titles[48] ?? '')).toBeFocused()
    await expect(shown.getByRole('button', { name: texts.gallery.more(12).slice(0, 12) })).toHaveCount(0)

    // As many are there after a look at another page.
    await page.goto(`${url}/elsewhere`)
    await page.goBack()
    await expect(headings).toHaveText(titles)

    // Chosen anew, a filter is asked for anew, from its beginning.
    await shown.getByRole('button', { name: texts.gallery.categories.aircraft, exact: true }).click()
    await expect(shown.getByRole('article')).toHaveCount(10)
    await expect(shown.getByRole('status')).toHaveText(texts.gallery.count(10))
    await shown.getByRole('button', { name: texts.gallery.categories.all, exact: true }).click()
    await expect(headings).toHaveText(titles.slice(0, galleryPage))

    // More of one filter that arrive late are no matter of another's address.
    const releaseLate = await holdBack(page, '**/api/projects?*after=*')
    await shown.getByRole('button', { name: texts.gallery.more(36) }).click()
    await shown.getByRole('button', { name: texts.gallery.categories.aircraft, exact: true }).click()
    await expect(shown.getByRole('article')).toHaveCount(10)
    const countedAnew = page.waitForRequest('**/api/projects/counts')
    releaseLate()
    await countedAnew
    await expect(page).toHaveURL(`${url}/?lang=${language}&category=aircraft`)
  })
}
