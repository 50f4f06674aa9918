import { adminEn as t } from '#content/en.admin.ts'
import { backupsEn } from '#content/en.backups.ts'
import { backupsEs } from '#content/es.backups.ts'
import { demoAccount } from '#demo/account.ts'
import { expect, test } from './fixtures.ts'
import { holdBack } from './hold-back.ts'
import {
  arriveAtDashboard,
  aWrittenProject,
  chooseLanguage,
  enterPanel,
  field,
  makerAccount,
  makers,
  makersOwn,
  notice,
  playOlderSite,
  row,
  signInByHand,
  writeProject,
} from './maker.ts'

const backups = { en: backupsEn, es: backupsEs }

for (const { language, t: texts } of makers) {
  test(`in ${language}, a session that ends leads to the sign-in page and keeps a half-written project`, async ({
    page,
    startSite,
    expectFailure,
    axe,
  }) => {
    await playOlderSite(page)
    const url = await panel({ language })
    await page.getByRole('button', { name: texts.projects.add }).click()
    const form = page.getByRole('dialog', { name: texts.projectForm.createTitle })
    await writeProject(form, texts, aWrittenProject)

    await page.request.post(`${url}/api/admin/logout`)
    expectFailure(/\/api\/admin\/projects$/, 401)
    await form.getByRole('button', { name: texts.projectForm.save }).click()
    await expect(page).toHaveURL(`${url}/admin/login`)
    await expect(page.getByText(texts.signIn.ended)).toBeVisible()
    await expect(page.getByText(texts.signIn.endedDraft)).toBeVisible()
    await axe(page)

    await signInByHand(page, texts, makerAccount)
    await arriveAtDashboard(page, texts)
    await expect(page.getByText(texts.projects.draftWaiting(aWrittenProject.title))).toBeVisible()
    await axe(page)
    await page.getByRole('button', { name: texts.projects.draftContinue }).click()
    await expect(form.getByText(texts.projectForm.restored)).toBeVisible()
    await expect(field(form, texts.projectForm.title)).toHaveValue(aWrittenProject.title)
    await expect(field(form, texts.projectForm.techniques)).toHaveValue(aWrittenProject.techniques)
    await axe(page)
    await form.getByRole('button', { name: texts.projectForm.save }).click()
    await expect(notice(page)).toContainText(texts.projects.created)
    await expect(row(page, aWrittenProject.title)).toBeVisible()
    await expect(page.getByText(texts.projects.draftWaiting(aWrittenProject.title))).toHaveCount(0)
  })
}

test('a kept form can be discarded: in the form, and from the dashboard', async ({ page, baseURL }) => {
  await enterPanel(page, baseURL ?? '', demoAccount)
  const edit = page.getByRole('button', { name: t.projects.edit('The Vigil') })
  const form = page.getByRole('dialog', { name: t.projectForm.editTitle })
  await edit.click()
  await writeProject(form, t, { title: 'The Vigil, corrected' })
  await page.reload()
  await expect(page.getByText(t.projects.draftWaiting('The Vigil, corrected'))).toBeVisible()
  await edit.click()
  await expect(field(form, t.projectForm.title)).toHaveValue('The Vigil, corrected')
  await form.getByRole('button', { name: t.projectForm.discardRestored }).click()
  await expect(field(form, t.projectForm.title)).toHaveValue('The Vigil')
  await page.keyboard.press('Escape')
  await expect(form).toHaveCount(0)
  await expect(page.getByText(t.projects.draftContinue)).toHaveCount(0)

  await edit.click()
  await writeProject(form, t, { scale: '1:1' })
  await page.reload()
  await page.getByRole('button', { name: t.projects.draftDiscard }).click()
  await expect(page.getByText(t.projects.draftContinue)).toHaveCount(0)
  await edit.click()
  await expect(field(form, t.projectForm.scale)).toHaveValue('1:20 (90 mm)')
})

for (const { language, t: texts } of makers) {
  test(`in ${language}, the dashboard shows what there is, in order, and fits the screen`, async ({ page, baseURL, axe }) => {
    await chooseLanguage(page, baseURL ?? '', language)
    await enterPanel(page, baseURL ?? '', demoAccount)
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(texts.dashboard.title)
    await expect(page.getByRole('heading', { level: 2 })).toHaveText([
      texts.projects.title,
      texts.messages.title,
      texts.accounts.title,
      backups[language].title,
    ])
    const overview = page.getByRole('region', { name: texts.dashboard.overview })
    await expect(overview.getByRole('definition')).toHaveText(['12', '3', '4'])
    await expect(overview.getByRole('term')).toHaveText([
      texts.dashboard.totalProjects,
      texts.dashboard.contactMessages,
      texts.dashboard.featuredProjects,
    ])
    await axe(page)
    const overflow = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)
    expect(overflow).toBe(0)
    const small = await page.getByRole('button').evaluateAll((buttons) =>
      buttons
        .map((button) => ({
          name: button.getAttribute('aria-label') ?? button.textContent,
          ...button.getBoundingClientRect().toJSON(),
        }))
        .filter(({ width, height }) => width < 44 || height < 44),
    )
    expect(small).toEqual([])
  })
}

test('while its lists are on their way the dashboard says so', async ({ page, startSite, axe }) => {
  const { url } = await startSite(makersOwn)
  const release = await holdBack(page, /\/api\/(contacts|admin\/(projects|users))(\?|$)/)
  const arrived = enterPanel(page, url)
  for (const { title, loading } of [t.projects, t.messages, t.accounts]) {
    await expect(page.getByRole('region', { name: title }).getByRole('status')).toHaveText(loading)
  }
  await axe(page)
  release()
  await arrived
  await expect(page.getByText(t.projects.empty)).toBeVisible()
  await expect(page.getByText(t.messages.empty)).toBeVisible()
})

test('nothing of the panel travels to a visitor', async ({ page }) => {
  const scripts: Promise<string>[] = []
  page.on('response', (response) => void (response.url().endsWith('.js') && scripts.push(response.text())))
  await page.goto('/')
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  const sent = (await Promise.all(scripts)).join('\n')
  expect(sent.length).toBeGreaterThan(10_000)
  for (const word of [t.dashboard.title, t.projects.title, t.messages.manageTitle, t.accounts.title, 'reValidateMode']) {
    expect(sent).not.toContain(word)
  }
})
