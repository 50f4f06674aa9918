import type { Page } from '@playwright/test'
import type { Texts } from '#content/en.ts'
import { en } from '#content/en.ts'
import { maker } from '#content/maker.ts'
import { signIn } from '#contract/admins.ts'
import { contactsPath } from '#contract/contacts.fields.ts'
import { expect, test } from './fixtures.ts'
import { holdBack } from './hold-back.ts'
import { makerAccount } from './maker.ts'
import { card, gallery, inSpanish, titleOf } from './visitor.ts'

function formOf(page: Page, { contact: { form } }: Texts) {
  const fields = page.getByRole('form', { name: form.title })
  return {
    name: fields.getByLabel(form.name),
    email: fields.getByLabel(form.email),
    projectType: fields.getByLabel(form.projectType),
    message: fields.getByLabel(form.message),
    submit: fields.getByRole('button'),
  }
}

for (const { language, texts } of inSpanish) {
  const t = texts.contact.form

  test(`in ${language}, a message stays in the form until it is complete and can be sent, and is then stored and confirmed`, async ({
    page,
    siteWith,
    axe,
    expectFailure,
    request,
  }) => {
    const url = await siteWith()
    const calls: string[] = []
    page.on('request', (each) => void (each.method() === 'POST' && calls.push(each.url())))
    await page.goto(`${url}/?lang=${language}`)
    const form = formOf(page, texts)

    await test.step('nothing is sent while a required field is empty, and the visitor is told which', async () => {
      const { height = 0 } = (await form.message.boundingBox()) ?? {}
      expect(height).toBeGreaterThanOrEqual(120)
      await form.name.fill('   ')
      await form.message.fill('Un tanque, por favor.')
      await form.submit.click()
      await expect(page.getByText(t.missing, { exact: true }).first()).toBeVisible()
      await expect(form.name).toHaveAttribute('aria-invalid', 'true')
      await expect(form.name).toBeFocused()
      await expect(page.getByText(t.missingField.email)).toBeVisible()
      await expect(form.message).toHaveValue('Un tanque, por favor.')
      await axe(page, { within: page.locator('#contact'), atBothSizes: true })
      await form.name.fill('Inés')
      await form.email.fill('not an address')
      await form.submit.click()
      await expect(page.getByText(t.invalidEmail)).toBeVisible()
      await expect(form.email).toHaveAttribute('aria-invalid', 'true')
      expect(calls).toEqual([])
    })

    await form.email.fill('ines@example.com')
    await form.projectType.selectOption('militaryVehicles')
    const expectKept = async () => {
      await expect(form.submit).toHaveText(t.submit)
      await expect(form.submit).toBeEnabled()
      await expect(form.name).toHaveValue('Inés')
      await expect(form.message).toHaveValue('Un tanque, por favor.')
    }

    await test.step('what the site could not take stays', async () => {
      expectFailure(/\/api\/contact$/, 500)
      const release = await holdBack(page, '**/api/contact', { status: 500, body: '{"message":"no"}' })
      await form.submit.click()
      await expect(form.submit).toHaveText(t.sending)
      await expect(form.submit).toBeDisabled()
      release()
      await expect(page.getByText(t.failedText).first()).toBeVisible()
      await expectKept()
      await page.unroute('**/api/contact')
    })

    await test.step('who writes in an hour of too many messages is told where to send theirs', async () => {
      expectFailure(/\/api\/contact$/, 429)
      const answer = { message: 'So many.', code: 'too_many_inquiries' }
      await page.route('**/api/contact', (route) => route.fulfill({ status: 429, json: answer }))
      await form.submit.click()
      const sentence = t.tooMany(maker.email)
      expect(sentence).toContain('taller@vitrina.example')
      await expect(page.getByText(sentence).first()).toBeVisible()
      await expectKept()
      await page.unroute('**/api/contact')
    })

    await test.step('who has no signal is told so', async () => {
      // The line is dead, and the browser knows it: calls fail at once, or wait for a signal if a library lets them.
      expectFailure(/./, 0)
      await page.context().setOffline(true)
      await form.submit.click()
      await expect(page.getByText(t.failedText).first()).toBeVisible()
      await expectKept()
      await page.context().setOffline(false)
    })

    await test.step('it is sent, stored, confirmed, and the fields are cleared', async () => {
      await form.submit.click()
      const toast = page
        .getByRole('region', { name: new RegExp(texts.notifications.label) })
        .getByRole('status')
        .or(page.getByRole('listitem').filter({ hasText: t.sentTitle }))
      await expect(toast.filter({ hasText: t.sentText }).first()).toBeVisible()
      await axe(page, { within: page.locator('#contact') })
      for (const field of [form.name, form.email, form.message, form.projectType]) await expect(field).toHaveValue('')
      await request.post(`${url}${signIn.path}`, { data: makerAccount })
      expect(await (await request.get(`${url}${contactsPath}`)).json()).toMatchObject([
        { name: 'Inés', email: 'ines@example.com', projectType: 'militaryVehicles', message: 'Un tanque, por favor.' },
      ])
    })
  })

  test(`in ${language}, what is written or filtered without a signal is not lost in silence, and works when there is one`, async ({
    page,
    expectFailure,
  }) => {
    await page.goto(`/?lang=${language}`)
    expectFailure(/./, 0)
    await page.context().setOffline(true)
    const form = formOf(page, texts)
    await form.submit.click()
    await expect(page.getByRole('alert')).toContainText(t.missing)
    await form.name.fill('Inés')
    await form.email.fill('ines@example.com')
    await form.message.fill('Lo que escribí')
    await form.submit.click()
    await expect(page.getByRole('alert')).toContainText(t.failedText)
    await expect(form.message).toHaveValue('Lo que escribí')

    const shown = gallery(page, texts)
    await shown.getByRole('button', { name: texts.gallery.categories.ships, exact: true }).click()
    await expect(shown.getByRole('alert')).toContainText(texts.gallery.failed)
    await expect(shown.getByRole('article')).toHaveCount(0)
    await page.context().setOffline(false)
    await shown.getByRole('button', { name: texts.gallery.retry }).click()
    await expect(card(page, texts, titleOf('ships-1.jpg', language)).first()).toBeVisible()
    await expect(shown.getByRole('alert')).toHaveCount(0)
  })
}

test('every project type can be chosen, what is wrong with a field is said for as long as it is wrong, and one notice is shown at a time', async ({
  page,
  expectFailure,
}) => {
  await page.goto('/')
  const form = formOf(page, en)
  const t = en.contact.form
  const toaster = page.waitForResponse(/\/assets\/toaster-/)
  await form.submit.click()
  await toaster
  const notices = page.getByRole('region', { name: /Notifications/ }).getByRole('listitem')
  await expect(notices).toHaveText([t.missing])

  await test.step('required fields are marked, and types are listed', async () => {
    await expect(page.getByRole('form').getByText('*')).toHaveCount(3)
    expect(
      await form.projectType
        .locator('option')
        .evaluateAll((options) => options.map((option) => [option.getAttribute('value'), option.textContent])),
    ).toEqual([
      ['', t.projectTypeNone],
      ['locomotive', 'Locomotive'],
      ['aircraft', 'Aircraft'],
      ['ship', 'Ships'],
      ['automotive', 'Automotive'],
      ['militaryVehicles', 'Military Vehicles'],
      ['custom', 'Custom Project'],
    ])
  })

  await test.step('faults go when they are mended', async () => {
    const faulty = page.locator('[aria-invalid="true"]')
    await expect(faulty).toHaveCount(3)
    await form.name.fill('Inés')
    await expect(faulty).toHaveCount(2)
    await form.message.fill('A tug, please.')
    await form.email.fill('ines')
    await expect(faulty).toHaveCount(1)
    await expect(page.getByText(t.invalidEmail)).toBeVisible()
    await form.submit.click()
    await expect(notices).toHaveText([t.checkFields])
    await form.email.pressSequentially('@example')
    await expect(page.getByText(t.invalidEmail)).toBeVisible()
    await form.email.pressSequentially('.com')
    await expect(page.getByText(t.invalidEmail)).toHaveCount(0)
    await expect(faulty).toHaveCount(0)
  })

  await test.step('F8 leads to the notice, and it can be closed', async () => {
    await page.keyboard.press('F8')
    await expect(page.getByRole('region', { name: /Notifications/ }).getByRole('list')).toBeFocused()
    const { width } = (await notices.boundingBox()) ?? { width: 0 }
    expect(width).toBeLessThanOrEqual(420)
    await notices.getByRole('button', { name: en.notifications.close }).click()
    await expect(notices).toHaveCount(0)
  })

  await test.step('who loses the connection while writing is told so, and the message stays', async () => {
    expectFailure(/\/api\/contact$/, 500)
    await page.route(/\/api\/contact$|\.js$/, (route) => route.abort('internetdisconnected'))
    await form.submit.click()
    await expect(page.getByText(t.failedText).first()).toBeVisible()
    await expect(form.message).toHaveValue('A tug, please.')
  })
})
