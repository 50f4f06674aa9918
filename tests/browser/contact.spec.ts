import { contactForm as contactFormEn } from '#content/en/contact-form.ts'
import { site as en } from '#content/en/site.ts'
import { maker } from '#content/maker.ts'
import { signIn } from '#contract/accounts.ts'
import { searchContacts } from '#contract/contacts.admin.ts'
import { aProject } from '../factories.ts'
import { aPhoto } from '../photos.ts'
import { expect, test } from './fixtures.ts'
import { holdBack } from './hold-back.ts'
import { keepNotice, makerAccount } from './maker.ts'
import { card, formOf, gallery, inSpanish, titleOf } from './visitor.ts'

const aFile = async (name: string) => ({ name, mimeType: 'image/jpeg', buffer: await aPhoto() })

for (const { language, texts, words, formWords } of inSpanish) {
  const t = texts.contact.form

  test(`in ${language}, a model is asked about with photos, and the message stays in the form until it is complete and can be sent, and is then stored once and confirmed`, async ({
    page,
    siteWith,
    axe,
    expectFailure,
    request,
  }) => {
    const tug = aProject({
      title: 'Harbour tug',
      translations: { es: { title: 'Remolcador' } },
      category: 'military',
      imageUrl: 'https://older-site.example/tug.jpg',
    })
    const url = await siteWith({ projects: [tug] })
    const calls: string[] = []
    page.on('request', (each) => void (each.method() === 'POST' && calls.push(new URL(each.url()).pathname)))
    await page.goto(`${url}/?lang=${language}`)
    const form = formOf(page, texts, formWords)
    const about = form.whole.getByText(formWords.about('Remolcador'))

    await test.step('the model comes along, its type is chosen, and the cursor is in the first field, which is in view', async () => {
      await card(page, texts, 'Remolcador').click()
      await page.getByRole('dialog').getByRole('link', { name: words.ask }).click()
      await expect(form.name).toBeFocused()
      await expect(about).toBeInViewport({ ratio: 1 })
      // Above the keyboard, which takes half of a phone's screen.
      await expect.poll(async () => (await form.name.boundingBox())?.y).toBeLessThan(300)
      await expect(form.projectType).toHaveValue('militaryVehicles')
      await form.whole.getByRole('button', { name: formWords.removeAbout('Remolcador') }).click()
      await expect(about).toHaveCount(0)
      await page.goto(`${url}/?lang=${language}&project=harbour-tug`)
      await page.getByRole('dialog').getByRole('link', { name: words.ask }).click()
      await expect(about).toBeVisible()
    })

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
      await form.email.fill('ines@gmial.com')
      await form.whole.getByRole('button', { name: formWords.didYouMean('ines@gmail.com') }).click()
      await expect(form.email).toHaveValue('ines@gmail.com')
      await expect(form.email).toBeFocused()
      await expect(form.whole.getByRole('button', { name: formWords.didYouMean('') })).toHaveCount(0)
      await form.email.fill('not an address')
      await form.submit.click()
      await expect(page.getByText(t.invalidEmail)).toBeVisible()
      await expect(form.email).toHaveAttribute('aria-invalid', 'true')
      expect(calls).toEqual([])
    })

    await form.email.fill('ines@example.com')
    const expectKept = async () => {
      await expect(form.submit).toHaveText(t.submit)
      await expect(form.submit).toBeEnabled()
      await expect(form.name).toHaveValue('Inés')
      await expect(form.email).toHaveValue('ines@example.com')
      await expect(form.message).toHaveValue('Un tanque, por favor.')
      await expect(form.projectType).toHaveValue('militaryVehicles')
      await expect(about).toBeVisible()
    }

    await test.step('what was typed survives a reload, and photos are not claimed', async () => {
      await form.photos.setInputFiles(await aFile('uno.jpg'))
      await expect(form.whole.getByText(formWords.photos.uploaded)).toBeVisible()
      await page.reload()
      await expectKept()
      await expect(form.whole.getByRole('listitem')).toHaveCount(0)
      expect(await page.evaluate(() => localStorage.length)).toBe(0)
    })

    const photos = form.whole.getByRole('listitem')
    await test.step('photos go up as they are chosen, four of them; what is wrong with one is said beside it', async () => {
      expectFailure(/\/photos$/, 415)
      const broken = { name: 'rota.jpg', mimeType: 'image/jpeg', buffer: Buffer.from('no photo') }
      const heic = { name: 'IMG_2041.HEIC', mimeType: '', buffer: Buffer.from('heic') }
      await form.photos.setInputFiles([await aFile('uno.jpg'), broken, heic])
      await expect(photos.nth(0)).toContainText(formWords.photos.uploaded)
      await expect(photos.nth(1)).toContainText(formWords.photos.faults.notAPhoto)
      await expect(photos.nth(2)).toContainText(formWords.photos.faults.heic)
      await axe(page, { within: page.locator('#contact') })
      await form.whole.getByRole('button', { name: formWords.photos.remove('IMG_2041.HEIC') }).click()

      expectFailure(/\/photos$/, 503)
      await page.route('**/api/contact/photos', (route) => route.fulfill({ status: 503, json: { message: 'no' } }))
      await form.photos.setInputFiles([await aFile('dos.jpg')])
      await expect(photos.nth(2)).toContainText(formWords.photos.faults.failed)
      await page.unroute('**/api/contact/photos')
      await form.whole.getByRole('button', { name: formWords.photos.retryPhoto('dos.jpg') }).click()
      await expect(photos.nth(2)).toContainText(formWords.photos.uploaded)
      await form.photos.setInputFiles([await aFile('tres.jpg'), await aFile('cuatro.jpg'), await aFile('cinco.jpg')])
      await expect(form.whole.getByText(formWords.photos.tooMany)).toBeVisible()
      await expect(form.photos).toBeDisabled()
      await form.whole.getByRole('button', { name: formWords.photos.remove('tres.jpg') }).click()
      await form.whole.getByRole('button', { name: formWords.photos.remove('cuatro.jpg') }).click()
      await expect(form.photos).toBeEnabled()
    })

    await test.step('what the site could not take stays', async () => {
      expectFailure(/\/api\/contact$/, 500)
      const release = await holdBack(page, '**/api/contact', { status: 500, body: '{"message":"no"}' })
      await form.submit.click()
      await expect(form.submit).toHaveText(t.sending)
      await expect(form.submit).toBeDisabled()
      release()
      await expect(page.getByText(t.failedText).first()).toBeVisible()
      await expect(form.whole.getByText(formWords.kept)).toBeVisible()
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

    await test.step('it is sent, stored, confirmed, and the fields are cleared', async () => {
      calls.length = 0
      await form.submit.dblclick()
      const toast = page
        .getByRole('region', { name: new RegExp(texts.notifications.label) })
        .getByRole('status')
        .or(page.getByRole('listitem').filter({ hasText: t.sentTitle }))
      await expect(toast.filter({ hasText: t.sentText }).first()).toBeVisible()
      const lasting = form.whole.getByRole('status')
      const sent = lasting.getByRole('region', { name: formWords.sent.thanks('Inés') })
      await expect(sent).toBeFocused()
      await expect(sent).toBeInViewport()
      await expect(sent).toContainText(t.sentTitle)
      const [promised = ''] = formWords.sent.by('ines@example.com', '|', '').split('|')
      await expect(sent).toContainText(promised)
      await expect(sent).toContainText('Un tanque, por favor.')
      await expect(sent.getByRole('img')).toHaveCount(2)
      await expect(sent).toContainText(formWords.photos.notSent(1))
      await expect(form.submit).toBeHidden()
      await axe(page, { within: page.locator('#contact') })
      for (const field of [form.name, form.email, form.message, form.projectType]) await expect(field).toHaveValue('')
      await expect(about).toHaveCount(0)
      await expect(photos).toHaveCount(0)
      expect(calls).toEqual(['/api/contact'])

      await request.post(`${url}${signIn.path}`, { data: makerAccount })
      const { contacts } = await (await request.get(`${url}${searchContacts.path}`)).json()
      expect(contacts).toMatchObject([
        {
          ...{ name: 'Inés', email: 'ines@example.com', projectType: 'militaryVehicles', message: 'Un tanque, por favor.' },
          ...{ state: 'new', language, about: { title: 'Remolcador' } },
          photos: [
            { width: 64, height: 48 },
            { width: 64, height: 48 },
          ],
        },
      ])

      await sent.getByRole('button', { name: formWords.sent.again }).click()
      await expect(lasting).toBeEmpty()
      await expect(form.name).toBeFocused()
      await page.reload()
      await expect(form.name).toHaveValue('')
    })
  })

  test(`in ${language}, what is written or filtered without a signal is not lost in silence, and works when there is one`, async ({
    page,
    siteWith,
    expectFailure,
  }) => {
    await page.goto(`/?lang=${language}`)
    expectFailure(/./, 0)
    await page.context().setOffline(true)
    const form = formOf(page, texts, formWords)

    await test.step('before the script of the form is there', async () => {
      await form.name.fill('Inés')
      await form.submit.click()
      await expect(page.getByRole('alert')).toContainText(t.failedText)
      await expect(form.name).toHaveValue('Inés')
    })

    await test.step('the gallery', async () => {
      const shown = gallery(page, texts)
      await shown.getByRole('button', { name: texts.gallery.categories.ships, exact: true }).click()
      await expect(shown.getByRole('alert')).toContainText(texts.gallery.failed)
      await expect(shown.getByRole('article')).toHaveCount(0)
      await page.context().setOffline(false)
      await shown.getByRole('button', { name: texts.gallery.retry }).click()
      await expect(card(page, texts, titleOf('ships-1.jpg', language)).first()).toBeVisible()
      await expect(shown.getByRole('alert')).toHaveCount(0)
    })

    await test.step('when it is there: an error at once, and nothing is cleared, not by a reload either', async () => {
      await page.goto(`${await siteWith()}/?lang=${language}`)
      await form.name.fill('Inés')
      await form.email.fill('ines@example.com')
      await form.submit.click()
      await expect(page.getByText(t.missingField.message)).toBeVisible()
      await form.message.fill('Lo que escribí')
      const photo = form.whole.getByRole('listitem')
      const arrive = await holdBack(page, '**/api/contact/photos')
      await form.photos.setInputFiles(await aFile('uno.jpg'))
      await expect(photo).toContainText(formWords.photos.uploading)
      await page.context().setOffline(true)
      await form.submit.click()
      await expect(photo).toContainText(formWords.photos.faults.failed)
      await expect(form.whole.getByText(formWords.kept)).toBeVisible()
      arrive()
      await expect(form.message).toHaveValue('Lo que escribí')
      await page.context().setOffline(false)
      await expect(photo).toContainText(formWords.photos.uploaded)
      await page.reload()
      await expect(form.message).toHaveValue('Lo que escribí')
      const other = await page.context().newPage()
      await other.goto(page.url())
      await expect(formOf(other, texts, formWords).message).toHaveValue('')
      await other.close()
      await form.submit.click()
      await expect(form.whole.getByRole('status')).toContainText(t.sentTitle)
    })
  })
}

test('every project type can be chosen, what is wrong with a field is said for as long as it is wrong, and one notice is shown at a time', async ({
  page,
  expectFailure,
}) => {
  await page.goto('/')
  const form = formOf(page, en, contactFormEn)
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
    await keepNotice(page)
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
