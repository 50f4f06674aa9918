import type { Page } from '@playwright/test'
import type { Texts } from '#content/en.ts'
import { en } from '#content/en.ts'
import { maker } from '#content/maker.ts'
import { expect, test } from './fixtures.ts'
import { holdBack } from './hold-back.ts'
import { makerAccount, makersOwn } from './maker.ts'
import { visitors } from './visitor.ts'

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

for (const { language, texts } of visitors) {
  const t = texts.contact.form

  test(`in ${language}, a message is sent, stored, confirmed, and the fields are cleared`, async ({
    page,
    startSite,
    axe,
    request,
  }) => {
    const site = await startSite(makersOwn)
    await page.goto(`${site.url}/?lang=${language}`)
    const form = formOf(page, texts)
    await form.name.fill('Inés')
    await form.email.fill('ines@example.com')
    await form.projectType.selectOption('militaryVehicles')
    await form.message.fill('Un tanque, por favor.')
    await form.submit.click()
    const toast = page
      .getByRole('region', { name: new RegExp(texts.notifications.label) })
      .getByRole('status')
      .or(page.getByRole('listitem').filter({ hasText: t.sentTitle }))
    await expect(toast.filter({ hasText: t.sentText }).first()).toBeVisible()
    await axe(page)
    for (const field of [form.name, form.email, form.message, form.projectType]) await expect(field).toHaveValue('')

    await request.post(`${site.url}/api/admin/login`, { data: makerAccount })
    const stored = await (await request.get(`${site.url}/api/contacts`)).json()
    expect(stored).toMatchObject([
      { name: 'Inés', email: 'ines@example.com', projectType: 'militaryVehicles', message: 'Un tanque, por favor.' },
    ])
  })

  test(`in ${language}, nothing is sent while a required field is empty, and the visitor is told which`, async ({
    page,
    axe,
  }) => {
    const calls: string[] = []
    page.on('request', (request) => void (request.method() === 'POST' && calls.push(request.url())))
    await page.goto(`/?lang=${language}`)
    const form = formOf(page, texts)
    await form.name.fill('   ')
    await form.message.fill('Hola')
    await form.submit.click()
    await expect(page.getByText(t.missing, { exact: true }).first()).toBeVisible()
    await expect(form.name).toHaveAttribute('aria-invalid', 'true')
    await expect(form.name).toBeFocused()
    await expect(page.getByText(t.missingField.email)).toBeVisible()
    await expect(form.message).toHaveValue('Hola')
    await axe(page)

    await form.name.fill('Inés')
    await form.email.fill('not an address')
    await form.submit.click()
    await expect(page.getByText(t.invalidEmail)).toBeVisible()
    await expect(form.email).toHaveAttribute('aria-invalid', 'true')
    expect(calls).toEqual([])
  })

  test(`in ${language}, a message that could not be sent stays in the form, which says so`, async ({ page, expectFailure }) => {
    expectFailure(/\/api\/contact$/, 500)
    const release = await holdBack(page, '**/api/contact', { status: 500, body: '{"message":"no"}' })
    await page.goto(`/?lang=${language}`)
    const form = formOf(page, texts)
    await form.name.fill('Inés')
    await form.email.fill('ines@example.com')
    await form.message.fill('Lo que escribí')
    await form.submit.click()
    await expect(form.submit).toHaveText(t.sending)
    await expect(form.submit).toBeDisabled()
    release()
    await expect(page.getByText(t.failedText).first()).toBeVisible()
    await expect(form.submit).toHaveText(t.submit)
    await expect(form.name).toHaveValue('Inés')
    await expect(form.message).toHaveValue('Lo que escribí')
  })
}

for (const { language, texts } of visitors) {
  test(`in ${language}, who writes in an hour of too many messages is told where to send theirs, which stays`, async ({
    page,
    expectFailure,
  }) => {
    expectFailure(/\/api\/contact$/, 429)
    const answer = { message: 'So many.', code: 'too_many_inquiries' }
    await page.route('**/api/contact', (route) => route.fulfill({ status: 429, json: answer }))
    await page.goto(`/?lang=${language}`)
    const form = formOf(page, texts)
    await form.name.fill('Inés')
    await form.email.fill('ines@example.com')
    await form.message.fill('Lo que escribí')
    await form.submit.click()
    const sentence = texts.contact.form.tooMany(maker.email)
    expect(sentence).toContain('taller@vitrina.example')
    await expect(page.getByText(sentence).first()).toBeVisible()
    await expect(form.message).toHaveValue('Lo que escribí')
  })
}

test('the message field is at least 120 pixels high, required fields are marked, and every project type can be chosen', async ({
  page,
}) => {
  await page.goto('/')
  const form = formOf(page, en)
  const box = await form.message.boundingBox()
  expect(box?.height).toBeGreaterThanOrEqual(120)
  await expect(page.getByRole('form').getByText('*')).toHaveCount(3)
  expect(
    await form.projectType
      .locator('option')
      .evaluateAll((options) => options.map((option) => [option.getAttribute('value'), option.textContent])),
  ).toEqual([
    ['', en.contact.form.projectTypeNone],
    ['locomotive', 'Locomotive'],
    ['aircraft', 'Aircraft'],
    ['ship', 'Ships'],
    ['automotive', 'Automotive'],
    ['militaryVehicles', 'Military Vehicles'],
    ['custom', 'Custom Project'],
  ])
})

test('one notice is shown at a time, F8 leads to it, and it can be closed', async ({ page }) => {
  await page.goto('/')
  const form = formOf(page, en)
  await form.submit.click()
  const notices = page.getByRole('region', { name: /Notifications/ }).getByRole('listitem')
  await expect(notices).toHaveText([en.contact.form.missing])
  await form.name.fill('Inés')
  await form.email.fill('nowhere')
  await form.message.fill('Hello')
  await form.submit.click()
  await expect(notices).toHaveText([en.contact.form.checkFields])
  await page.keyboard.press('F8')
  await expect(page.getByRole('region', { name: /Notifications/ }).getByRole('list')).toBeFocused()
  const { width } = (await notices.boundingBox()) ?? { width: 0 }
  expect(width).toBeLessThanOrEqual(420)
  await notices.getByRole('button', { name: en.notifications.close }).click()
  await expect(notices).toHaveCount(0)
})

test('who loses the connection while writing is told so, and the message stays', async ({ page, expectFailure }) => {
  await page.goto('/')
  const form = formOf(page, en)
  const toaster = page.waitForResponse(/\/assets\/toaster-/)
  await form.name.fill('Inés')
  await toaster
  await form.email.fill('ines@example.com')
  await form.message.fill('Lo que escribí')
  expectFailure(/\/api\/contact$/, 500)
  await page.route(/\/api\/contact$|\.js$/, (route) => route.abort('internetdisconnected'))
  await form.submit.click()
  await expect(page.getByText(en.contact.form.failedText).first()).toBeVisible()
  await expect(form.message).toHaveValue('Lo que escribí')
})

test('sent where no script runs, a message stays in the form and out of the address', async ({ browser, baseURL }) => {
  const page = await (await browser.newContext({ javaScriptEnabled: false })).newPage()
  await page.goto(`${baseURL}/`)
  const form = formOf(page, en)
  await form.name.fill('Inés')
  await form.message.fill('Lo que escribí')
  await form.name.press('Enter')
  await form.email.fill('ines@example.com')
  await expect(form.message).toHaveValue('Lo que escribí')
  await expect(page).toHaveURL(`${baseURL}/`)
})

test('what is wrong with a field is said for as long as it is wrong', async ({ page }) => {
  await page.goto('/')
  const form = formOf(page, en)
  const t = en.contact.form
  await form.submit.click()
  const faulty = page.locator('[aria-invalid="true"]')
  await expect(faulty).toHaveCount(3)
  await form.name.fill('Inés')
  await expect(faulty).toHaveCount(2)
  await form.message.fill('A tug, please.')
  await form.email.fill('ines')
  await expect(faulty).toHaveCount(1)
  await expect(page.getByText(t.invalidEmail)).toBeVisible()
  await form.email.pressSequentially('@example')
  await expect(page.getByText(t.invalidEmail)).toBeVisible()
  await form.email.pressSequentially('.com')
  await expect(page.getByText(t.invalidEmail)).toHaveCount(0)
  await expect(faulty).toHaveCount(0)
})
