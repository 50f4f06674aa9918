import type { Locator, Page } from '@playwright/test'
import { adminEn as t } from '#content/en.admin.ts'
import { uploadEn } from '#content/en.upload.ts'
import { demoAccount } from '#demo/account.ts'
import { expect, test } from './fixtures.ts'
import { enterPanel, field, keepNotice, makerAccount, makersOwn, notice, sendNoticeAway } from './maker.ts'

const screens = [
  [320, 640],
  [390, 844],
  [844, 390],
  [768, 1024],
  [1440, 900],
  [2560, 1440],
] as const

/** The notice is there, and lies beside the dialog, whose head and buttons are on the screen. */
async function expectBeside(page: Page, dialog: Locator, parts: Locator[]) {
  const message = notice(page)
  await expect(message).toBeVisible()
  await expect(async () => {
    const box = await dialog.boundingBox()
    const other = await message.boundingBox()
    if (!box || !other) throw new Error('Nothing to compare.')
    const apart = [
      other.y + other.height <= box.y,
      other.y >= box.y + box.height,
      other.x >= box.x + box.width,
      other.x + other.width <= box.x,
    ]
    expect(apart, JSON.stringify({ box, other })).toContain(true)
  }).toPass()
  for (const part of [dialog.getByRole('heading').first(), ...parts]) await expect(part).toBeInViewport({ ratio: 1 })
}

for (const [width, height] of screens) {
  test(`at ${width} by ${height} a notice lies over no dialog, and its buttons stay where they are`, async ({
    page,
    baseURL,
    expectFailure,
  }) => {
    await page.setViewportSize({ width, height })
    await enterPanel(page, baseURL ?? '', demoAccount)
    const failure = { status: 507, json: { code: 'disk_full', message: 'There is not enough room. '.repeat(5) } }
    expectFailure(/\/api\/admin\/(projects|users)/, 507)
    await page.route(/\/api\/admin\/(projects|users)/, (route) =>
      route.request().method() === 'GET' ? route.continue() : route.fulfill(failure),
    )

    const form = page.getByRole('dialog', { name: t.projectForm.editTitle })
    const save = form.getByRole('button', { name: t.projectForm.save })
    await page.getByRole('button', { name: t.projects.edit('The Vigil') }).click()
    await form.evaluate((element) => Promise.all(element.getAnimations().map(({ finished }) => finished)))
    const before = await save.boundingBox()
    await save.click()
    await keepNotice(page)
    await expectBeside(page, form, [save, form.getByRole('button', { name: t.common.close })])
    await expect.poll(async () => (await save.boundingBox())?.y).toBe(before?.y)
    await form.getByRole('button', { name: uploadEn.replace }).first().click()
    const upload = page.getByRole('dialog', { name: uploadEn.title })
    await expect(upload.getByRole('group')).toBeVisible()
    await expectBeside(page, upload, [upload.getByRole('button', { name: t.common.close })])
    await page.keyboard.press('Escape')
    await page.keyboard.press('Escape')
    await expect(form).toHaveCount(0)

    await page.getByRole('button', { name: t.projects.delete('The Vigil') }).click()
    const asking = page.getByRole('alertdialog')
    await asking.getByRole('button', { name: t.common.delete }).click()
    await expect(asking.getByText(t.projects.deleteFailed)).toBeVisible()
    await expectBeside(page, asking, [asking.getByRole('button', { name: t.common.delete })])
    await page.keyboard.press('Escape')

    await page.getByRole('button', { name: t.accounts.create }).click()
    const creating = page.getByRole('dialog', { name: t.accounts.create })
    await field(creating, t.accounts.username).fill('sobrina')
    await field(creating, t.accounts.password).fill('a long password')
    const submit = creating.getByRole('button', { name: t.accounts.create })
    await submit.click()
    await expect(notice(page)).toContainText('There is not enough room.')
    await expectBeside(page, creating, [submit, creating.getByRole('button', { name: t.common.cancel })])
  })
}

test('what was not done is said where it was tried until it is tried again, after the notice is gone', async ({
  page,
  startSite,
  expectFailure,
  axe,
}) => {
  const url = await panel()
  expectFailure(/\/api\/admin\/(users|change-password)/, 507)
  const sentence = 'There is not enough room on the disk of the server.'
  await page.route(/\/api\/admin\/(users|change-password)/, (route) =>
    route.request().method() === 'GET'
      ? route.continue()
      : route.fulfill({ status: 507, json: { code: 'disk_full', message: sentence } }),
  )
  await page.getByRole('button', { name: t.accounts.change }).click()
  const changing = page.getByRole('dialog', { name: t.accounts.changeTitle })
  await field(changing, t.accounts.currentPassword).fill(makerAccount.password)
  await field(changing, t.accounts.newPassword).fill('another long password')
  await changing.getByRole('button', { name: t.accounts.change }).click()
  await expect(notice(page)).toContainText(sentence)
  await sendNoticeAway(page)
  await expect(changing.getByText(sentence)).toBeVisible()
  await axe(page)

  await page.unrouteAll()
  await changing.getByRole('button', { name: t.accounts.change }).click()
  await expect(notice(page)).toContainText(t.accounts.changeDone)
  await expect(changing).toHaveCount(0)
})

test('a project that could not be featured or deleted says so in its row and in the question', async ({
  page,
  baseURL,
  expectFailure,
  axe,
}) => {
  await enterPanel(page, baseURL ?? '', demoAccount)
  expectFailure(/\/api\/admin\/projects\//, 500)
  await page.route('**/api/admin/projects/*', (route) => route.fulfill({ status: 500, body: '' }))
  const block = page.getByRole('region', { name: t.projects.title })
  await page.getByRole('button', { name: t.projects.feature('The Vigil') }).click()
  await expect(notice(page)).toContainText('Failed to update project')
  await sendNoticeAway(page)
  await expect(block.getByText('Failed to update project')).toBeVisible()

  await page.getByRole('button', { name: t.projects.delete('The Vigil') }).click()
  const asking = page.getByRole('alertdialog', { name: t.projects.deleteTitle })
  for (const _ of [1, 2]) {
    await asking.getByRole('button', { name: t.common.delete }).click()
    await expect(notice(page)).toContainText('Failed to delete project')
    await sendNoticeAway(page)
    await expect(asking.getByText('Failed to delete project')).toBeVisible()
  }
  await axe(page)
  await asking.getByRole('button', { name: t.common.cancel }).click()
  await page.getByRole('button', { name: t.projects.delete('The Vigil') }).click()
  await expect(asking).toBeVisible()
  await expect(asking.getByText('Failed to delete project')).toHaveCount(0)
})
