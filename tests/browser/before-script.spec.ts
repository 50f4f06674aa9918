import { contactForm as contactFormEn } from '#content/en/contact-form.ts'
import { openProject as openProjectEn } from '#content/en/open-project.ts'
import { site as en } from '#content/en/site.ts'
import { serverTexts } from '#content/server-texts.ts'
import { signIn } from '#contract/accounts.ts'
import { searchContacts } from '#contract/contacts.admin.ts'
import { galleryPage } from '#contract/first-visit.ts'
import { languageTitle, ownNameOf } from '#contract/languages.ts'
import { demoProjects } from '#demo/projects.ts'
import { aProject } from '../factories.ts'
import { aPhoto } from '../photos.ts'
import { expect, test } from './fixtures.ts'
import { holdBack } from './hold-back.ts'
import { makerAccount } from './maker.ts'
import { manyProjects } from './many.ts'
import { card, formOf, gallery, inSpanish, titleOf } from './visitor.ts'

const script = /\/assets\/[\w.-]+\.js$/

test.describe('without a script', () => {
  test.use({ javaScriptEnabled: false })

  for (const { language, texts } of inSpanish) {
    test(`in ${language}, the page can be read and walked through, in the other language too, and the panel says what it needs`, async ({
      context,
    }) => {
      const page = await context.newPage()
      await page.goto(`/?lang=${language}`)

      await test.step('texts, projects and photos', async () => {
        await expect(page.getByRole('heading', { level: 1, name: texts.hero.title })).toBeVisible()
        await expect(page.getByText(texts.pricing.description)).toBeVisible()
        const cards = gallery(page, texts).getByRole('article')
        await expect(cards).toHaveCount(demoProjects.length)
        for (const { photo } of demoProjects) await expect(cards.filter({ hasText: titleOf(photo, language) })).toHaveCount(1)
        const photo = cards.first().getByRole('img')
        await photo.scrollIntoViewIfNeeded()
        await expect.poll(() => photo.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(0)
      })

      await test.step('the menu, the buttons and the footer lead to their sections', async () => {
        const navigation = page.getByRole('navigation', { name: texts.navigation.label }).or(page.locator('#menu'))
        for (const [lead, section] of [
          [navigation.getByRole('button', { name: texts.navigation.about, exact: true }), 'about'],
          [page.getByRole('button', { name: texts.hero.toGallery }), 'gallery'],
          [page.getByRole('button', { name: texts.hero.toAbout }), 'about'],
          [page.getByRole('button', { name: texts.pricing.action }), 'contact'],
          [page.getByRole('contentinfo').getByRole('link', { name: texts.navigation.gallery }), 'gallery'],
        ] as const) {
          await lead.filter({ visible: true }).click()
          await expect(page).toHaveURL(new RegExp(`#${section}$`))
          await expect(page.locator(`#${section}`)).toBeInViewport()
          await expect(page.getByRole('heading', { level: 1, name: texts.hero.title })).toBeAttached()
        }
      })

      await page.getByRole('link', { name: ownNameOf('en'), exact: true }).click()
      await expect(page.locator('html')).toHaveAttribute('lang', 'en')
      await expect(page.getByRole('heading', { level: 1, name: en.hero.title })).toBeVisible()
      await page.goto(`/admin?lang=${language}`)
      await expect(page.locator('noscript p')).toHaveText(serverTexts[language].needsScript)
      await expect(page.locator('noscript p')).toBeVisible()
    })
  }

  for (const { language, texts, words, formWords } of inSpanish) {
    const title = titleOf('ships-1.jpg', language)
    const t = texts.contact.form

    test(`in ${language}, the form is sent as browsers send forms: about a model, with photos, its faults beside what was typed`, async ({
      context,
      siteWith,
      request,
    }) => {
      const url = await siteWith({
        projects: [aProject({ title: 'Harbour tug', translations: { es: { title: 'Remolcador' } } })],
      })
      const page = await context.newPage()
      await page.goto(`${url}/?lang=${language}&project=harbour-tug`)
      await page.getByRole('dialog').getByRole('link', { name: words.ask }).click()
      const form = formOf(page, texts, formWords)
      const about = form.whole.getByRole('checkbox', { name: formWords.about('Remolcador') })
      await expect(about).toBeChecked()
      await expect(form.name).toBeInViewport()
      await expect(form.projectType).toHaveValue('ship')

      await form.name.fill('Inés')
      await form.message.fill('Lo que <b>escribí</b>\ny "más"')
      await form.photos.setInputFiles({ name: 'uno.jpg', mimeType: 'image/jpeg', buffer: await aPhoto() })
      await form.name.press('Enter')
      await expect(page.getByText(t.missingField.email)).toBeInViewport()
      await expect(page.getByText(t.missing, { exact: true })).toBeVisible()
      await expect(page.getByText(formWords.photos.chooseAgain)).toBeVisible()
      await expect(page).toHaveURL(`${url}/?lang=${language}#contact`)
      await expect(form.name).toHaveValue('Inés')
      await expect(form.message).toHaveValue('Lo que <b>escribí</b>\ny "más"')
      await expect(form.projectType).toHaveValue('ship')
      await expect(about).toBeChecked()

      await form.email.fill('ines@example.com')
      const broken = { name: 'rota.jpg', mimeType: 'image/jpeg', buffer: Buffer.from('no photo') }
      await form.photos.setInputFiles([{ name: 'uno.jpg', mimeType: 'image/jpeg', buffer: await aPhoto() }, broken])
      await form.submit.click()
      await expect(page.getByText(t.sentTitle)).toBeInViewport()
      await expect(page.getByText(t.sentText)).toBeVisible()
      await expect(page.getByRole('heading', { name: formWords.sent.thanks('Inés') })).toBeVisible()
      await expect(page.getByText(formWords.photos.notSent(1))).toBeVisible()
      await expect(form.message).toHaveValue('')
      await expect(about).toHaveCount(0)

      await request.post(`${url}${signIn.path}`, { data: makerAccount })
      const { contacts } = await (await request.get(`${url}${searchContacts.path}`)).json()
      expect(contacts).toMatchObject([
        { name: 'Inés', message: 'Lo que <b>escribí</b>\ny "más"', language, about: { title: 'Remolcador' }, photos: [{}] },
      ])
    })

    test(`in ${language}, a category is chosen, a project opened, leafed through and closed`, async ({ context }) => {
      const page = await context.newPage()
      await page.goto(`/?lang=${language}`)
      const ships = gallery(page, texts).getByRole('button', { name: texts.gallery.categories.ships, exact: true })
      await ships.click()
      await expect(gallery(page, texts).getByRole('article')).toHaveCount(
        demoProjects.filter(({ category }) => category === 'ships').length,
      )
      await expect(ships).toHaveAttribute('aria-pressed', 'true')
      await expect(page.locator('#gallery')).toBeInViewport()

      await card(page, texts, title).click()
      const dialog = page.getByRole('dialog', { name: title })
      await expect(dialog).toBeVisible()
      const photos = dialog.getByRole('link', { name: words.enlarge('').trim() })
      await expect(photos).toHaveCount(3)
      for (const photo of await photos.all()) await expect(photo).toHaveAttribute('href', /^\/objects\/\w{64}\?w=1600&f=jpeg$/)
      await dialog.getByRole('link', { name: words.next }).click()
      await expect(page.getByRole('dialog', { name: titleOf('ships-2.jpg', language) })).toBeVisible()
      await page.getByRole('dialog').getByRole('button', { name: words.close }).click()
      await expect(page.getByRole('dialog')).toHaveCount(0)
      await expect(card(page, texts, titleOf('ships-2.jpg', language))).toBeInViewport()
      await expect(ships).toHaveAttribute('aria-pressed', 'true')
      await expect(page.getByRole('heading', { level: 1, name: texts.hero.title })).toBeAttached()

      await page.goBack()
      await page.mouse.click(4, 4)
      await expect(page.getByRole('dialog')).toHaveCount(0)

      await page.goto(`/?lang=${language}&project=never-was`)
      const notice = page.getByRole('complementary', { name: words.gone.title })
      await notice.getByRole('link', { name: words.gone.toGallery }).click()
      await expect(page).toHaveURL(`/?lang=${language}#gallery`)
      await expect(notice).toHaveCount(0)
    })
  }

  test('more models are shown on request, all of them where there are sixty', async ({ context, siteWith }) => {
    const url = await siteWith({ projects: manyProjects(60) })
    const page = await context.newPage()
    await page.goto(url)
    const shown = gallery(page, en).getByRole('article')
    await expect(shown).toHaveCount(galleryPage)
    await gallery(page, en)
      .getByRole('button', { name: en.gallery.more(36) })
      .click()
    await expect(shown).toHaveCount(48)
    await expect(shown.nth(24)).toBeInViewport()
    await gallery(page, en)
      .getByRole('button', { name: en.gallery.more(12) })
      .click()
    await expect(shown).toHaveCount(60)
  })
})

for (const { language, texts } of inSpanish) {
  const title = titleOf('ships-1.jpg', language)

  test(`in ${language}, a tap on what the script is still on its way for is answered when it is there`, async ({ context }) => {
    // Not the page of the other journeys, which waits until it is alive.
    const page = await context.newPage()
    for (const tap of [
      async () => {
        await page.getByRole('button', { name: new RegExp(`^\\w\\w ?${texts.language.label}`) }).click()
        return page.getByRole('menuitemradio', { name: languageTitle('en', language) })
      },
      async () => {
        await card(page, texts, title).click()
        return page.getByRole('dialog', { name: title })
      },
      async () => {
        await page.getByRole('button', { name: texts.contact.form.submit }).click()
        return page.getByText(texts.contact.form.missingField.name)
      },
    ]) {
      let arrive = () => {}
      const held = new Promise<void>((resolve) => {
        arrive = resolve
      })
      await page.route(script, async (route) => {
        await held
        await route.continue()
      })
      await page.goto(`/?lang=${language}`, { waitUntil: 'commit' })
      const outcome = await tap()
      arrive()
      await expect(outcome).toBeVisible()
      await page.unroute(script)
    }
  })
}

test('a model tapped while the page is loading is opened by the server at once, and leaves its card in view', async ({
  context,
}) => {
  const page = await context.newPage()
  const arrive = await holdBack(page, script)
  await page.goto('/', { waitUntil: 'commit' })
  const title = titleOf('figures-2.jpg', 'en')
  const opener = card(page, en, title)
  await opener.click()
  const dialog = page.getByRole('dialog', { name: title })
  await expect(dialog).toBeVisible()
  arrive()
  await expect(dialog).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()
  await expect(page).toHaveURL('/')
  await expect(opener).toBeInViewport()
})

test('a tap that has waited long enough goes its own way, and so does one when the script never comes', async ({ context }) => {
  const page = await context.newPage()
  await page.route(script, (route) => route.abort())
  await page.goto('/', { waitUntil: 'commit' })
  const title = titleOf('ships-1.jpg', 'en')
  await card(page, en, title).click()
  await expect(page.getByRole('dialog', { name: title })).toBeVisible()
  await page.getByRole('dialog').getByRole('button', { name: openProjectEn.close }).click()
  await expect(page.getByRole('dialog')).toHaveCount(0)
  const form = formOf(page, en, contactFormEn)
  await form.message.fill('A tug, please.')
  await form.submit.click()
  await expect(page.getByText(en.contact.form.missingField.name)).toBeVisible()
  await expect(form.message).toHaveValue('A tug, please.')
  // This time the page that comes back has its script.
  await page.unroute(script)
  await form.submit.click()
  await expect(form.name).toBeFocused()
})
