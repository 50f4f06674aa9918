import type { Locator, Page } from '@playwright/test'
import { admin as t } from '#content/en/admin.ts'
import { upload as uploadEn } from '#content/en/upload.ts'
import { expect, test } from './fixtures.ts'
import { field, keepNotice, notice, sendNoticeAway } from './maker.ts'
import { manyProjects } from './many.ts'

/** The narrowest, the lowest and the widest: between them there is more room. */
const screens = [
  [320, 640],
  [844, 390],
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

test('a notice lies over no dialog, and its buttons stay where they are, on screens of every size', async ({
  page,
  panel,
  expectFailure,
}) => {
  await panel({ projects: manyProjects(1) })
  const failure = { status: 507, json: { code: 'disk_full', message: 'There is not enough room. '.repeat(5) } }
  expectFailure(/\/api\/admin\/(projects|users)/, 507)
  await page.route(/\/api\/admin\/(projects|users)/, (route) =>
    route.request().method() === 'GET' ? route.continue() : route.fulfill(failure),
  )
  const form = page.getByRole('dialog', { name: t.projectForm.editTitle })
  const save = form.getByRole('button', { name: t.projectForm.save })
  const upload = page.getByRole('dialog', { name: uploadEn.title })
  const asking = page.getByRole('alertdialog')
  const creating = page.getByRole('dialog', { name: t.accounts.create })
  const submit = creating.getByRole('button', { name: t.accounts.create })

  for (const [width, height] of screens) {
    await test.step(`${width} by ${height}`, async () => {
      await page.setViewportSize({ width, height })
      await page.getByRole('button', { name: t.projects.edit('Model 1') }).click()
      await form.evaluate((element) => Promise.all(element.getAnimations().map(({ finished }) => finished)))
      const before = await save.boundingBox()
      await save.click()
      await keepNotice(page)
      await expectBeside(page, form, [save, form.getByRole('button', { name: t.common.close })])
      await expect.poll(async () => (await save.boundingBox())?.y).toBe(before?.y)
      await form.getByRole('button', { name: uploadEn.replace }).first().click()
      await expect(upload.getByRole('button', { name: uploadEn.one.choose })).toBeVisible()
      await expectBeside(page, upload, [upload.getByRole('button', { name: t.common.close })])
      await page.keyboard.press('Escape')
      await expect(upload).toHaveCount(0)
      await page.keyboard.press('Escape')
      await expect(form).toHaveCount(0)

      await page.getByRole('button', { name: t.projects.delete('Model 1') }).click()
      await asking.getByRole('button', { name: t.common.delete }).click()
      await expect(asking.getByText(t.projects.deleteFailed)).toBeVisible()
      await expectBeside(page, asking, [asking.getByRole('button', { name: t.common.delete })])
      await page.keyboard.press('Escape')

      await page.getByRole('button', { name: t.accounts.create }).click()
      await field(creating, t.accounts.username).fill('sobrina')
      await field(creating, t.accounts.password).fill('a long password')
      await submit.click()
      await expect(notice(page)).toContainText('There is not enough room.')
      await expectBeside(page, creating, [submit, creating.getByRole('button', { name: t.common.cancel })])
      await page.keyboard.press('Escape')
      await sendNoticeAway(page)
    })
  }
})
