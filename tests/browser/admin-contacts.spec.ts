import { adminEn } from '#content/en.admin.ts'
import type { ContactMessage } from '#contract/contacts.admin.ts'
import { anInquiry } from '../factories.ts'
import { expect, test } from './fixtures.ts'
import { holdBack } from './hold-back.ts'
import { inEnglish, inSpanish, notice, row, sendNoticeAway } from './maker.ts'
import { manyContacts } from './many.ts'

const longMessage = `${'A locomotive like the one my father drove, please. '.repeat(6)}Thank you.`

for (const { language, t } of inSpanish) {
  test(`in ${language}, the maker reads the five latest messages, then all of them, and deletes one`, async ({
    page,
    axe,
    panel,
  }) => {
    const url = await panel({ language })
    const block = page.getByRole('region', { name: t.messages.title })
    await expect(block.getByText(t.messages.empty)).toBeVisible()
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
        data: anInquiry({ name, message, projectType: name === 'Ana' ? '' : 'ship' }),
      })
    }
    await page.reload()
    await expect(block.getByRole('heading', { level: 3 })).toHaveText(names.toReversed().slice(0, 5))
    await expect(row(block, 'Gabriela')).toContainText(`${longMessage.slice(0, 100)}…`)
    await expect(row(block, 'Gabriela')).not.toContainText('Thank you.')
    await expect(row(block, 'Gabriela')).toContainText(t.projectTypes.ship ?? '')
    await expect(row(block, 'Gabriela')).toContainText('ines@example.com')
    await expect(block.getByText(t.messages.showing(5, 7))).toBeVisible()
    await expect(page.getByRole('definition').nth(1)).toHaveText('7')
    await axe(page, { atBothSizes: true })

    await page.getByRole('button', { name: t.messages.manageAll }).click()
    await expect(dialog.getByRole('heading', { level: 3 })).toHaveText(names.toReversed())
    await expect(row(dialog, 'Gabriela')).toContainText(longMessage)
    await expect(dialog.getByRole('link', { name: t.messages.reply('Beto') })).toHaveAttribute('href', /^mailto:ines/)
    await axe(page, { atBothSizes: true })
    await dialog.getByRole('button', { name: t.messages.delete('Fausto') }).click()
    const asking = page.getByRole('alertdialog', { name: t.messages.deleteTitle })
    await axe(page)
    await asking.getByRole('button', { name: t.common.cancel }).click()
    await expect(dialog.getByRole('button', { name: t.messages.delete('Fausto') })).toBeFocused()
    await dialog.getByRole('button', { name: t.messages.delete('Fausto') }).click()
    await asking.getByRole('button', { name: t.common.delete }).click()
    await expect(notice(page)).toContainText(t.messages.deleted)
    await expect(dialog.getByRole('heading', { level: 3 })).toHaveText(names.toReversed().filter((name) => name !== 'Fausto'))
    await dialog.getByRole('button', { name: t.common.close }).click()
    await expect(page.getByRole('button', { name: t.messages.manageAll })).toBeFocused()
    await expect(block.getByText(t.messages.showing(5, 6))).toBeVisible()
    const kept = (await (await page.request.get(`${url}/api/contacts`)).json()) as ContactMessage[]
    expect(kept.map(({ name }) => name)).toEqual(names.toReversed().filter((name) => name !== 'Fausto'))
  })
}

test('messages are read page by page as they come into sight, and one without a date says so', async ({ page, panel }) => {
  await page.route('**/api/contacts?limit=5', async (route) => {
    const [first, ...others] = (await (await route.fetch()).json()) as ContactMessage[]
    await route.fulfill({ json: [{ ...first, createdAt: null }, ...others] })
  })
  await panel({ contacts: manyContacts(130) })
  await expect(page.getByText('Showing 5 of 130 messages')).toBeVisible()
  await expect(row(page, 'Writer 1')).toContainText('N/A')
  await page.getByRole('button', { name: adminEn.messages.manageAll }).click()
  const rows = page.getByRole('dialog').getByRole('listitem')
  await expect(rows.first()).toBeVisible()
  expect(await rows.count()).toBeLessThan(130)
  for (const seen of [60, 120]) {
    await rows.nth(seen - 1).scrollIntoViewIfNeeded()
    await expect(rows.nth(seen)).toBeAttached()
  }
  await expect(rows).toHaveCount(130)
})

for (const { language, t } of inEnglish) {
  test(`in ${language}, the maker deletes some messages at once, then all but one`, async ({ page, axe, panel }) => {
    const url = await panel({ language, contacts: manyContacts(70) })
    const kept = async () => {
      const list = (await (await page.request.get(`${url}/api/contacts`)).json()) as ContactMessage[]
      return list.map(({ name }) => name)
    }
    await page.getByRole('button', { name: t.messages.manageAll }).click()
    const dialog = page.getByRole('dialog', { name: t.messages.manageTitle })
    const tick = (name: string) => dialog.getByRole('checkbox', { name: t.messages.select(name), exact: true })
    const asking = page.getByRole('alertdialog', { name: t.messages.deleteManyTitle })

    await tick('Writer 2').check()
    await tick('Writer 5').click({ modifiers: ['Shift'] })
    for (const name of ['Writer 3', 'Writer 4']) await expect(tick(name)).toBeChecked()
    await tick('Writer 4').uncheck()
    await expect(dialog.getByText(t.messages.selected(3))).toBeVisible()
    const box = await tick('Writer 2').locator('..').boundingBox()
    expect([box?.width, box?.height]).toEqual([44, 44])
    await axe(page)
    await dialog.getByRole('button', { name: t.messages.deleteSelected }).click()
    await expect(asking).toContainText(t.messages.deleteManyText(3))
    await asking.getByRole('button', { name: t.common.delete }).click()
    await expect(notice(page)).toContainText(t.messages.deletedMany(3))
    await expect(dialog.getByRole('button', { name: t.messages.deleteSelected })).toHaveCount(0)
    await expect(tick('Writer 2')).toHaveCount(0)
    await expect(tick('Writer 4')).not.toBeChecked()
    expect(await kept()).toHaveLength(67)

    await dialog.getByRole('checkbox', { name: t.messages.selectAll(67) }).check()
    await expect(tick('Writer 4')).toBeChecked()
    await tick('Writer 4').uncheck()
    await expect(dialog.getByText(t.messages.selected(66))).toBeVisible()
    // What arrives meanwhile has not been seen, and stays.
    await page.request.post(`${url}/api/contact`, { data: anInquiry({ name: 'Latest' }) })
    await dialog.getByRole('button', { name: t.messages.deleteSelected }).click()
    await expect(asking).toContainText(t.messages.deleteManyText(66))
    await asking.getByRole('button', { name: t.common.delete }).click()
    await expect(notice(page)).toContainText(t.messages.deletedMany(66))
    await expect(dialog.getByRole('heading', { level: 3 })).toHaveText(['Latest', 'Writer 4'])
    await expect(dialog).toBeFocused()
    expect(await kept()).toEqual(['Latest', 'Writer 4'])
    await dialog.getByRole('button', { name: t.common.close }).click()
    await expect(page.getByRole('definition').nth(1)).toHaveText('2')
  })
}

test('messages that could not be deleted stay, ticked or not, and the maker is told', async ({
  page,
  panel,
  expectFailure,
}) => {
  await panel({ contacts: manyContacts(3) })
  const { messages: m, common } = adminEn
  await page.getByRole('button', { name: m.manageAll }).click()
  const asking = page.getByRole('alertdialog')

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
  })
})
