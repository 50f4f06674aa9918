import type { Page, Route } from '@playwright/test'
import { site as en } from '#content/en/site.ts'
import { upload as uploadEn } from '#content/en/upload.ts'
import { type YourSiteTexts, yourSite as yourSiteEn } from '#content/en/your-site.ts'
import { upload as uploadEs } from '#content/es/upload.ts'
import { yourSite as yourSiteEs } from '#content/es/your-site.ts'
import { maker } from '#content/maker.ts'
import { signOut } from '#contract/accounts.ts'
import { type Language, languages, languageTitle } from '#contract/languages.ts'
import { changeSiteDraft } from '#contract/site-content.ts'
import type { RuleName, SectionName } from '#contract/site-fields.ts'
import { aPhoto } from '../photos.ts'
import { expect, test } from './fixtures.ts'
import {
  arriveAtDashboard,
  inEnglish,
  inSpanish,
  keepNotice,
  makerAccount,
  notice,
  sendNoticeAway,
  signInByHand,
} from './maker.ts'

const uploadWords = { en: uploadEn, es: uploadEs }
const words: Record<Language, YourSiteTexts> = { en: yourSiteEn, es: yourSiteEs }

/** The editor, by what it says. */
function editorOf(page: Page, t: YourSiteTexts) {
  const dialog = page.getByRole('dialog', { name: t.title, exact: true })
  return {
    dialog,
    saved: dialog.getByText(t.saving.saved),
    preview: dialog.frameLocator(`iframe[title="${t.preview.frame}"]`),
    field: (name: RuleName, ...language: string[]) =>
      dialog.getByRole('textbox', { name: [t.labels[name], ...language].join(': '), exact: true }),
    section: (name: SectionName) => dialog.getByRole('button', { name: t.sections[name].text }),
    async open(name: SectionName) {
      // A phone shows the sections in the block's own view.
      await page.locator('[data-slot="block-nav"] a[href="#block-03"]').click()
      await page.getByRole('list', { name: t.sectionsLabel }).getByRole('button', { name: t.sections[name].text }).click()
    },
  }
}

const telephone = '+52 442 555 0199'
const callLink = (number: string) => `a[href="tel:${number.replaceAll(' ', '')}"]`

for (const { language, t: admin } of inSpanish) {
  test(`in ${language}, the maker changes the phone number and the photo, publishes and undoes it, and an ended session loses nothing`, async ({
    page,
    browser,
    axe,
    panel,
    expectFailure,
  }) => {
    const t = words[language]
    const url = await panel({ language })
    const editor = editorOf(page, t)
    const visitor = await browser.newContext()
    const shown = async () => (await visitor.request.get(`${url}/?lang=${language}`)).text()

    const sendPhoto = async () => {
      const { one, title } = uploadWords[language]
      const upload = page.getByRole('dialog', { name: title })
      const buffer = await aPhoto({ width: 800, height: 500, colour: '#3f6b62' })
      await upload.locator('input[type="file"]').first().setInputFiles({ name: 'bench.jpg', mimeType: 'image/jpeg', buffer })
      await upload.getByRole('button', { name: one.send }).click()
    }

    await test.step('a phone number is saved as it is typed, seen on the real page, and what is wrong is said', async () => {
      await expect(page.getByText(t.original)).toBeVisible()
      await editor.open('brand')
      await editor.field('maker.email').fill('nobody')
      await expect(editor.dialog.getByText(t.faults.email({ over: 0, most: 0 }))).toBeVisible()
      await expect(editor.dialog.getByText(t.saving.faulty(1))).toBeVisible()
      await editor.field('maker.phones.0').fill(telephone)
      await expect(editor.dialog.getByRole('button', { name: t.publish.action(1) })).toBeVisible()
      await axe(page, { atBothSizes: true })
      await editor.dialog.getByRole('button', { name: t.saving.show }).click()
      await expect(editor.field('maker.email')).toBeFocused()
      // Names, numbers and addresses of nobody are not offered again.
      await expect(editor.dialog.getByText(t.backToDefault)).toHaveCount(0)
      await editor.field('maker.email').fill(maker.email)
      await expect(editor.saved).toBeVisible()
      const preview = editor.dialog.getByRole('radio', { name: t.tabs.preview })
      if (await preview.isVisible()) await preview.click()
      await expect(editor.preview.locator(callLink(telephone)).first()).toBeAttached()
      expect(await shown()).not.toContain(telephone)
    })

    await test.step('published by one click, and undone by another', async () => {
      await editor.dialog.getByRole('button', { name: t.publish.action(1) }).click()
      await keepNotice(page)
      await expect(notice(page)).toContainText(t.publish.done)
      await expect.poll(shown).toContain(telephone)
      await notice(page).getByRole('button', { name: admin.common.undo }).click()
      await expect(notice(page)).toContainText(t.publish.undone(0))
      await expect.poll(shown).not.toContain(telephone)
      expect(await shown()).toContain(maker.phones[0])
      await sendNoticeAway(page)
    })

    await test.step('another photo opens the page, with the point that must stay visible', async () => {
      const edit = editor.dialog.getByRole('radio', { name: t.tabs.edit })
      if (await edit.isVisible()) await edit.click()
      await editor.section('hero').click()
      const photo = editor.dialog.getByRole('group', { name: t.labels['photos.hero.image'] })
      await photo.getByRole('button', { name: t.photo.replace }).click()
      await sendPhoto()
      await expect(photo.getByRole('button', { name: t.photo.back })).toBeVisible()
      await sendNoticeAway(page)
      // Nothing that came with the site describes the maker's photo.
      await expect(editor.field('hero.photo', languageTitle(language, language))).toHaveValue('')
      await expect(editor.field('maker.heroScale')).toHaveValue('')
      const whole = photo.locator('img').first()
      await whole.scrollIntoViewIfNeeded()
      const box = await whole.boundingBox()
      await whole.click({ position: { x: (box?.width ?? 0) * 0.25, y: (box?.height ?? 0) * 0.75 } })
      const fromLeft = photo.getByRole('slider', { name: t.photo.fromLeft })
      await expect(fromLeft).toHaveValue('25')
      await fromLeft.press('ArrowRight')
      await fromLeft.press('Shift+ArrowDown')
      await expect(photo.getByRole('slider', { name: t.photo.fromTop })).toHaveValue('85')
      await expect(editor.dialog.getByRole('button', { name: t.publish.action(2) })).toBeVisible()
      await axe(page)
      await editor.dialog.getByRole('button', { name: t.publish.action(2) }).click()
      await expect(notice(page)).toContainText(t.publish.done)
      await expect.poll(shown).toMatch(/--wide:26% 85%[\s\S]*\/objects\/[0-9a-f]{64}/)
      await sendNoticeAway(page)
    })

    await test.step('a portrait, which the site came without, is chosen, described and removed', async () => {
      await editor.section('about').click()
      const portrait = editor.dialog.getByRole('group', { name: t.labels['photos.portrait.image'] })
      const description = editor.field('about.portrait', languageTitle(language, language))
      await expect(description).toHaveCount(0)
      await portrait.getByRole('button', { name: t.photo.choose }).click()
      await sendPhoto()
      await description.fill('Ana')
      await expect(editor.dialog.getByRole('button', { name: t.publish.action(3) })).toBeVisible()
      await sendNoticeAway(page)
      await description.fill('')
      await portrait.getByRole('button', { name: t.photo.remove }).click()
      await expect(editor.dialog.getByRole('button', { name: t.publish.action(0), exact: true })).toBeDisabled()
      await expect(editor.dialog.getByText(t.saving.pending)).toHaveCount(0)
      await editor.section('hero').click()
    })

    await test.step('what was typed when the session ended is there after signing in again', async () => {
      // Not before it is typed: an event of the publishing may still come, and would lead to the sign-in page.
      const endSession = async (route: Route) => {
        await page.request.post(`${url}${signOut.path}`)
        await route.continue()
      }
      await page.route(`**${changeSiteDraft.path}`, endSession, { times: 1 })
      expectFailure(/\/api\/admin\//, 401)
      const title = editor.field('hero.title', languageTitle(language, language))
      await title.fill('Every rivet')
      await expect(page.getByText(admin.signIn.endedTyped)).toBeVisible()
      await signInByHand(page, admin, makerAccount)
      await arriveAtDashboard(page, admin)
      await expect(page.getByText(t.unpublished(1)).first()).toBeVisible()
      await editor.open('hero')
      await expect(title).toHaveValue('Every rivet')
      await expect(editor.saved).toBeVisible()
    })

    await test.step('before a text is published, it is said in which language it is still the original', async () => {
      await editor.dialog.getByRole('button', { name: t.publish.action(1) }).click()
      const asking = page.getByRole('alertdialog', { name: t.publish.half.title })
      await axe(page)
      const others = languages.filter((each) => each !== language).map((each) => languageTitle(each, language))
      await asking
        .getByRole('listitem')
        .getByRole('button', { name: others[0] ?? '' })
        .click()
      await expect(editor.field('hero.title', others[0] ?? '')).toBeInViewport()
      await expect(editor.dialog.getByText(t.originalIn(others))).toBeVisible()
    })
    await visitor.close()
  })
}

for (const { language, t: admin } of inEnglish) {
  test('two tabs overwrite nothing of each other, and versions are looked at and brought back', async ({
    page,
    context,
    watch,
    axe,
    panel,
    expectFailure,
  }) => {
    const t = words[language]
    const url = await panel()
    const other = await context.newPage()
    await watch(other)
    // Without room for a preview beside the fields.
    await other.setViewportSize({ width: 390, height: 844 })
    await other.goto(`${url}/admin`)
    const [mine, theirs] = [editorOf(page, t), editorOf(other, t)]
    expectFailure(/\/api\/admin\/site\/draft$/, 409)

    await test.step('what does not overlap is joined, and of what does one is chosen', async () => {
      await mine.open('brand')
      await theirs.open('brand')
      await theirs.field('maker.brand').fill('Taller Luna')
      await expect(theirs.saved).toBeVisible()
      await mine.field('maker.brand').fill('Taller Sol')
      await mine.field('maker.phones.0').fill(telephone)
      const choosing = async (tab: Page, editor: typeof mine) => {
        await editor.dialog
          .getByRole('alert')
          .filter({ hasText: t.conflict.title(1) })
          .getByRole('button')
          .click()
        return tab.getByRole('dialog', { name: admin.projectForm.conflict.title })
      }
      const choice = await choosing(page, mine)
      await expect(choice).toContainText('Taller Luna')
      await expect(choice.getByRole('radio', { name: admin.projectForm.conflict.sides.yours })).toBeChecked()
      await axe(page)
      await choice.getByRole('button', { name: admin.projectForm.conflict.save }).click()
      await expect(mine.saved).toBeVisible()
      await theirs.field('maker.brand').fill('Taller Mar')
      const choiceOfTheirs = await choosing(other, theirs)
      await choiceOfTheirs.getByRole('radio', { name: t.conflict.theirs(makerAccount.username) }).check()
      await choiceOfTheirs.getByRole('button', { name: admin.projectForm.conflict.save }).click()
      await expect(theirs.field('maker.brand')).toHaveValue('Taller Sol')
      await expect(theirs.field('maker.phones.0')).toHaveValue(telephone)
    })

    await test.step('the preview stays at the page, has a language of its own, and can fail without taking the panel along', async () => {
      const brand = mine.preview.locator('header').getByRole('link', { name: /Taller Sol/ })
      await brand.click()
      await mine.preview.locator(`footer a[href^="/admin"]`).click()
      await mine.preview.getByRole('button', { name: en.language.label }).click()
      await mine.preview.getByRole('menuitemradio', { name: languageTitle('es', 'en') }).click()
      await expect(mine.preview.locator('html')).toHaveAttribute('lang', 'es')
      const spanish = mine.dialog
        .getByRole('group', { name: admin.languageSwitch.label })
        .getByRole('radio', { name: languageTitle('es', language) })
      await expect(spanish).toBeChecked()
      await page.route(/preview=draft/, (route) => route.fulfill({ status: 503, body: 'away' }))
      expectFailure(/^\/$/, 503)
      await mine.field('maker.phones.0').fill('+52 442 555 0198')
      await expect(mine.dialog.getByText(t.preview.failed)).toBeVisible()
      await page.unroute(/preview=draft/)
      await mine.field('maker.phones.0').fill(telephone)
      await expect(mine.preview.locator(callLink(telephone)).first()).toBeAttached()
      await expect(mine.preview.locator('html')).toHaveAttribute('lang', 'es')
      await page.reload()
      await expect(page.locator('html')).toHaveAttribute('lang', 'en')
      await mine.open('brand')
    })

    await test.step('published, looked at and brought back', async () => {
      await mine.dialog.getByRole('button', { name: t.publish.action(2) }).click()
      await expect(notice(page)).toContainText(t.publish.done)
      await sendNoticeAway(page)
      await page.keyboard.press('Escape')
      await page.getByRole('button', { name: t.versions.open }).click()
      const versions = page.getByRole('dialog', { name: t.versions.title })
      await versions.getByRole('button', { name: `${t.versions.view}: ${t.version(1)}` }).click()
      const look = page.getByRole('dialog', { name: t.version(1), exact: true })
      await expect(look.frameLocator('iframe').locator(callLink(telephone)).first()).toBeAttached()
      await page.keyboard.press('Escape')
      await versions.getByRole('button', { name: `${t.versions.restore}: ${t.versions.original}` }).click()
      await expect(versions.getByRole('listitem').first()).toContainText(t.versions.current)
      await expect(notice(page)).toContainText(t.publish.undone(0))
      await axe(page)
      await page.keyboard.press('Escape')
    })

    await test.step('a draft is discarded after a question', async () => {
      await mine.open('search')
      await mine.field('maker.city').fill('Puebla')
      await expect(mine.saved).toBeVisible()
      await mine.dialog.getByRole('button', { name: t.discard.action }).click()
      const asking = page.getByRole('alertdialog', { name: t.discard.title })
      await asking.getByRole('button', { name: t.discard.action }).click()
      await expect(mine.field('maker.city')).toHaveValue(maker.city)
    })
  })
}
