import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { admin as adminEn } from '#content/en/admin.ts'
import { checks } from '#content/en/checks.ts'
import { settings as settingsEn } from '#content/en/settings.ts'
import { type Contact, type ContactMessage, changeContact, searchContacts } from '#contract/contacts.admin.ts'
import { aContact } from '../factories.ts'
import { aPhoto } from '../photos.ts'
import { startSmtp } from '../smtp.ts'
import { expect, test } from './fixtures.ts'
import { doFirst, holdBack } from './hold-back.ts'
import {
  enterPanel,
  goToPlace,
  inEnglish,
  inSpanish,
  keepNotice,
  makerAccount,
  makersOwn,
  notice,
  row,
  sendNoticeAway,
  signInByHand,
} from './maker.ts'
import { manyContacts } from './many.ts'

const longMessage = `${'A locomotive like the one my father drove, please. '.repeat(6)}Thank you.`

/** As the signed-in maker. */
async function contactsAt(page: Page, url: string, query = '') {
  const answer = await page.request.get(`${url}${searchContacts.path}?limit=100${query}`)
  return ((await answer.json()) as { contacts: Contact[] }).contacts
}

for (const { language, t } of inSpanish) {
  test(`in ${language}, without mail, the maker reads the five latest messages, then all of them, answers one and deletes one`, async ({
    page,
    axe,
    panel,
  }) => {
    const url = await panel({ language })
    const block = page.getByRole('region', { name: t.messages.title })
    await expect(block.getByText(t.messages.empty)).toBeVisible()
    await expect(page.getByText(t.contacts.nothingToAnswer)).toBeVisible()
    await goToPlace(page, t, '02')
    await expect(block.getByRole('region', { name: t.contacts.mail.title })).toContainText(t.contacts.mail.off)
    await page.getByRole('button', { name: t.messages.manageAll }).click()
    const dialog = page.getByRole('dialog', { name: t.messages.manageTitle })
    await expect(dialog.getByText(t.messages.manageText)).toBeVisible()
    await expect(dialog.getByText(t.messages.empty)).toBeVisible()
    await axe(page)
    await page.keyboard.press('Escape')

    const names = ['Ana', 'Beto', 'Carla', 'Diego', 'Elena', 'Fausto', 'Gabriela']
    for (const name of names) {
      const message = name === 'Gabriela' ? longMessage : `Greetings from ${name}.`
      await page.request.post(`${url}/api/contact`, {
        data: aContact({ name, message, projectType: name === 'Ana' ? '' : 'ship', language: 'es' }),
      })
    }
    await page.reload()
    // A phone shows the first rows of each block, and of the chosen one all.
    await expect(block.getByRole('heading', { level: 3 })).toHaveText(names.toReversed().slice(0, 3))
    const waiting = page.getByRole('list', { name: t.contacts.states.new })
    await expect(waiting.getByRole('listitem')).toContainText([/^AnaA más tardar/, /^Beto/, /^Carla/])
    await goToPlace(page, t, '02')
    await expect(block.getByRole('heading', { level: 3 })).toHaveText([
      ...names.toReversed().slice(0, 5),
      t.contacts.mail.title,
    ])
    await expect(row(block, 'Gabriela')).toContainText(`${longMessage.slice(0, 100)}…`)
    await expect(row(block, 'Gabriela')).not.toContainText('Thank you.')
    await expect(row(block, 'Gabriela')).toContainText(t.projectTypes.ship ?? '')
    await expect(row(block, 'Gabriela')).toContainText('ines@example.com')
    await expect(block.getByText(t.messages.showing(5, 7))).toBeVisible()
    await expect(row(block, 'Gabriela')).toContainText(/Quedan 4[78] h/)
    await axe(page, { within: block, atBothSizes: true })
    await goToPlace(page, t, 'today')
    await expect(page.getByRole('definition').nth(1)).toHaveText('7')
    await expect(page).toHaveTitle(`(7) ${t.dashboard.title} · Vitrina`)
    await axe(page, { within: waiting, atBothSizes: true })

    // The first thing on the page leads to those that wait, the one that has waited longest first.
    await page.getByRole('button', { name: /^7 por responder; el primero en 4[78] h/ }).click()
    await expect(dialog.getByRole('button', { name: t.contacts.filters.new })).toHaveAttribute('aria-pressed', 'true')
    await expect(dialog.getByRole('heading', { level: 3 })).toHaveText(names)
    await expect(row(dialog, 'Gabriela')).toContainText(longMessage)
    await axe(page, { atBothSizes: true })

    // The letter goes into another program, of which the site knows nothing: only the maker says that it was sent.
    const beto = row(dialog, 'Beto')
    await beto.getByRole('button', { name: t.messages.reply('Beto') }).click()
    const box = beto.getByRole('textbox', { name: t.contacts.reply.title('Beto') })
    await expect(box).toBeFocused()
    await page.keyboard.type('Con mucho gusto.')
    const addressOf = async (name: string) => new URL((await beto.getByRole('link', { name }).getAttribute('href')) ?? '')
    const letter = await addressOf(t.contacts.reply.openProgram)
    expect([letter.protocol, decodeURIComponent(letter.pathname)]).toEqual(['mailto:', 'ines@example.com'])
    expect(letter.searchParams.get('body')).toMatch(/^Buen día, Beto:\r\n\r\nCon mucho gusto\.[\s\S]*> Greetings from Beto\.$/)
    const gmail = await addressOf(t.contacts.reply.openGmail)
    expect([gmail.host, gmail.searchParams.get('to')]).toEqual(['mail.google.com', 'ines@example.com'])
    // No program for mail is opened here.
    await page.evaluate(() => addEventListener('click', (event) => event.preventDefault(), { capture: true, once: true }))
    await beto.getByRole('link', { name: t.contacts.reply.openProgram }).click()
    await beto.getByRole('button', { name: t.contacts.reply.copy }).click()
    await expect(notice(page)).toContainText(t.contacts.reply.copied)
    await sendNoticeAway(page)
    await axe(page, { within: beto, atBothSizes: true })
    await expect(page).toHaveTitle(`(7) ${t.dashboard.title} · Vitrina`)
    await expect(beto).not.toContainText(t.contacts.states.answered)
    await beto.getByRole('button', { name: t.contacts.reply.iSentIt }).click()
    await keepNotice(page)
    await expect(notice(page)).toContainText(t.contacts.marked('Beto', t.contacts.states.answered))
    await expect(box).toHaveCount(0)
    await expect(row(dialog, 'Beto')).toContainText(t.contacts.states.answered)
    await expect(page).toHaveTitle(`(6) ${t.dashboard.title} · Vitrina`)
    await notice(page).getByRole('button', { name: t.common.undo }).click()
    await expect(page).toHaveTitle(`(7) ${t.dashboard.title} · Vitrina`)
    await expect(row(dialog, 'Beto')).not.toContainText(t.contacts.states.answered)

    await dialog.getByRole('button', { name: t.messages.delete('Fausto') }).click()
    const asking = page.getByRole('alertdialog', { name: t.messages.deleteTitle })
    await axe(page)
    await asking.getByRole('button', { name: t.common.cancel }).click()
    await expect(dialog.getByRole('button', { name: t.messages.delete('Fausto') })).toBeFocused()
    await dialog.getByRole('button', { name: t.messages.delete('Fausto') }).click()
    await asking.getByRole('button', { name: t.common.delete }).click()
    await expect(notice(page)).toContainText(t.messages.deleted)
    await expect(dialog.getByRole('heading', { level: 3 })).toHaveText(names.filter((name) => name !== 'Fausto'))
    await dialog.getByRole('button', { name: t.common.close }).click()
    await expect(page.getByRole('button', { name: /^6 por responder/ })).toBeFocused()
    await goToPlace(page, t, '02')
    await expect(block.getByText(t.messages.showing(5, 6))).toBeVisible()
    const kept = (await (await page.request.get(`${url}/api/contacts`)).json()) as ContactMessage[]
    expect(kept.map(({ name }) => name)).toEqual(names.toReversed().filter((name) => name !== 'Fausto'))
  })
}

test('with mail, the maker answers in the language of the visitor, and is told what became of it', async ({
  page,
  axe,
  startSite,
  watch,
  expectFailure,
}) => {
  const smtp = await startSmtp()
  const mail = { SMTP_URL: smtp.url, MAIL_FROM: 'site@example.com', MAIL_TO: 'maker@example.com' }
  const { url } = await startSite({ ...makersOwn, ...mail })
  const { contacts: i, common } = adminEn
  const showMail = checks.showOf(checks.names.mail)
  const sent = await page.request.post(`${url}/api/contact/photos`, {
    data: await aPhoto({ width: 300, height: 200 }),
    headers: { 'content-type': 'image/jpeg' },
  })
  const { photo } = (await sent.json()) as { photo: string }
  await page.request.post(`${url}/api/contact`, { data: aContact({ language: 'es', photos: [photo] }) })
  await enterPanel(page, url)
  const dialog = page.getByRole('dialog')
  const card = row(dialog, 'Inés Robles')
  const toMaker = () => smtp.received.filter(({ to }) => to.includes('maker@'))
  const toVisitor = () => smtp.received.filter(({ to }) => to.includes('ines@'))

  await test.step('gives up a mail that is refused, and has visitors told', async () => {
    const part = page.getByRole('region', { name: i.mail.title })
    await expect(part).toContainText(i.mail.on('maker@example.com'))
    await expect.poll(() => toMaker()).toHaveLength(1)
    smtp.behave('refuse recipient')
    await page.request.post(`${url}/api/contact`, { data: aContact({ name: 'Luis Soto' }) })
    await page.getByRole('button', { name: showMail }).click()
    await expect(part).toBeFocused()
    await expect(part).toContainText('550 5.1.1')
    // The bar that stays lies over half of a button there.
    await page.evaluate(() => scrollTo(0, 0))
    await axe(page, { atBothSizes: true })
    await part.getByRole('button', { name: i.mail.discardOf('New message from Luis Soto') }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: i.mail.discard }).click()
    await expect(notice(page)).toContainText(i.mail.discarded)
    await expect(page.getByRole('button', { name: showMail })).toHaveCount(0)
    smtp.behave('accept')
    for (const { id, name } of await contactsAt(page, url)) {
      if (name === 'Luis Soto') await page.request.delete(`${url}/api/contacts/${id}`)
    }
    await part.getByRole('button', { name: i.mail.settings }).click()
    const told = page.getByRole('dialog', { name: settingsEn.title }).getByRole('checkbox', { name: settingsEn.acknowledge })
    await expect(told).not.toBeChecked()
    await told.check()
    await expect(notice(page)).toContainText(settingsEn.acknowledges)
    await page.keyboard.press('Escape')
  })

  await test.step('sees the photo, which nobody else does', async () => {
    await page.getByRole('button', { name: /^1 to answer within 47 h/ }).click()
    const shown = card.getByRole('img', { name: i.photo(1, 1, 'Inés Robles') })
    await expect.poll(() => shown.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(300)
    const address = (await shown.getAttribute('src')) ?? ''
    expect((await fetch(new URL(address, url))).status).toBe(401)
    const [large] = await Promise.all([page.context().waitForEvent('page'), shown.click()])
    await expect(large).toHaveURL(new URL(address.replace('?size=small', ''), url).href)
    await large.close()
  })

  const box = card.getByRole('textbox', { name: i.reply.title('Inés Robles') })
  const write = card.getByRole('button', { name: adminEn.messages.reply('Inés Robles') })
  const send = card.getByRole('button', { name: i.reply.send })

  await test.step('writes a reply that survives a closed dialog, a reload and a failure', async () => {
    await write.click()
    await expect(box).toBeFocused()
    await expect(box).toHaveValue(/^Buen día, Inés Robles:\n\n\n\nSaludos[\s\S]*> Could you build the tug/)
    await send.click()
    await expect(card.getByText(i.reply.missing)).toBeVisible()
    await page.keyboard.type('Con mucho gusto. ¿En qué escala?')
    await expect(box).toHaveValue(/^Buen día, Inés Robles:\n\nCon mucho gusto. ¿En qué escala\?\n\nSaludos/)
    await axe(page, { atBothSizes: true })
    await page.keyboard.press('Escape')
    await expect(dialog).toHaveCount(0)
    await page.reload()
    await expect(page.getByText(i.reply.waiting('Inés Robles'))).toBeVisible()
    await page.getByRole('button', { name: i.reply.continue }).click()
    await expect(box).toBeFocused()

    expectFailure(/\/replies$/, 500)
    await page.route('**/replies', (route) => route.fulfill({ status: 500, body: '' }))
    await send.click()
    await expect(notice(page)).toContainText(i.reply.failed)
    await expect(card.getByText(i.reply.failed)).toBeVisible()
    await page.unroute('**/replies')
    // It arrives, and the answer to it does not.
    await page.route('**/replies', async (route) => {
      await route.fetch()
      await route.fulfill({ status: 500, body: '' })
    })
    await send.click()
    await expect.poll(() => toVisitor()).toHaveLength(1)
    await page.unroute('**/replies')
    await expect(send).toBeEnabled()
    await send.click()
    await expect(notice(page)).toContainText(i.reply.done('Inés Robles'))
    await expect(card.getByText(/^Sent /)).toBeVisible()
    await expect(box).toHaveCount(0)
    await expect(write).toBeFocused()
    await expect(card).toContainText(i.states.answered)
    expect(toVisitor()).toHaveLength(1)
    expect(toVisitor()[0]?.text).toContain('Con mucho gusto. ¿En qué escala?')
    await expect(page.getByText(i.nothingToAnswer)).toBeAttached()
  })

  await test.step('sees why a mail was refused, and sends it again', async () => {
    smtp.behave('refuse recipient')
    await write.click()
    await page.keyboard.type('Otra cosa.')
    await send.click()
    await expect(card.getByText(i.sending.failed('550 5.1.1 <ines@example.com>: no such mailbox here'))).toBeVisible()
    smtp.behave('accept')
    await card.getByRole('button', { name: i.sending.retryOf('Inés Robles') }).click()
    await expect(card.getByText(/^Sent /)).toHaveCount(2)
    expect(toVisitor()).toHaveLength(2)
  })

  await test.step('is told that what was changed since is another reply, when the first has arrived without an answer', async () => {
    await page.route('**/replies', async (route) => {
      await route.fetch()
      await route.fulfill({ status: 500, body: '' })
    })
    await write.click()
    await page.keyboard.type('Una más.')
    await send.click()
    await expect.poll(() => toVisitor()).toHaveLength(3)
    await page.unroute('**/replies')
    await expect(send).toBeEnabled()
    await box.fill('Una más, y otra.')
    await send.click()
    await expect(card.getByText(i.reply.sentBefore)).toBeVisible()
    expect(toVisitor()).toHaveLength(3)
    await send.click()
    await expect(box).toHaveCount(0)
    await expect(card.getByText(/^Sent /)).toHaveCount(4)
    expect(toVisitor()).toHaveLength(4)
  })

  await test.step('keeps a note, and what was typed when another one was kept meanwhile', async () => {
    await card.getByRole('button', { name: i.note.addTo('Inés Robles') }).click()
    const note = card.getByLabel(i.note.title)
    await expect(note).toBeFocused()
    await note.fill('48 000 pesos')
    const [contact] = await contactsAt(page, url)
    const change = `${url}${changeContact.path.replace(':id', contact?.id ?? '')}`
    await doFirst(page, change, () => page.request.put(change, { data: { note: 'of another browser', was: null } }))
    expectFailure(/\/api\/admin\/contacts\//, 409)
    await card.getByRole('button', { name: i.note.save }).click()
    await expect(card.getByText(`${i.note.savedVersion} of another browser`)).toBeVisible()
    await expect(note).toHaveValue('48 000 pesos')
    await card.getByRole('button', { name: i.note.overwrite }).click()
    await expect(notice(page)).toContainText(i.note.saved)
    await expect(card.getByRole('button', { name: i.note.editOf('Inés Robles') })).toBeFocused()
    expect((await contactsAt(page, url))[0]).toMatchObject({ state: 'answered', note: '48 000 pesos' })
  })

  await test.step('marks it as quoted, and undoes that by the keyboard', async () => {
    await card.getByRole('button', { name: i.markOf('Inés Robles') }).press('Enter')
    await page.getByRole('menuitemradio', { name: i.states.answered }).press('ArrowDown')
    await expect(page.getByRole('menuitemradio', { name: i.states.quoted })).toBeFocused()
    await page.keyboard.press('Enter')
    await keepNotice(page)
    await expect(notice(page)).toContainText(i.marked('Inés Robles', i.states.quoted))
    await expect(card).toContainText(i.states.quoted)
    await page.keyboard.press('F8')
    await page.keyboard.press('Tab')
    await page.keyboard.press('Tab')
    await expect(notice(page).getByRole('button', { name: adminEn.common.undo })).toBeFocused()
    await page.keyboard.press('Enter')
    await expect(card).toContainText(i.states.answered)
    expect((await contactsAt(page, url))[0]?.state).toBe('answered')
  })

  await test.step('comes to a message by the link in a mail, by way of the sign-in page', async () => {
    const [contact] = await contactsAt(page, url)
    await page.context().clearCookies()
    expectFailure(/\/api\/(admin\/|contacts)/, 401)
    const visit = await page.context().newPage()
    await watch(visit)
    expectFailure(/\/api\/(admin\/|contacts)/, 401)
    await visit.goto(`${url}/admin?inquiry=${contact?.id}`)
    await expect(visit).toHaveURL(`${url}/admin/login?inquiry=${contact?.id}`)
    await signInByHand(visit, adminEn, makerAccount)
    await expect(row(visit.getByRole('dialog'), 'Inés Robles')).toBeFocused()
    await expect(visit).toHaveURL(`${url}/admin`)
    // The first tab still shows the message, and reads it again when it is deleted.
    expectFailure(/\/api\/admin\/contacts\//, 404)
    await visit.getByRole('button', { name: adminEn.messages.delete('Inés Robles') }).click()
    await visit.getByRole('alertdialog').getByRole('button', { name: common.delete }).click()
    await expect(visit.getByRole('dialog').getByText(adminEn.messages.empty)).toBeVisible()
    await visit.goto(`${url}/admin?inquiry=${contact?.id}`)
    await expect(visit.getByRole('dialog').getByText(i.gone)).toBeVisible()
  })
  smtp.stop()
})

test('an open dashboard says what has arrived without taking the focus, and where no events arrive it is refreshed by hand', async ({
  page,
  panel,
  expectFailure,
}) => {
  const url = await panel({ contacts: manyContacts(1) })
  const { contacts: i, messages: m } = adminEn
  const recent = page.getByRole('region', { name: m.title })
  await test.step('by itself', async () => {
    await expect(page.getByRole('button', { name: /^1 to answer, overdue by \d+ days/ })).toBeVisible()
    await page.getByRole('button', { name: m.manageAll }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('searchbox').focus()
    await page.request.post(`${url}/api/contact`, { data: aContact({ name: 'Robot', website: 'x' }) })
    await page.request.post(`${url}/api/contact`, { data: aContact({ name: 'Latest' }) })
    await expect(page.locator('[aria-live=polite]', { hasText: i.arrived(2) })).toBeAttached()
    await expect(page).toHaveTitle(`(2) ${adminEn.dashboard.title} · Vitrina`)
    await expect(dialog.getByRole('heading', { level: 3 })).toHaveText(['Writer 1', 'Latest'])
    await expect(dialog.getByRole('searchbox')).toBeFocused()
    await page.keyboard.press('Escape')
    await expect(row(recent, 'Latest')).toBeVisible()
  })
  await test.step('by hand', async () => {
    expectFailure(/\/api\/admin\/events$/, 0)
    await page.route('**/api/admin/events', (route) => route.abort())
    await page.reload()
    await expect(row(recent, 'Latest')).toBeVisible()
    await page.request.post(`${url}/api/contact`, { data: aContact({ name: 'Later still' }) })
    await recent.getByRole('button', { name: m.refresh }).click()
    await expect(row(recent, 'Later still')).toBeVisible()
    await expect(page).toHaveTitle(`(3) ${adminEn.dashboard.title} · Vitrina`)
  })
})

test('among a thousand messages the maker turns pages, searches and exports, and the page stays small', async ({
  page,
  panel,
}) => {
  const { messages: m, contacts: i } = adminEn
  const contacts = manyContacts(1_000).map((contact, index) => ({ ...contact, state: index % 3 ? 'closed' : 'new' }) as const)
  await panel({ contacts })
  await expect(page.getByText(m.showing(5, 1_000))).toBeVisible()
  await page.getByRole('button', { name: m.manageAll }).click()
  const dialog = page.getByRole('dialog')
  const cards = dialog.getByRole('listitem')
  const next = dialog.getByRole('button', { name: i.next })
  await expect(cards).toHaveCount(25)
  await expect(dialog.getByRole('heading', { level: 3 }).first()).toHaveText('Writer 1000')
  const heap = await heapOf(page)
  for (let turn = 1; turn <= 8; turn += 1) {
    await next.click()
    await expect(dialog.getByRole('list', { name: i.range(turn * 25 + 1, turn * 25 + 25, 1_000) })).toBeFocused()
    await expect(cards.first()).toBeInViewport()
  }
  expect(await heapOf(page)).toBeLessThan(heap + 3_000_000)
  await dialog.getByRole('button', { name: i.previous }).click()
  await expect(dialog.getByRole('list', { name: i.range(176, 200, 1_000) })).toBeFocused()

  await dialog.getByRole('button', { name: i.filters.closed }).click()
  await expect(dialog.getByRole('heading', { level: 3 }).first()).toHaveText('Writer 2')
  await dialog.getByRole('searchbox').fill('writer 77')
  await expect(cards).toHaveCount(13)
  await expect(cards.filter({ hasText: '77' })).toHaveCount(13)
  const [file] = await Promise.all([page.waitForEvent('download'), dialog.getByRole('link', { name: i.download }).click()])
  expect(file.suggestedFilename()).toMatch(/\.csv$/)
  const table = await readFile((await file.path()) ?? '', 'utf8')
  expect(table).toMatch(/^\uFEFF"?Received/)
  expect(table.trim().split('\r\n')).toHaveLength(14)
  await dialog.getByRole('searchbox').fill('nobody of that name')
  await expect(dialog.getByText(i.noMatch)).toBeVisible()
})

async function heapOf(page: Page) {
  const session = await page.context().newCDPSession(page)
  await session.send('HeapProfiler.collectGarbage')
  const { usedSize } = (await session.send('Runtime.getHeapUsage')) as { usedSize: number }
  await session.detach()
  return usedSize
}

for (const { language, t } of inEnglish) {
  test(`in ${language}, the maker takes a message out of the spam, deletes some at once, then all of a state but one`, async ({
    page,
    axe,
    panel,
  }) => {
    const contacts = manyContacts(70).map((each, index) => ({ ...each, state: index === 69 ? 'closed' : 'new' }) as const)
    const noRobot = { ...aContact({ name: 'No robot' }), state: 'spam', spamReason: 'hidden_field' } as const
    const url = await panel({ language, contacts: [...contacts, noRobot] })
    const namesOf = async (query = '') => (await contactsAt(page, url, query)).map(({ name }) => name)
    await page.getByRole('button', { name: t.messages.manageAll }).click()
    const dialog = page.getByRole('dialog', { name: t.messages.manageTitle })
    const tick = (name: string) => dialog.getByRole('checkbox', { name: t.messages.select(name), exact: true })
    const asking = page.getByRole('alertdialog', { name: t.messages.deleteManyTitle })
    const filter = (name: string) => dialog.getByRole('button', { name: new RegExp(`^\\d+ ${name}$`) })

    await test.step('the spam', async () => {
      await filter(t.contacts.filters.spam).click()
      await expect(row(dialog, 'No robot')).toContainText(t.contacts.spamReasons.hidden_field)
      await axe(page)
      await dialog.getByRole('button', { name: t.contacts.notSpamOf('No robot') }).click()
      await keepNotice(page)
      await expect(notice(page)).toContainText(t.contacts.noSpam('No robot'))
      expect(await namesOf('&state=spam')).toEqual([])
      await notice(page).getByRole('button', { name: t.common.undo }).click()
      await expect(row(dialog, 'No robot')).toContainText(t.contacts.spamReasons.marked)
      await dialog.getByRole('button', { name: t.contacts.notSpamOf('No robot') }).click()
      await expect(filter(t.contacts.filters.spam)).toContainText('0')
      await sendNoticeAway(page)
    })

    await test.step('some', async () => {
      await filter(t.contacts.filters.new).click()
      await tick('Writer 69').check()
      await tick('Writer 66').click({ modifiers: ['Shift'] })
      for (const name of ['Writer 68', 'Writer 67']) await expect(tick(name)).toBeChecked()
      await tick('Writer 67').uncheck()
      await expect(dialog.getByText(t.messages.selected(3))).toBeVisible()
      const box = await tick('Writer 69').locator('..').boundingBox()
      expect([box?.width, box?.height]).toEqual([44, 44])
      await axe(page)
      await dialog.getByRole('button', { name: t.messages.deleteSelected }).click()
      await expect(asking).toContainText(t.messages.deleteManyText(3))
      await asking.getByRole('button', { name: t.common.delete }).click()
      await expect(notice(page)).toContainText(t.messages.deletedMany(3))
      await expect(dialog.getByRole('button', { name: t.messages.deleteSelected })).toHaveCount(0)
      await expect(tick('Writer 69')).toHaveCount(0)
      await expect(tick('Writer 67')).not.toBeChecked()
      expect(await namesOf()).toHaveLength(68)
    })

    await test.step('all of a state but one', async () => {
      await dialog.getByRole('checkbox', { name: t.messages.selectAll(67) }).check()
      await expect(tick('Writer 67')).toBeChecked()
      await tick('Writer 67').uncheck()
      await expect(dialog.getByText(t.messages.selected(66))).toBeVisible()
      // What arrives meanwhile has not been seen, and stays.
      const latest = aContact({ name: 'Latest' })
      await doFirst(page, '**/api/contacts/delete', () => page.request.post(`${url}/api/contact`, { data: latest }))
      await dialog.getByRole('button', { name: t.messages.deleteSelected }).click()
      await expect(asking).toContainText(t.messages.deleteManyText(66))
      await asking.getByRole('button', { name: t.common.delete }).click()
      await expect(notice(page)).toContainText(t.messages.deletedMany(66))
      await expect(dialog.getByRole('heading', { level: 3 })).toHaveText(['Writer 67', 'Latest'])
      await expect(dialog).toBeFocused()
      expect(await namesOf()).toEqual(['Writer 67', 'Latest', 'Writer 70'])
      await dialog.getByRole('button', { name: t.common.close, exact: true }).click()
      await expect(page.getByRole('definition').nth(1)).toHaveText('3')
    })
  })
}

test('messages that could not be read or deleted stay, ticked or not, and the maker is told; a recent one opens by its row and by its button, leads to all of them, and does not open by selecting its text', async ({
  page,
  panel,
  expectFailure,
}) => {
  await page.route('**/api/contacts?limit=5*', async (route) => {
    const [first, ...others] = (await (await route.fetch()).json()) as ContactMessage[]
    await route.fulfill({ json: [{ ...first, createdAt: null }, ...others] })
  })
  const stories = manyContacts(9).map((contact) => ({ ...contact, message: `${'A long story. '.repeat(60)}End.` }))
  await panel({ contacts: stories })
  const { messages: m, contacts: i, common } = adminEn
  await expect(row(page, 'Writer 1')).toContainText('N/A')
  const asking = page.getByRole('alertdialog')

  await test.step('the list', async () => {
    expectFailure(/\/api\/admin\/contacts$/, 500)
    await page.route('**/api/admin/contacts?*', (route) => route.fulfill({ status: 500, body: '' }))
    await page.getByRole('button', { name: m.manageAll }).click()
    await expect(page.getByRole('dialog').getByText(m.failed)).toBeVisible()
    await page.unroute('**/api/admin/contacts?*')
    await page.getByRole('dialog').getByRole('button', { name: common.retry }).click()
    await expect(row(page.getByRole('dialog'), 'Writer 1')).toBeVisible()
  })

  await test.step('one', async () => {
    expectFailure(/\/api\/contacts\//, 500)
    await page.route('**/api/contacts/*', (route) => route.fulfill({ status: 500, body: '' }))
    await page.getByRole('button', { name: m.delete('Writer 1') }).click()
    await asking.getByRole('button', { name: common.delete }).click()
    await expect(notice(page)).toContainText('Failed to delete contact message')
    await sendNoticeAway(page)
    await expect(asking.getByText('Failed to delete contact message')).toBeVisible()
    await asking.getByRole('button', { name: common.cancel }).click()
    await expect(row(page.getByRole('dialog'), 'Writer 1')).toBeVisible()
    await page.unroute('**/api/contacts/*')
  })

  await test.step('several', async () => {
    const release = await holdBack(page, '**/api/contacts/delete', { status: 500, body: '' })
    const ticked = page.getByRole('checkbox', { name: m.select('Writer 2') })
    await ticked.check()
    await page.getByRole('button', { name: m.deleteSelected }).click()
    await asking.getByRole('button', { name: common.delete }).click()
    await expect(page.getByRole('button', { name: common.deleting })).toBeDisabled()
    release()
    await expect(notice(page)).toContainText(m.deleteManyFailed)
    await expect(asking.getByText(m.deleteManyFailed)).toBeVisible()
    await asking.getByRole('button', { name: common.cancel }).click()
    await expect(ticked).toBeChecked()
    await page.getByRole('button', { name: m.clear }).click()
    await expect(ticked).not.toBeChecked()
    await sendNoticeAway(page)
    await page.keyboard.press('Escape')
    await expect(page.getByRole('dialog')).toHaveCount(0)
  })

  const block = page.getByRole('region', { name: m.title })
  await test.step('a recent one, by its row and by its button', async () => {
    const dialog = page.getByRole('dialog', { name: m.manageTitle })
    const button = block.getByRole('button', { name: m.open('Writer 4') })
    await row(block, 'Writer 4').getByText('A long story.').click()
    await expect(row(dialog, 'Writer 4')).toBeFocused()
    await expect(dialog.getByRole('heading', { name: 'Writer 4' })).toBeInViewport({ ratio: 1 })
    await page.keyboard.press('Escape')
    await expect(button).toBeFocused()

    await page.keyboard.press('Enter')
    await expect(row(dialog, 'Writer 4')).toBeFocused()
    await dialog.getByRole('button', { name: i.all }).click()
    await expect(dialog.getByRole('listitem')).toHaveCount(9)
    await page.goBack()
    await expect(dialog).toHaveCount(0)
    await expect(button).toBeFocused()
  })

  await test.step('its text can be selected without opening it', async () => {
    const email = row(block, 'Writer 1').getByText('ines@example.com')
    await email.scrollIntoViewIfNeeded()
    const box = await email.boundingBox()
    if (!box) throw new Error('It is not there.')
    await page.mouse.move(box.x + 1, box.y + box.height / 2)
    await page.mouse.down()
    await page.mouse.move(box.x + box.width, box.y + box.height / 2, { steps: 4 })
    await page.mouse.up()
    expect(await page.evaluate(() => String(getSelection()))).toContain('ines@example')
    await expect(page.getByRole('dialog')).toHaveCount(0)
  })
})
