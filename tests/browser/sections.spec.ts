import type { Page } from '@playwright/test'
import { admin as adminEn } from '#content/en/admin.ts'
import { site as en } from '#content/en/site.ts'
import { maker } from '#content/maker.ts'
import { demoProjects } from '#demo/projects.ts'
import { expect, test } from './fixtures.ts'
import { gallery, titleOf, visitors } from './visitor.ts'

/** Where the cards of the gallery are, and how many lines their descriptions have. */
function placesOfCards(page: Page) {
  return page.locator('#gallery article').evaluateAll((articles) =>
    articles.map((article) => {
      const { top, bottom, left, right } = article.getBoundingClientRect()
      const description = article.querySelector('p:last-of-type')
      const lines = description ? description.clientHeight / Number.parseFloat(getComputedStyle(description).lineHeight) : 0
      return { top, bottom, left, right, lines: Math.round(lines) }
    }),
  )
}

for (const { language, texts, sections } of visitors) {
  test(`in ${language}, the sections stand in their order, say what the maker wants said, and lead to each other`, async ({
    page,
    axe,
  }) => {
    const calls: string[] = []
    page.on('request', (request) => void calls.push(request.method()))
    await page.goto(`/?lang=${language}`)

    await test.step('the keyboard can skip the navigation', async () => {
      await page.keyboard.press('Tab')
      await expect(page.getByRole('link', { name: texts.navigation.skip })).toBeFocused()
      await page.keyboard.press('Enter')
      await expect(page.getByRole('main')).toBeFocused()
    })

    await test.step('order and words', async () => {
      await expect(page.getByRole('heading', { level: 1 })).toHaveText(texts.hero.title)
      await expect(page.getByRole('main').getByRole('heading', { level: 2 })).toHaveText([
        texts.featured.title,
        sections.services.title,
        sections.process.title,
        texts.pricing.title,
        texts.gallery.title,
        sections.about.title,
        texts.contact.title,
      ])
      const process = page.getByRole('region', { name: sections.process.title })
      await expect(process.getByRole('heading', { level: 3 })).toHaveText(sections.process.steps.map(({ name }) => name))
      const about = page.getByRole('region', { name: sections.about.title })
      await expect(about.getByRole('definition')).toHaveText(['40+', '980+', '350+', '16'])
      await expect(about.getByRole('listitem')).toHaveText(sections.about.specialties)
      await expect(about.getByRole('img')).toHaveCount(3)
      const contact = page.getByRole('region', { name: texts.contact.title })
      await expect(contact.getByRole('link', { name: maker.email })).toHaveAttribute('href', `mailto:${maker.email}`)
      for (const phone of maker.phones) await expect(contact.getByRole('link', { name: phone })).toBeVisible()
      const { action, greeting } = texts.contact.whatsapp
      const whatsapp = new URL((await contact.getByRole('link', { name: action }).getAttribute('href')) ?? '')
      expect([whatsapp.host, whatsapp.pathname]).toEqual(['wa.me', `/${maker.whatsapp.replaceAll(/\D/g, '')}`])
      expect(whatsapp.searchParams.get('text')).toBe(greeting)
      await expect(contact.getByText(texts.contact.cityName)).toBeVisible()
      await axe(page)
    })

    await test.step('the featured projects are shown before the others', async () => {
      const featured = page.getByRole('region', { name: texts.featured.title })
      const expected = demoProjects.filter((project) => project.featured)
      for (const { photo } of expected) {
        const name = texts.featured.open(titleOf(photo, language))
        await expect(featured.getByRole('link', { name, exact: true })).toBeVisible()
      }
      await expect(featured.getByRole('article')).toHaveCount(expected.length)
    })

    await test.step('descriptions are cut after two lines, and cards stand in reading order without overlapping', async () => {
      const places = await placesOfCards(page)
      expect(places).toHaveLength(demoProjects.length)
      for (const [index, place] of places.entries()) {
        expect(place.lines).toBeLessThanOrEqual(2)
        // Later cards never begin above earlier ones, and no two share a place.
        for (const other of places.slice(0, index)) {
          expect(place.top).toBeGreaterThanOrEqual(other.top - 1)
          const apart = place.top >= other.bottom - 1 || place.left >= other.right || place.right <= other.left
          expect(apart).toBe(true)
        }
      }
    })

    await test.step('the buttons of the hero and of the pricing lead to their sections, right below the bar', async () => {
      for (const [name, id] of [
        [texts.hero.toGallery, 'gallery'],
        [texts.hero.toAbout, 'about'],
        [texts.pricing.action, 'contact'],
      ] as const) {
        await page.getByRole('button', { name }).click()
        // At once, for who prefers no motion.
        const [bar, section] = await page.evaluate(
          (selector) =>
            ['#root > header', selector].map((each) => document.querySelector(each)?.getBoundingClientRect().toJSON()),
          `#${id}`,
        )
        expect(Math.abs(section.top - bar.bottom), id).toBeLessThanOrEqual(1.5)
      }
      const firstField = page.getByRole('form', { name: texts.contact.form.title }).getByRole('textbox').first()
      await expect(firstField).toBeInViewport({ ratio: 1 })
      // A phone held sideways has no room for the head of the section above it.
      const size = page.viewportSize() ?? { width: 390, height: 844 }
      await page.setViewportSize({ width: 844, height: 390 })
      await page.getByRole('button', { name: texts.pricing.action }).click()
      await expect(firstField).toBeInViewport({ ratio: 1 })
      await page.setViewportSize(size)
    })

    await test.step('the footer leads to the sections, clears the newsletter and hides the way in', async () => {
      const footer = page.getByRole('contentinfo')
      const newsletter = footer.getByRole('textbox', { name: texts.footer.newsletterLabel })
      await newsletter.fill('ana@example.com')
      await footer.getByRole('button', { name: texts.footer.newsletterAction }).click()
      await expect(newsletter).toHaveValue('')
      expect(calls.filter((method) => method !== 'GET')).toEqual([])

      await expect(footer).toContainText('40')
      await expect(footer).toContainText('2024')
      for (const id of ['gallery', 'about', 'contact'] as const) {
        await footer.getByRole('link', { name: texts.navigation[id] }).click()
        await expect(page.locator(`#${id}`)).toBeInViewport()
      }
      await footer.getByText(texts.footer.commissionInfo).scrollIntoViewIfNeeded()
      const before = await page.evaluate(() => [scrollY, location.href])
      await footer.getByText(texts.footer.commissionInfo).click({ force: true })
      await footer.getByRole('link', { name: 'Instagram' }).click({ force: true })
      expect(await page.evaluate(() => [scrollY, location.href])).toEqual(before)
      await expect(footer.getByTitle(texts.footer.admin)).toHaveAttribute('href', `/admin/login?lang=${language}`)
    })
  })
}

test('an address that leads nowhere says so, in both languages, with the way home', async ({
  page,
  axe,
  expectFailure,
  baseURL,
}) => {
  expectFailure(/\/no\/such\/page|\/admin\/$|\/ADMIN$/, 404)
  for (const { language, texts } of visitors) {
    await page.context().addCookies([{ name: 'language', value: language, url: baseURL ?? '' }])
    const answer = await page.goto('/no/such/page')
    expect(answer?.status()).toBe(404)
    await expect(page.getByRole('heading', { level: 1, name: texts.notFound.title })).toBeVisible()
    await expect(page.getByText(texts.notFound.hint)).toBeVisible()
    await axe(page)
  }
  await page.context().clearCookies()
  for (const almost of ['/admin/', '/ADMIN']) {
    expect((await page.goto(almost))?.status()).toBe(404)
    await expect(page.getByRole('heading', { level: 1, name: en.notFound.title })).toBeVisible()
  }
  await page.getByRole('link').click()
  await expect(page.locator('#home')).toBeVisible()
})

for (const size of ['a phone', 'a desktop']) {
  test(`on ${size}, nothing on the page moves while it loads, though its faces come late, and nothing of the panel travels to a visitor`, async ({
    context,
  }) => {
    // Not the fixture's, which lays everything out at once.
    const page = await context.newPage()
    const scripts: Promise<string>[] = []
    page.on('response', (response) => void (response.url().endsWith('.js') && scripts.push(response.text())))
    await page.addInitScript(() => {
      const shifts = { total: 0 }
      Object.assign(window, { shifts })
      new PerformanceObserver((list) => {
        for (const entry of list.getEntries() as (PerformanceEntry & { value: number; hadRecentInput: boolean })[]) {
          if (!entry.hadRecentInput) shifts.total += entry.value
        }
      }).observe({ type: 'layout-shift', buffered: true })
    })
    await page.route('**/*.woff2', async (route) => {
      await page.waitForFunction(() => performance.getEntriesByName('first-contentful-paint').length > 0)
      await route.continue()
    })
    await page.goto('/')
    const last = page.getByRole('contentinfo')
    for (
      let step = 0;
      step < 60 && !(await last.evaluate((footer) => footer.getBoundingClientRect().bottom <= innerHeight + 1));
      step += 1
    ) {
      await page.mouse.wheel(0, 500)
      await page.evaluate(() => new Promise(requestAnimationFrame))
    }
    expect(await page.evaluate(() => (window as unknown as { shifts: { total: number } }).shifts.total)).toBe(0)

    const sent = (await Promise.all(scripts)).join('\n')
    expect(sent.length).toBeGreaterThan(10_000)
    const { dashboard, projects, messages, accounts } = adminEn
    for (const word of [dashboard.title, projects.title, messages.manageTitle, accounts.title, 'reValidateMode']) {
      expect(sent).not.toContain(word)
    }
  })
}

test('a site without projects says so, and so does a category that has none', async ({ page, siteWith, axe }) => {
  await page.goto(await siteWith())
  await expect(gallery(page, en).getByText(en.gallery.emptyAll)).toBeVisible()
  await gallery(page, en).getByRole('button', { name: en.gallery.categories.ships, exact: true }).click()
  await expect(gallery(page, en).getByText(en.gallery.empty)).toBeVisible()
  await expect(page.getByText(en.featured.empty)).toBeVisible()
  await axe(page)
  await page.getByRole('button', { name: en.featured.emptyAction }).click()
  await expect(page.locator('#contact')).toBeInViewport()
})
