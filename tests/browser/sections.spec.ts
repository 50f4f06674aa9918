import { en } from '#content/en.ts'
import { maker } from '#content/maker.ts'
import { demoProjects } from '#demo/projects.ts'
import { expect, test } from './fixtures.ts'
import { titleOf, visitors } from './visitor.ts'

/** For who goes from one thing straight on to the next, and does not wait until the page has glided there. */
const atOnce = { reducedMotion: 'reduce' } as const

for (const { language, texts } of visitors) {
  test(`in ${language}, the sections stand in their order and say what the maker wants said`, async ({ page, axe }) => {
    await page.goto(`/?lang=${language}`)
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(texts.hero.title)
    await expect(page.getByRole('main').getByRole('heading', { level: 2 })).toHaveText([
      texts.featured.title,
      texts.services.title,
      texts.process.title,
      texts.pricing.title,
      texts.gallery.title,
      texts.about.title,
      texts.contact.title,
    ])
    const process = page.getByRole('region', { name: texts.process.title })
    await expect(process.getByRole('heading', { level: 3 })).toHaveText(texts.process.steps.map(({ name }) => name))

    const about = page.getByRole('region', { name: texts.about.title })
    await expect(about.getByRole('definition')).toHaveText(['40+', '980+', '350+', '16'])
    await expect(about.getByRole('listitem')).toHaveText(texts.about.specialties)
    await expect(about.getByRole('img')).toHaveCount(3)

    const contact = page.getByRole('region', { name: texts.contact.title })
    await expect(contact.getByRole('link', { name: maker.email })).toHaveAttribute('href', `mailto:${maker.email}`)
    for (const phone of maker.phones) await expect(contact.getByRole('link', { name: phone })).toBeVisible()
    await expect(contact.getByText(texts.contact.cityName)).toBeVisible()
    await axe(page)
  })

  test(`in ${language}, the page can be read without any script: texts, projects and photos`, async ({ browser, baseURL }) => {
    const context = await browser.newContext({ javaScriptEnabled: false, ...(baseURL && { baseURL }) })
    const page = await context.newPage()
    await page.goto(`/?lang=${language}`)
    await expect(page.getByRole('heading', { level: 1, name: texts.hero.title })).toBeVisible()
    await expect(page.getByText(texts.pricing.description)).toBeVisible()
    const cards = page.getByRole('region', { name: texts.gallery.title }).getByRole('article')
    await expect(cards).toHaveCount(demoProjects.length)
    for (const { photo } of demoProjects) await expect(cards.filter({ hasText: titleOf(photo, language) })).toHaveCount(1)
    const photo = cards.first().getByRole('img')
    await photo.scrollIntoViewIfNeeded()
    await expect.poll(() => photo.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(0)
    await context.close()
  })

  test(`in ${language}, the buttons of the hero and of the pricing lead to their sections`, async ({ page }) => {
    await page.emulateMedia(atOnce)
    await page.goto(`/?lang=${language}`)
    await page.getByRole('button', { name: texts.hero.toGallery }).click()
    await expect(page.locator('#gallery')).toBeInViewport()
    await page.getByRole('button', { name: texts.hero.toAbout }).click()
    await expect(page.locator('#about')).toBeInViewport()
    await page.getByRole('button', { name: texts.pricing.action }).click()
    await expect(page.locator('#contact')).toBeInViewport()
  })

  test(`in ${language}, the footer leads to the sections, clears the newsletter and hides the way in`, async ({ page }) => {
    const calls: string[] = []
    page.on('request', (request) => void calls.push(request.method()))
    await page.emulateMedia(atOnce)
    await page.goto(`/?lang=${language}`)
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
}

test('an address that leads nowhere says so, in both languages, with the way home', async ({ page, axe, expectFailure }) => {
  expectFailure(/\/no\/such\/page|\/admin\/$|\/ADMIN$/, 404)
  await page.goto('/')
  for (const { language, texts } of visitors) {
    await page.context().addCookies([{ name: 'language', value: language, url: page.url() }])
    const answer = await page.goto('/no/such/page')
    expect(answer?.status()).toBe(404)
    await expect(page.getByRole('heading', { level: 1, name: texts.notFound.title })).toBeVisible()
    await expect(page.getByText(texts.notFound.hint)).toBeVisible()
    await axe(page)
  }
  for (const almost of ['/admin/', '/ADMIN']) {
    expect((await page.goto(almost))?.status()).toBe(404)
    await expect(page.getByRole('heading', { level: 1, name: en.notFound.title })).toBeVisible()
  }
  await page.getByRole('link').click()
  await expect(page.locator('#home')).toBeVisible()
})

test('nothing on the page moves while it loads', async ({ page }) => {
  await page.addInitScript(() => {
    const shifts = { total: 0 }
    Object.assign(window, { shifts })
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries() as (PerformanceEntry & { value: number; hadRecentInput: boolean })[]) {
        if (!entry.hadRecentInput) shifts.total += entry.value
      }
    }).observe({ type: 'layout-shift', buffered: true })
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
})
