import { sections as sectionsEn } from '#content/en/sections.ts'
import { site as en } from '#content/en/site.ts'
import { admin as adminEs } from '#content/es/admin.ts'
import { offer as spanishOffer } from '#content/es/offer.ts'
import { sections as sectionsEs } from '#content/es/sections.ts'
import { site as es } from '#content/es/site.ts'
import { languageTitle } from '#contract/languages.ts'
import { expect, test } from './fixtures.ts'
import { holdBack } from './hold-back.ts'
import { inSpanish, openMenu, visitors } from './visitor.ts'

for (const { language, texts } of visitors) {
  test(`in ${language}, each item of the navigation brings its section into view and is marked there; on a small screen in a menu`, async ({
    page,
    axe,
    isMobile,
  }) => {
    // It glides there, and arrives.
    await page.emulateMedia({ reducedMotion: 'no-preference' })
    await page.goto(`/?lang=${language}`)
    const navigation = page.getByRole('navigation', { name: texts.navigation.label })
    const toggle = page.getByRole('button', { name: texts.navigation.openMenu })
    for (const id of ['gallery', 'about', 'contact', 'home'] as const) {
      await openMenu(page, texts)
      await navigation.getByRole('button', { name: texts.navigation[id], exact: true }).click()
      await expect(page.locator(`#${id}`)).toBeInViewport()
      await openMenu(page, texts)
      await expect(navigation.getByRole('button', { name: texts.navigation[id], exact: true })).toHaveAttribute(
        'aria-current',
        'true',
      )
    }
    await axe(page, { within: page.getByRole('banner') })
    if (!isMobile) return expect(toggle).toBeHidden()

    await test.step('the menu closes on a choice, on Escape and on a tap elsewhere', async () => {
      const item = page.getByRole('button', { name: texts.navigation.about, exact: true })
      await expect(item).toBeVisible()
      await item.click()
      await expect(item).toBeHidden()
      await expect(page.locator('#about')).toBeInViewport()
      await toggle.click()
      await expect(item).toBeVisible()
      await page.keyboard.press('Escape')
      await expect(item).toBeHidden()
      await expect(toggle).toBeFocused()
      await toggle.click()
      await expect(item).toBeVisible()
      await page.mouse.click(200, 700)
      await expect(item).toBeHidden()
    })
  })
}

for (const { language, texts } of inSpanish) {
  test(`in ${language}, an address with a language keeps it through every link, here, on a wrong address and to the way in`, async ({
    page,
    expectFailure,
  }) => {
    expectFailure(/\/nowhere$/, 404)
    const inLanguage = `lang=${language}`
    await page.goto(`/nowhere?${inLanguage}`)
    await expect(page.getByRole('heading', { level: 1, name: texts.notFound.title })).toBeVisible()
    await page.getByRole('link', { name: texts.notFound.home }).click()
    await expect(page).toHaveURL(`/?${inLanguage}`)
    await page.getByRole('banner').getByRole('link').first().click()
    await expect(page).toHaveURL(`/?${inLanguage}`)
    await expect(page.getByRole('heading', { level: 1, name: texts.hero.title })).toBeVisible()
    const owned = page.locator('a[href^="/"]').filter({ visible: true })
    for (const address of await owned.evaluateAll((links) => links.map((link) => link.getAttribute('href')))) {
      expect(address).toContain(inLanguage)
    }
    await page.getByTitle(texts.footer.admin).click()
    await expect(page).toHaveURL(`/admin/login?${inLanguage}`)
    const back = page.getByRole('link', { name: adminEs.common.viewSite })
    await expect(back.first()).toHaveAttribute('href', `/?${inLanguage}`)
    await page.goto(`/admin?${inLanguage}`)
    await expect(page).toHaveURL(`/admin/login?${inLanguage}`)
  })
}

test('the language picker opens and closes, and what is chosen stays chosen, already in the next answer of the server', async ({
  page,
  axe,
}) => {
  await page.goto('/')
  const picker = page.getByRole('button', { name: `${en.language.label}: ${languageTitle('en', 'en')}` })
  const spanish = page.getByRole('menuitemradio', { name: languageTitle('es', 'en') })

  await picker.click()
  await expect(spanish).toBeVisible()
  await axe(page, { within: page.getByRole('banner') })
  await picker.click()
  await expect(spanish).toBeHidden()
  await picker.click()
  await expect(spanish).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(spanish).toBeHidden()
  await picker.click()
  await expect(spanish).toBeVisible()
  await page.mouse.click(20, 700)
  await expect(spanish).toBeHidden()
  await picker.click()
  await page.keyboard.press('Tab')
  await expect(spanish).toBeFocused()
  await page.keyboard.press('Tab')
  await expect(spanish).toBeHidden()

  await picker.click()
  await page.keyboard.press('ArrowDown')
  await expect(spanish).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { level: 1, name: es.hero.title })).toBeVisible()
  await expect(spanish).toBeHidden()
  await expect(page).toHaveTitle(es.page.title)
  expect(await page.evaluate(() => localStorage.getItem('language'))).toBe('es')
  expect(await page.evaluate(() => document.documentElement.lang)).toBe('es')

  const next = await page.request.get('/')
  expect(await next.text()).toContain('<html lang="es">')
})

test('of two choices the later one holds, whichever words arrive first', async ({ page }) => {
  await page.goto('/')
  const picker = page.getByRole('button', { name: `${en.language.label}: ${languageTitle('en', 'en')}` })
  const asked = page.waitForRequest(/\/assets\/es-[\w-]+\.js$/)
  const release = await holdBack(page, /\/assets\/es-[\w-]+\.js$/)
  await picker.click()
  await page.getByRole('menuitemradio', { name: languageTitle('es', 'en') }).click()
  const words = (await asked).url()
  await picker.click()
  await page.getByRole('menuitemradio', { name: languageTitle('en', 'en') }).click()
  release()
  await page.evaluate((address) => import(address), words)
  await expect(page.getByRole('heading', { level: 1, name: en.hero.title })).toBeVisible()
  expect(await page.evaluate(() => document.documentElement.lang)).toBe('en')
})

test('in another language the page and all of its sections change at once, though some of them arrive late', async ({
  page,
}) => {
  await page.goto('/')
  const late = /\/assets\/static-parts-[\w-]+\.js$/
  const asked = page.waitForRequest(late)
  const release = await holdBack(page, late)
  await page.evaluate(() => {
    const look = () => [
      document.documentElement.lang,
      ...[...document.querySelectorAll('h1, h2, h3')].map((each) => each.textContent),
    ]
    const seen = [look()]
    Object.assign(window, { seen })
    // Called before the browser draws what was changed in one go.
    const note = () => seen.push(look())
    new MutationObserver(note).observe(document, {
      subtree: true,
      childList: true,
      characterData: true,
      attributeFilter: ['lang'],
    })
  })
  await page.getByRole('button', { name: `${en.language.label}: ${languageTitle('en', 'en')}` }).click()
  await page.getByRole('menuitemradio', { name: languageTitle('es', 'en') }).click()
  await asked
  release()
  await expect(page.getByRole('heading', { name: sectionsEs.about.title })).toBeVisible()
  await expect(page.locator('html')).toHaveAttribute('lang', 'es')
  const seen = await page.evaluate(() => (window as unknown as { seen: string[][] }).seen)
  const [english = [], spanish = []] = [seen[0], seen.at(-1)]
  expect([english[0], spanish[0], spanish]).toEqual([
    'en',
    'es',
    expect.arrayContaining([sectionsEs.about.title, sectionsEs.process.title]),
  ])
  expect(seen.filter((each) => ![english, spanish].some((whole) => whole.join() === each.join()))).toEqual([])
})

test('a language chosen without a connection does not cost the page, and is not ignored in silence', async ({
  page,
  expectFailure,
}) => {
  const words = /\/assets\/es-[\w-]+\.js$/
  // Photos below the first screen may still be on their way.
  expectFailure(/\/(assets|objects)\//, 0)
  await page.goto('/')
  await page.context().setOffline(true)
  for (const _again of [1, 2]) {
    const failed = page.waitForEvent('requestfailed', (request) => words.test(request.url()))
    await page.getByRole('button', { name: `${en.language.label}: ${languageTitle('en', 'en')}` }).click()
    await page.getByRole('menuitemradio', { name: languageTitle('es', 'en') }).click()
    await failed
    await expect(page.getByRole('alert')).toContainText(en.gallery.failedHint)
  }
  await expect(page.getByRole('heading', { level: 1, name: en.hero.title })).toBeVisible()
})

test('a language kept only in local storage is taken up and told to the server; a link in another one does not change it', async ({
  page,
}) => {
  await page.addInitScript(() => localStorage.setItem('language', 'es'))
  await page.goto('/')
  await expect(page.getByRole('heading', { level: 1, name: es.hero.title })).toBeVisible()
  expect(await (await page.request.get('/')).text()).toContain('<html lang="es">')
  await page.goto('/?lang=en')
  await expect(page.getByRole('heading', { level: 1, name: en.hero.title })).toBeVisible()
  expect(await page.evaluate(() => localStorage.getItem('language'))).toBe('es')
})

test('what is chosen in the picker is kept, and ends what the address asked for, also after a reload', async ({ page }) => {
  await page.goto('/?lang=es')
  await page.getByRole('button', { name: `${es.language.label}: ${languageTitle('es', 'es')}` }).click()
  await page.getByRole('menuitemradio', { name: languageTitle('en', 'es') }).click()
  await expect(page.getByRole('heading', { level: 2, name: sectionsEn.about.title })).toBeVisible()
  await expect(page).toHaveURL('/')
  await expect(page.getByTitle(en.footer.admin)).toHaveAttribute('href', '/admin/login')
  await page.reload()
  await expect(page.getByRole('heading', { level: 1, name: en.hero.title })).toBeVisible()
})

test.describe('a browser that speaks Spanish', () => {
  test.use({ locale: 'es-MX' })

  test('is offered Spanish on the English page in one line, which can be taken or put away for good, and nothing where the address asks for a language', async ({
    page,
    axe,
  }) => {
    const no = page.getByRole('button', { name: spanishOffer.decline })
    const yes = page.getByRole('button', { name: spanishOffer.action })
    await page.goto('/?lang=en')
    await expect(yes).toHaveCount(0)

    await page.goto('/')
    await expect(page.getByRole('heading', { level: 1, name: en.hero.title })).toBeVisible()
    await expect(yes).toBeVisible()
    await axe(page, { within: page.locator('[data-slot=offer]') })
    await no.click()
    await expect(yes).toHaveCount(0)
    expect(await page.evaluate(() => localStorage.getItem('language'))).toBe('en')
    await page.reload()
    await expect(page.getByRole('heading', { level: 1, name: en.hero.title })).toBeVisible()
    await expect(yes).toHaveCount(0)

    await page.evaluate(() => localStorage.clear())
    await page.context().clearCookies()
    await page.reload()
    await yes.click()
    await expect(page.getByRole('heading', { level: 1, name: es.hero.title })).toBeVisible()
    await expect(page.getByRole('heading', { level: 2, name: sectionsEs.process.title })).toBeVisible()
    await expect(yes).toHaveCount(0)
    expect(await page.evaluate(() => localStorage.getItem('language'))).toBe('es')
  })
})
