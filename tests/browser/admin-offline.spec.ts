import type { Page } from '@playwright/test'
import { backups as backupsEn } from '#content/en/backups.ts'
import { upload as uploadEn } from '#content/en/upload.ts'
import { backups as backupsEs } from '#content/es/backups.ts'
import { upload as uploadEs } from '#content/es/upload.ts'
import { aContact, aProject } from '../factories.ts'
import { aPhoto } from '../photos.ts'
import { expect, test } from './fixtures.ts'
import { aWrittenProject, field, inEnglish, notice, photosPart, row, sendNoticeAway, writeProject } from './maker.ts'

const backupTexts = { en: backupsEn, es: backupsEs }
const uploadTexts = { en: uploadEn, es: uploadEs }

const offline = (page: Page, isOffline: boolean) => page.context().setOffline(isOffline)

for (const { language, t } of inEnglish) {
  test(`in ${language}, without a signal nothing is deleted, saved, backed up or uploaded, which is said, and it can be tried again when there is one`, async ({
    page,
    panel,
    expectFailure,
  }) => {
    await panel({
      language,
      projects: [aProject({ title: 'Galleon', imageUrl: 'https://older-site.example/a.jpg' })],
      contacts: [aContact({ name: 'Ana' })],
    })
    expectFailure(/./, 0)

    await test.step('projects and messages are not deleted, the question can be left, and asked again', async () => {
      const remove = page.getByRole('button', { name: t.projects.delete('Galleon') })
      const asking = page.getByRole('alertdialog', { name: t.projects.deleteTitle })
      await offline(page, true)
      await remove.click()
      await asking.getByRole('button', { name: t.common.delete }).click()
      await expect(notice(page)).toContainText(t.projects.deleteFailed)
      await asking.getByRole('button', { name: t.common.cancel }).click()
      await expect(page.getByRole('heading', { name: 'Galleon' })).toBeVisible()
      await offline(page, false)
      await remove.click()
      await asking.getByRole('button', { name: t.common.delete }).click()
      await expect(notice(page)).toContainText(t.projects.deleted)
      await expect(page.getByRole('heading', { name: 'Galleon' })).toHaveCount(0)

      await page.getByRole('button', { name: t.messages.manageAll }).click()
      const dialog = page.getByRole('dialog', { name: t.messages.manageTitle })
      const removeMessage = dialog.getByRole('button', { name: t.messages.delete('Ana') })
      const askingAgain = page.getByRole('alertdialog', { name: t.messages.deleteTitle })
      await removeMessage.waitFor()
      await offline(page, true)
      await removeMessage.click()
      await askingAgain.getByRole('button', { name: t.common.delete }).click()
      await expect(notice(page)).toContainText(t.messages.deleteFailed)
      await askingAgain.getByRole('button', { name: t.common.cancel }).click()
      await expect(row(dialog, 'Ana')).toBeVisible()
      await offline(page, false)
      await removeMessage.click()
      await askingAgain.getByRole('button', { name: t.common.delete }).click()
      await expect(notice(page)).toContainText(t.messages.deleted)
      await expect(row(dialog, 'Ana')).toHaveCount(0)
      await dialog.getByRole('button', { name: t.common.close, exact: true }).click()
    })

    await test.step('a project is not saved, and what was typed is kept', async () => {
      await page.getByRole('button', { name: t.projects.add }).click()
      const form = page.getByRole('dialog', { name: t.projectForm.createTitle })
      await writeProject(form, t, aWrittenProject)
      await offline(page, true)
      const save = form.getByRole('button', { name: t.projectForm.save })
      await save.click()
      await expect(notice(page)).toContainText(t.projects.createFailed)
      await expect(save).toBeEnabled()
      await expect(field(form, t.projectForm.labels.description)).toHaveValue(aWrittenProject.description)
      await offline(page, false)
      await sendNoticeAway(page)
      await save.click()
      await expect(notice(page)).toContainText(t.projects.created)
      await expect(form).toHaveCount(0)
    })

    await test.step('a backup is not made, which is said where it was asked for', async () => {
      const b = backupTexts[language]
      const block = page.getByRole('region', { name: b.title, exact: true })
      const failed = block.locator('[data-slot="action-error"]').filter({ hasText: b.database.failed })
      await offline(page, true)
      await block.getByRole('button', { name: b.database.action }).click()
      await expect(notice(page)).toContainText(b.database.failed)
      await expect(failed).toBeVisible()
      await offline(page, false)
      await block.getByRole('button', { name: b.database.action }).click()
      await expect(notice(page)).toContainText(b.database.done)
      await expect(failed).toHaveCount(0)
    })

    await test.step('a photo is not uploaded, the widget says so at once, and it goes when there is one', async () => {
      const u = uploadTexts[language]
      await page.getByRole('button', { name: t.projects.add }).click()
      const form = page.getByRole('dialog', { name: t.projectForm.createTitle })
      const image = photosPart(form)
      await image.getByRole('button', { name: u.upload }).click()
      const window = page.getByRole('dialog', { name: u.title })
      const photo = await aPhoto({ width: 300, height: 200 })
      await window
        .locator('input[type="file"]')
        .first()
        .setInputFiles({ name: 'galleon.jpg', mimeType: 'image/jpeg', buffer: photo })
      await expect(window.getByRole('img', { name: 'galleon.jpg' })).toBeVisible()
      await offline(page, true)
      await expect(window.getByRole('status')).toHaveText(u.one.offline)
      await window.getByRole('button', { name: u.one.send }).click()
      await expect(notice(page)).toContainText(u.noAddress)
      await expect(window.locator('[data-slot="action-error"]')).toHaveText(`${u.one.failed('galleon.jpg')}\n${u.interrupted}`)
      await offline(page, false)
      await expect(window.getByRole('status')).toHaveText(u.one.online)
      await window.getByRole('button', { name: u.one.retry }).click()
      await expect(notice(page)).toContainText(u.done)
      await expect(image.getByRole('img')).toBeVisible()
    })
  })
}
