import type { Page } from '@playwright/test'
import { expect, test } from './fixtures.ts'
import { makersOwn } from './maker.ts'
import { card, gallery, titleOf, visitors } from './visitor.ts'

/** The line is dead, and the browser knows it: calls fail at once, or wait for a signal if a library lets them. */
async function loseSignal(page: Page, expectFailure: (path: RegExp, status: number) => void) {
  expectFailure(/./, 0)
  await page.context().setOffline(true)
}

for (const { language, texts } of visitors) {
  const t = texts.contact.form

  test(`in ${language}, without a signal a message is not sent, stays in the form, and goes when there is one`, async ({
    page,
    startSite,
    expectFailure,
  }) => {
    const { url } = await startSite(makersOwn)
    await page.goto(`${url}/?lang=${language}`)
    const form = page.getByRole('form', { name: t.title })
    const submit = form.getByRole('button', { name: t.submit })
    const toaster = page.waitForResponse(/\/assets\/toaster-/)
    await form.getByLabel(t.name).fill('Inés')
    await toaster
    await form.getByLabel(t.email).fill('ines@example.com')
    await form.getByLabel(t.message).fill('Lo que escribí')
    await loseSignal(page, expectFailure)
    await submit.click()
    await expect(page.getByText(t.failedText).first()).toBeVisible()
    await expect(submit).toBeEnabled()
    await expect(form.getByLabel(t.name)).toHaveValue('Inés')
    await expect(form.getByLabel(t.message)).toHaveValue('Lo que escribí')

    await page.context().setOffline(false)
    await submit.click()
    await expect(page.getByText(t.sentText).first()).toBeVisible()
    await expect(form.getByLabel(t.message)).toHaveValue('')
  })

  test(`in ${language}, a message that is written without a signal is not lost in silence`, async ({ page, expectFailure }) => {
    await page.goto(`/?lang=${language}`)
    await loseSignal(page, expectFailure)
    const form = page.getByRole('form', { name: t.title })
    await form.getByRole('button', { name: t.submit }).click()
    await expect(page.getByRole('alert')).toContainText(t.missing)
    await form.getByLabel(t.name).fill('Inés')
    await form.getByLabel(t.email).fill('ines@example.com')
    await form.getByLabel(t.message).fill('Lo que escribí')
    await form.getByRole('button', { name: t.submit }).click()
    await expect(page.getByRole('alert')).toContainText(t.failedText)
    await expect(form.getByLabel(t.message)).toHaveValue('Lo que escribí')
  })

  test(`in ${language}, without a signal a filter says that it failed, and works when there is one`, async ({
    page,
    expectFailure,
  }) => {
    await page.goto(`/?lang=${language}`)
    const shown = gallery(page, texts)
    await loseSignal(page, expectFailure)
    await shown.getByRole('button', { name: texts.gallery.categories.ships, exact: true }).click()
    await expect(shown.getByRole('alert')).toContainText(texts.gallery.failed)
    await expect(shown.getByRole('article')).toHaveCount(0)

    await page.context().setOffline(false)
    await shown.getByRole('button', { name: texts.gallery.retry }).click()
    await expect(card(page, texts, titleOf('ships-1.jpg', language)).first()).toBeVisible()
    await expect(shown.getByRole('alert')).toHaveCount(0)
  })
}
