import { upload as uploadEs } from '#content/es/upload.ts'
import { signOut } from '#contract/accounts.ts'
import { requestUpload } from '#contract/images.ts'
import { expect, test } from './fixtures.ts'
import { doFirst } from './hold-back.ts'
import {
  arriveAtDashboard,
  aWrittenProject,
  field,
  inSpanish,
  makerAccount,
  notice,
  photoFiles,
  photosPart,
  row,
  signInByHand,
  writeProject,
} from './maker.ts'

for (const { language, t: texts } of inSpanish) {
  test(`in ${language}, a session that ends leads to the sign-in page and keeps a half-written project`, async ({
    page,
    expectFailure,
    axe,
    panel,
  }) => {
    const url = await panel({ language })
    await page.getByRole('button', { name: texts.projects.add }).click()
    const form = page.getByRole('dialog', { name: texts.projectForm.createTitle })
    await writeProject(form, texts, aWrittenProject)
    const files = form.locator('input[type=file][multiple]')
    const arrived = photosPart(form).getByRole('listitem')
    await files.setInputFiles(await photoFiles(2))
    await expect(arrived).toHaveCount(3)
    await expect(form.getByRole('button', { name: texts.projectForm.save })).toBeEnabled()

    // Not before the upload: the end of the events would lead to the sign-in page first.
    await doFirst(page, `**${requestUpload.path}`, () => page.request.post(`${url}${signOut.path}`))
    expectFailure(/\/api\/(objects\/upload|admin\/.*)$/, 401)
    await files.setInputFiles(await photoFiles(1))
    await expect(page).toHaveURL(`${url}/admin/login`)
    await expect(page.getByText(texts.signIn.ended)).toBeVisible()
    await expect(page.getByText(texts.signIn.endedUnsaved)).toBeVisible()

    await signInByHand(page, texts, makerAccount)
    await arriveAtDashboard(page, texts)
    const waiting = page.getByText(texts.projects.unsavedWaiting(aWrittenProject.title))
    await expect(waiting).toBeVisible()
    await axe(page, { within: waiting.locator('..') })
    await page.getByRole('button', { name: texts.projects.unsavedContinue }).click()
    await expect(form.getByText(texts.projectForm.restored)).toBeVisible()
    await expect(field(form, texts.projectForm.labels.title)).toHaveValue(aWrittenProject.title)
    await expect(field(form, texts.projectForm.labels.techniques)).toHaveValue(aWrittenProject.techniques)
    await expect(arrived).toHaveCount(3)
    await expect(form.getByText(uploadEs.photos.lost('rivets-1.jpg'))).toBeVisible()
    await axe(page)
    await form.getByRole('button', { name: texts.projectForm.save }).click()
    await expect(notice(page)).toContainText(texts.projects.created)
    await expect(row(page, aWrittenProject.title)).toBeVisible()
    await expect(waiting).toHaveCount(0)
  })
}
