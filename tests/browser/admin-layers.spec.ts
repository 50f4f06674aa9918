import type { Page } from '@playwright/test'
import { admin as t } from '#content/en/admin.ts'
import { upload as uploadEn } from '#content/en/upload.ts'
import { expect, test } from './fixtures.ts'
import { holdBack } from './hold-back.ts'
import { field, inSpanish, keepNotice, notice, photosPart, sendNoticeAway, writeProject } from './maker.ts'
import { manyContacts } from './many.ts'

/** As many steps lie between here and the dashboard as dialogs are open. */
async function expectWayBack(page: Page, steps: number) {
  await expect.poll(() => page.evaluate(() => (history.state as { layer?: number } | null)?.layer ?? 0)).toBe(steps)
}

for (const { language, t: texts } of inSpanish) {
  test(`in ${language}, Back asks before a half-written form is left, closes one dialog after another, and only then leaves the panel`, async ({
    page,
    panel,
  }) => {
    await page.goto('/robots.txt')
    const cameFrom = page.url()
    const url = await panel({ language, contacts: manyContacts(1) })

    await test.step('a half-written form, as often as it is pressed', async () => {
      await page.getByRole('button', { name: texts.projects.add }).click()
      const form = page.getByRole('dialog', { name: texts.projectForm.createTitle })
      const asking = page.getByRole('alertdialog', { name: texts.projectForm.leaveTitle })
      await writeProject(form, texts, { title: 'Half a hull' })
      for (const _ of [1, 2]) {
        await page.goBack()
        await expect(asking).toBeVisible()
        await expectWayBack(page, 2)
        await page.goBack()
        await expect(asking).toHaveCount(0)
        await expect(field(form, texts.projectForm.labels.title)).toHaveValue('Half a hull')
        await expectWayBack(page, 1)
      }
      await page.goBack()
      await asking.getByRole('button', { name: texts.projectForm.leave }).click()
      await expect(form).toHaveCount(0)
      await expectWayBack(page, 0)
      await expect(page).toHaveURL(`${url}/admin`)
    })

    const manage = page.getByRole('button', { name: texts.messages.manageAll })
    const dialog = page.getByRole('dialog', { name: texts.messages.manageTitle })
    await manage.click()
    await dialog.getByRole('button', { name: texts.messages.delete('Writer 1') }).click()
    await expect(page.getByRole('alertdialog')).toBeVisible()
    await expectWayBack(page, 2)
    await page.goBack()
    await expect(page.getByRole('alertdialog')).toHaveCount(0)
    await expect(dialog).toBeVisible()
    await expectWayBack(page, 1)
    await page.goBack()
    await expect(dialog).toHaveCount(0)
    await expect(page).toHaveURL(`${url}/admin`)
    await expect(manage).toBeFocused()
    await expectWayBack(page, 0)
    await page.goForward()
    await expectWayBack(page, 0)
    await expect(page.getByRole('dialog')).toHaveCount(0)
    await page.goBack()
    await expect(page).toHaveURL(cameFrom)
  })
}

test('a dialog that was closed otherwise, or was open at a reload, leaves nothing on the way back; Escape closes what has the focus; a question that is being answered stays', async ({
  page,
  panel,
  expectFailure,
}) => {
  await page.goto('/robots.txt')
  const cameFrom = page.url()
  await panel({ contacts: manyContacts(1) })
  const dialog = page.getByRole('dialog', { name: t.accounts.create })
  const closings = [
    () => page.keyboard.press('Escape'),
    () => dialog.getByRole('button', { name: t.common.cancel }).click(),
    () => dialog.getByRole('button', { name: t.common.close }).click(),
    () => page.mouse.click(4, 4),
  ]
  for (const close of closings) {
    await page.getByRole('button', { name: t.accounts.create }).click()
    await expectWayBack(page, 1)
    await close()
    await expect(dialog).toHaveCount(0)
    await expectWayBack(page, 0)
  }

  await test.step('Escape closes the dialog and not the notice; in the notice, the notice and not the dialog', async () => {
    const create = page.getByRole('button', { name: t.accounts.create })
    await create.click()
    await dialog.getByRole('button', { name: t.accounts.create }).click()
    await keepNotice(page)
    await page.keyboard.press('Escape')
    await expect(dialog).toHaveCount(0)
    await expect(notice(page)).toContainText(t.common.fillAll)

    // First with a notice that is older than the dialog, then with a newer one.
    for (const newer of [false, true]) {
      await create.click()
      if (newer) await dialog.getByRole('button', { name: t.accounts.create }).click()
      await keepNotice(page)
      // A click waits until nothing moves any more, and the form has put the keyboard where something is missing by then.
      await field(dialog, t.accounts.password).click()
      await page.keyboard.press('F8')
      await expect(page.getByRole('region', { name: /Notifications/ }).locator(':focus')).toHaveCount(1)
      await page.keyboard.press('Escape')
      await expect(notice(page)).toHaveCount(0)
      await expect(field(dialog, t.accounts.password)).toBeFocused()
      await page.keyboard.press('Escape')
      await expect(dialog).toHaveCount(0)
    }
  })

  await test.step('Escape closes a tip and leaves the dialog, and a menu and leaves the notice', async () => {
    await page.getByRole('button', { name: t.accounts.change }).first().click()
    const changing = page.getByRole('dialog', { name: t.accounts.changeTitle })
    await field(changing, t.accounts.currentPassword).focus()
    await page.keyboard.press('Tab')
    await expect(page.getByRole('tooltip')).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(page.getByRole('tooltip')).toHaveCount(0)
    await expect(changing).toBeVisible()
    await changing.getByRole('button', { name: t.accounts.change }).click()
    await keepNotice(page)
    await page.keyboard.press('Escape')
    await expect(changing).toHaveCount(0)

    await page.getByRole('button', { name: /^EN/i }).focus()
    await page.keyboard.press('Enter')
    await expect(page.getByRole('menu')).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(page.getByRole('menu')).toHaveCount(0)
    await expect(notice(page)).toBeVisible()
  })

  await sendNoticeAway(page)
  await test.step('neither Back nor Escape closes a question that is being answered', async () => {
    expectFailure(/\/api\/contacts\//, 500)
    const release = await holdBack(page, '**/api/contacts/*', { status: 500, body: '' })
    await page.getByRole('button', { name: t.messages.manageAll }).click()
    await page.getByRole('button', { name: t.messages.delete('Writer 1') }).click()
    const asking = page.getByRole('alertdialog')
    await asking.getByRole('button', { name: t.common.delete }).click()
    await expect(asking.getByRole('button', { name: t.common.deleting })).toBeDisabled()
    await expectWayBack(page, 2)
    await page.goBack()
    await expectWayBack(page, 2)
    await page.keyboard.press('Escape')
    await expect(asking).toBeVisible()
    release()
    await expect(asking.getByText(t.messages.deleteFailed)).toBeVisible()
    await page.goBack()
    await expect(asking).toHaveCount(0)
    await page.goBack()
    await expectWayBack(page, 0)
  })

  await test.step('Back closes the upload and keeps the form', async () => {
    await page.getByRole('button', { name: t.projects.add }).click()
    const form = page.getByRole('dialog', { name: t.projectForm.createTitle })
    await photosPart(form).getByRole('button', { name: uploadEn.upload }).click()
    const upload = page.getByRole('dialog', { name: uploadEn.title })
    await expect(upload).toBeVisible()
    await expectWayBack(page, 2)
    await page.goBack()
    await expect(upload).toHaveCount(0)
    await expect(form).toBeVisible()
    await expectWayBack(page, 1)
  })

  await page.reload()
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await expectWayBack(page, 0)
  await page.goBack()
  await expect(page).toHaveURL(cameFrom)
})
