import { adminEn as t } from '#content/en.admin.ts'
import { en } from '#content/en.ts'
import { readOverview } from '#contract/overview.ts'
import { demoAccount } from '#demo/account.ts'
import { aProject } from '../factories.ts'
import { alive } from './alive.ts'
import { expect, test } from './fixtures.ts'
import { holdBack } from './hold-back.ts'
import {
  aWrittenProject,
  chooseLanguage,
  enterPanel,
  field,
  makers,
  makersOwn,
  notice,
  playOlderSite,
  row,
  sendNoticeAway,
  writeProject,
} from './maker.ts'
import { fill, manyProjects } from './many.ts'
import { card } from './visitor.ts'

test('the maker creates, edits, features and deletes a project, and a visitor sees each of it', async ({
  page,
  browser,
  startSite,
  watch,
  axe,
}) => {
  await playOlderSite(page)
  const url = await panel()
  const visitor = await (await browser.newContext()).newPage()
  await watch(visitor)
  await playOlderSite(visitor)
  await visitor.goto(url)
  await expect(visitor.getByText(en.gallery.emptyAll)).toBeVisible()

  await expect(page.getByText(t.projects.empty)).toBeVisible()
  await page.getByRole('button', { name: t.projects.add }).click()
  const creating = page.getByRole('dialog', { name: 'Create New Project' })
  await writeProject(creating, t, aWrittenProject)
  await axe(page)
  await creating.getByRole('button', { name: t.projectForm.save }).click()
  await expect(notice(page)).toContainText('Project created successfully')
  await expect(creating).toHaveCount(0)
  const steamer = row(page, aWrittenProject.title)
  await expect(steamer).toContainText('Scale: 1:75 | Time: 480 hours')
  await expect(steamer).toContainText('Ships')
  await expect(steamer).toContainText(t.projects.spanishIncomplete)
  await expect(steamer.getByText(t.projects.featured, { exact: true })).toHaveCount(0)
  await visitor.goto(url)
  await expect(card(visitor, en, aWrittenProject.title)).toBeVisible()

  await page.getByRole('button', { name: t.projects.add }).click()
  await expect(field(creating, t.projectForm.title)).toHaveValue('')
  await page.keyboard.press('Escape')
  await expect(page.getByRole('button', { name: t.projects.add })).toBeFocused()

  const edit = page.getByRole('button', { name: t.projects.edit(aWrittenProject.title) })
  await edit.click()
  const editing = page.getByRole('dialog', { name: 'Edit Project' })
  await expect(field(editing, t.projectForm.scale)).toHaveValue('1:75')
  await writeProject(editing, t, { title: 'Paddle steamer "Grijalva"', timeSpent: 'a whole winter' })
  await editing.getByText(t.projectForm.spanish).click()
  await field(editing, t.projectForm.titleEs).fill('Vapor de ruedas «Grijalva»')
  await editing.getByRole('button', { name: t.projectForm.save }).click()
  await expect(notice(page)).toContainText('Project updated successfully')
  await expect(editing).toHaveCount(0)
  const renamed = row(page, 'Paddle steamer "Grijalva"')
  await expect(renamed).toContainText('Scale: 1:75 | Time: a whole winter')
  await expect(page.getByRole('button', { name: t.projects.edit('Paddle steamer "Grijalva"') })).toBeFocused()
  await visitor.goto(`${url}/?lang=es`)
  await expect(visitor.getByRole('link', { name: 'Vapor de ruedas «Grijalva»' }).first()).toBeVisible()

  const star = page.getByRole('button', { name: t.projects.feature('Paddle steamer "Grijalva"') })
  await expect(star).toHaveAttribute('aria-pressed', 'false')
  await star.click()
  await expect(star).toHaveAttribute('aria-pressed', 'true')
  await expect(notice(page)).toContainText('Project updated successfully')
  await expect(renamed.getByText(t.projects.featured, { exact: true })).toBeVisible()
  await axe(page)

  await page.getByRole('button', { name: t.projects.delete('Paddle steamer "Grijalva"') }).click()
  const asking = page.getByRole('alertdialog', { name: 'Delete Project' })
  await expect(asking).toContainText('Are you sure you want to delete the project? This action cannot be undone.')
  await axe(page)
  await asking.getByRole('button', { name: t.common.cancel }).click()
  await expect(renamed).toBeVisible()
  await page.getByRole('button', { name: t.projects.delete('Paddle steamer "Grijalva"') }).click()
  await asking.getByRole('button', { name: t.common.delete }).click()
  await expect(notice(page)).toContainText('Project deleted successfully')
  await expect(page.getByText(t.projects.empty)).toBeVisible()
  await visitor.goto(url)
  await expect(visitor.getByText(en.gallery.emptyAll)).toBeVisible()
})

for (const { language, t: texts } of makers) {
  test(`in ${language}, every field that is missing says so, and nothing is sent`, async ({ page, startSite, axe }) => {
    const url = await panel({ language })
    const writes: string[] = []
    page.on('request', (request) => void (request.method() === 'POST' && writes.push(request.url())))
    await page.getByRole('button', { name: texts.projects.add }).click()
    const form = page.getByRole('dialog', { name: texts.projectForm.createTitle })
    await form.getByRole('button', { name: texts.projectForm.save }).click()
    for (const sentence of Object.values(texts.projectForm.missing)) await expect(form.getByText(sentence)).toBeVisible()
    await expect(field(form, texts.projectForm.title)).toBeFocused()
    await axe(page)
    await field(form, texts.projectForm.title).fill('T')
    await expect(form.getByText(texts.projectForm.missing.title)).toHaveCount(0)

    const { imageUrl, ...allButThePhoto } = aWrittenProject
    await writeProject(form, texts, allButThePhoto)
    await form.getByRole('button', { name: texts.projectForm.save }).click()
    const photo = form.getByRole('group', { name: texts.projectForm.image })
    await expect(photo.getByRole('button').first()).toBeFocused()
    await photo.getByRole('button', { name: /https:/ }).click()
    await expect(photo.getByLabel(texts.photo.address)).toBeFocused()
    expect(writes).toEqual([])
  })
}

test('a project that could not be saved stays in the form; one that is being saved cannot be saved twice', async ({
  page,
  startSite,
  expectFailure,
}) => {
  await playOlderSite(page)
  const url = await panel()
  expectFailure(/\/api\/admin\/projects$/, 500)
  const release = await holdBack(page, '**/api/admin/projects', { status: 500, body: '' })
  await page.getByRole('button', { name: t.projects.add }).click()
  const form = page.getByRole('dialog', { name: t.projectForm.createTitle })
  await writeProject(form, t, aWrittenProject)
  await form.getByRole('button', { name: t.projectForm.save }).click()
  await expect(form.getByRole('button', { name: 'Saving...' })).toBeDisabled()
  release()
  await expect(notice(page)).toContainText('Error')
  await expect(notice(page)).toContainText('Failed to create project')
  await sendNoticeAway(page)
  await expect(form.getByText('Failed to create project')).toBeVisible()
  await expect(field(form, t.projectForm.title)).toHaveValue(aWrittenProject.title)
  await page.unroute('**/api/admin/projects')
  await form.getByRole('button', { name: t.projectForm.save }).click()
  await expect(notice(page)).toContainText('Project created successfully')
})

test('two clicks in a row delete a project once, and so say', async ({ page, startSite, request }) => {
  const url = await panel({ projects: [aProject({ title: 'Twice', imageUrl: 'https://older-site.example/tug.jpg' })] })
  const calls: string[] = []
  page.on('request', (each) => void (each.method() === 'DELETE' && calls.push(each.url())))
  await page.getByRole('button', { name: t.projects.delete('Twice') }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: t.common.delete, exact: true }).dblclick()
  await expect(notice(page)).toContainText(t.projects.deleted)
  expect(calls).toHaveLength(1)
})

test('a click beside a half-written form asks first, and what was written stays or goes as answered', async ({
  page,
  startSite,
  axe,
}) => {
  const url = await panel()
  const add = page.getByRole('button', { name: t.projects.add })
  await add.click()
  const form = page.getByRole('dialog', { name: t.projectForm.createTitle })
  await writeProject(form, t, { title: 'Half a hull' })
  await page.keyboard.press('Escape')
  const asking = page.getByRole('alertdialog', { name: t.projectForm.leaveTitle })
  await axe(page)
  await asking.getByRole('button', { name: t.projectForm.stay }).click()
  await expect(field(form, t.projectForm.title)).toHaveValue('Half a hull')
  await form.getByRole('button', { name: t.common.close }).click()
  await asking.getByRole('button', { name: t.projectForm.leave }).click()
  await expect(form).toHaveCount(0)
  await expect(add).toBeFocused()
  await add.click()
  await expect(field(form, t.projectForm.title)).toHaveValue('')
})

for (const { language, t: texts } of makers) {
  test(`in ${language}, a save from an older version is refused, keeps what was typed, and loads the newer one on request`, async ({
    page,
    browser,
    startSite,
    watch,
    expectFailure,
    axe,
  }) => {
    const { url } = await startSite(makersOwn)
    await chooseLanguage(page, url, language)
    const other = await (await browser.newContext()).newPage()
    await watch(other)
    for (const each of [page, other]) await playOlderSite(each)
    await enterPanel(page, url)
    await page.request.post(`${url}/api/admin/projects`, { data: aWrittenProject })
    await page.reload()
    await page.getByRole('button', { name: texts.projects.edit(aWrittenProject.title) }).click()
    const form = page.getByRole('dialog', { name: texts.projectForm.editTitle })
    await writeProject(form, texts, { description: 'Mine, and long.' })

    await enterPanel(other, url)
    await other.getByRole('button', { name: t.projects.edit(aWrittenProject.title) }).click()
    const others = other.getByRole('dialog', { name: t.projectForm.editTitle })
    await writeProject(others, t, { title: 'Renamed by the other', description: 'Of the other.' })
    await others.getByRole('button', { name: t.projectForm.save }).click()
    await expect(others).toHaveCount(0)

    expectFailure(/\/api\/admin\/projects\/[\w-]+$/, 409)
    const save = form.getByRole('button', { name: texts.projectForm.save })
    await save.click()
    const alert = form.getByRole('alert')
    await expect(alert).toContainText(texts.projectForm.outdated)
    await expect(notice(page)).toContainText(texts.projects.updateFailed)
    await expect(alert.getByRole('button')).toBeInViewport({ ratio: 1 })
    await expect(field(form, texts.projectForm.description)).toHaveValue('Mine, and long.')
    await sendNoticeAway(page)
    await axe(page)
    await save.click()
    await expect(notice(page)).toContainText(texts.projects.updateFailed)
    await expect(alert).toBeVisible()

    await alert.getByRole('button', { name: texts.projectForm.load }).click()
    const asking = page.getByRole('alertdialog', { name: texts.projectForm.loadTitle })
    await axe(page)
    await asking.getByRole('button', { name: texts.projectForm.stay }).click()
    await expect(field(form, texts.projectForm.description)).toHaveValue('Mine, and long.')
    await alert.getByRole('button', { name: texts.projectForm.load }).click()
    await asking.getByRole('button', { name: texts.projectForm.loadConfirm }).click()
    await expect(alert).toHaveCount(0)
    await expect(form).toBeFocused()
    await expect(field(form, texts.projectForm.title)).toHaveValue('Renamed by the other')
    await expect(field(form, texts.projectForm.description)).toHaveValue('Of the other.')

    await writeProject(form, texts, { description: 'Of the other, and mine.' })
    await save.click()
    await expect(notice(page)).toContainText(texts.projects.updated)
    await expect(form).toHaveCount(0)
    await page.getByRole('button', { name: texts.projects.edit('Renamed by the other') }).click()
    await expect(field(form, texts.projectForm.description)).toHaveValue('Of the other, and mine.')
  })
}

test('a restored draft does not overwrite what was saved since it was begun', async ({ page, startSite, expectFailure }) => {
  await playOlderSite(page)
  const url = await panel()
  const created = await page.request.post(`${url}/api/admin/projects`, { data: aWrittenProject })
  const { id } = (await created.json()) as { id: string }
  await page.reload()
  const edit = page.getByRole('button', { name: t.projects.edit(aWrittenProject.title) })
  const form = page.getByRole('dialog', { name: t.projectForm.editTitle })
  await edit.click()
  await writeProject(form, t, { description: 'Half a sentence' })
  await page.request.put(`${url}/api/admin/projects/${id}`, { data: { scale: '1:12' } })
  await page.reload()
  await page.getByRole('button', { name: t.projects.draftContinue }).click()
  await expect(form.getByText(t.projectForm.restored)).toBeVisible()
  expectFailure(/\/api\/admin\/projects\/[\w-]+$/, 409)
  await form.getByRole('button', { name: t.projectForm.save }).click()
  await expect(form.getByRole('alert')).toContainText(t.projectForm.outdated)
  await expect(field(form, t.projectForm.scale)).toHaveValue('1:75')
  await expect(field(form, t.projectForm.description)).toHaveValue('Half a sentence')

  // Loaded, the form is the newer version, and nothing of the draft is kept.
  await form.getByRole('button', { name: t.projectForm.load }).click()
  await page.getByRole('button', { name: t.projectForm.loadConfirm }).click()
  await expect(field(form, t.projectForm.scale)).toHaveValue('1:12')
  await page.reload()
  await expect(page.getByText(t.projects.draftContinue)).toHaveCount(0)
  await edit.click()
  await writeProject(form, t, { description: 'A whole sentence.' })
  await form.getByRole('button', { name: t.projectForm.save }).click()
  await expect(notice(page)).toContainText(t.projects.updated)
  await expect(row(page, aWrittenProject.title)).toContainText('Scale: 1:12')
})

test('when the newer version cannot be loaded, what was typed stays', async ({ page, startSite, expectFailure }) => {
  await playOlderSite(page)
  const url = await panel()
  const created = await page.request.post(`${url}/api/admin/projects`, { data: aWrittenProject })
  const { id } = (await created.json()) as { id: string }
  await page.reload()
  await page.getByRole('button', { name: t.projects.edit(aWrittenProject.title) }).click()
  const form = page.getByRole('dialog', { name: t.projectForm.editTitle })
  await writeProject(form, t, { description: 'Mine' })
  await page.request.put(`${url}/api/admin/projects/${id}`, { data: { scale: '1:12' } })
  expectFailure(/\/api\/admin\/projects\/[\w-]+$/, 409)
  await form.getByRole('button', { name: t.projectForm.save }).click()
  await expect(form.getByRole('alert')).toBeVisible()
  await sendNoticeAway(page)

  const asking = page.getByRole('alertdialog', { name: t.projectForm.loadTitle })
  const load = asking.getByRole('button', { name: t.projectForm.loadConfirm })
  expectFailure(/\/api\/projects\/[\w-]+$/, 500)
  await page.route('**/api/projects/*', (route) => route.fulfill({ status: 500, body: '' }))
  await form.getByRole('button', { name: t.projectForm.load }).click()
  await load.click()
  await expect(notice(page)).toContainText(t.projectForm.loadFailed)
  await expect(asking.getByText(t.projectForm.loadFailed)).toBeVisible()
  await page.unroute('**/api/projects/*')
  expectFailure(/\/api\/projects\/[\w-]+$/, 404)
  await page.request.delete(`${url}/api/admin/projects/${id}`)
  await load.click()
  await expect(notice(page)).toContainText(t.projectForm.gone)
  await expect(asking.getByText(t.projectForm.gone)).toBeVisible()
  await asking.getByRole('button', { name: t.projectForm.stay }).click()
  await expect(form.getByRole('alert')).toBeVisible()
  await expect(field(form, t.projectForm.description)).toHaveValue('Mine')
})

test('more than twelve projects can be searched and filtered', async ({ page, startSite, axe }) => {
  const { url } = await startSite()
  await enterPanel(page, url, demoAccount)
  const rows = page.getByRole('region', { name: t.projects.title }).getByRole('listitem')
  await expect(rows).toHaveCount(12)
  await expect(page.getByRole('searchbox')).toHaveCount(0)
  const [{ imageUrl }] = (await (await page.request.get(`${url}/api/projects`)).json()) as [{ imageUrl: string }]
  await page.request.post(`${url}/api/admin/projects`, { data: aProject({ title: 'Tarasca, número trece', imageUrl }) })
  await page.reload()
  await expect(rows).toHaveCount(13)
  const search = page.getByRole('searchbox', { name: t.projects.search })
  await search.fill('numero TRECE')
  await expect(rows).toHaveCount(1)
  await expect(page.getByText(t.projects.count(1, 13))).toBeVisible()
  await axe(page)
  await search.fill('')
  await page.getByRole('combobox', { name: t.projects.category }).selectOption('figures')
  await expect(rows).toHaveCount(2)
  await search.fill('locomotive')
  await expect(page.getByText(t.projects.noMatch)).toBeVisible()
})

test('a list that could not be read says so and can be asked for again', async ({ page, baseURL, expectFailure, axe }) => {
  const lists = /\/api\/(admin\/(projects|users|overview)|contacts)(\?|$)/
  expectFailure(lists, 500)
  await page.route(lists, (route) => route.fulfill({ status: 500, body: '' }))
  await enterPanel(page, baseURL ?? '', demoAccount)
  for (const failed of ['Failed to fetch projects', t.messages.failed, t.accounts.failed]) {
    await expect(page.getByRole('alert').filter({ hasText: failed })).toBeVisible()
  }
  const overview = page.getByRole('region', { name: t.dashboard.overview })
  await expect(overview.getByRole('definition')).toHaveText(['–', '–', '–'])
  await axe(page)
  await page.unroute(lists)
  for (const { title } of [t.projects, t.messages, t.accounts]) {
    const block = page.getByRole('region', { name: title })
    await block.getByRole('button', { name: t.common.retry }).click()
    await expect(block.getByRole('alert')).toHaveCount(0)
    await expect(block).toBeFocused()
    await alive(page)
  }
  await expect(page.getByRole('alert')).toHaveCount(0)
  await expect(row(page, 'Frigate “Aurora”')).toBeVisible()
})

for (const { language, t: texts } of makers) {
  test(`in ${language}, of sixty projects the panel shows some, finds any, and keeps its place when one is changed`, async ({
    page,
    startSite,
    axe,
  }) => {
    const { url } = await startSite(makersOwn)
    await chooseLanguage(page, url, language)
    await playOlderSite(page)
    const projects = manyProjects(60).map((project) => ({
      ...project,
      materials: 'Brass',
      techniques: 'Soldering',
      timeSpent: '40',
    }))
    const titles = projects.map(({ title, titleEs }) => (language === 'es' ? (titleEs ?? '') : title))
    await fill(page.request, url, { projects })
    await enterPanel(page, url)
    const block = page.getByRole('region', { name: texts.projects.title })
    const headings = block.getByRole('heading', { level: 3 })
    await expect(headings).toHaveText(titles.slice(0, 24))
    await expect(page.getByRole('definition').first()).toHaveText('60')
    await expect(block.getByText(texts.projects.count(60, 60))).toBeVisible()
    await axe(page)

    await block.getByRole('button', { name: texts.projects.more(36) }).focus()
    await page.keyboard.press('Enter')
    await expect(headings).toHaveText(titles.slice(0, 48))
    await expect(block.getByRole('button', { name: texts.projects.feature(titles[24] ?? '') })).toBeFocused()

    // A change of the last one shown leaves the others where they are.
    const last = titles[47] ?? ''
    await block.getByRole('button', { name: texts.projects.feature(last), exact: true }).click()
    await expect(row(block, last).getByText(texts.projects.featured, { exact: true })).toBeVisible()
    await expect(headings).toHaveText(titles.slice(0, 48))
    await expect(page.getByRole('definition').nth(2)).toHaveText('1')

    const search = page.getByRole('searchbox', { name: texts.projects.search })
    await search.fill('1:57')
    await expect(headings).toHaveText([titles[56] ?? ''])
    await expect(block.getByText(texts.projects.count(1, 60))).toBeVisible()
    await block.getByRole('button', { name: texts.projects.edit(titles[56] ?? ''), exact: true }).click()
    const form = page.getByRole('dialog', { name: texts.projectForm.editTitle })
    await writeProject(form, texts, { scale: '1:157' })
    await form.getByRole('button', { name: texts.projectForm.save }).click()
    await expect(notice(page)).toContainText(texts.projects.updated)
    await expect(block.getByText(texts.projects.noMatch)).toBeVisible()
    await search.fill('1:157')
    await expect(headings).toHaveText([titles[56] ?? ''])
    await search.fill('')
    await page.getByRole('combobox', { name: texts.projects.category }).selectOption('aircraft')
    await expect(headings).toHaveCount(10)
    await expect(block.getByText(texts.projects.count(10, 60))).toBeVisible()
  })
}

test('a draft of a project that is not on the first page is continued', async ({ page, startSite }) => {
  const url = await panel({ projects: manyProjects(60) })
  await page.getByRole('searchbox', { name: t.projects.search }).fill('1:57')
  await page.getByRole('button', { name: t.projects.edit('Model 57') }).click()
  const form = page.getByRole('dialog', { name: t.projectForm.editTitle })
  await writeProject(form, t, { description: 'Half a sentence' })
  await page.reload()
  await page.getByRole('button', { name: t.projects.draftContinue }).click()
  await expect(field(form, t.projectForm.title)).toHaveValue('Model 57')
  await expect(field(form, t.projectForm.description)).toHaveValue('Half a sentence')
})

for (const { language, t: texts } of makers) {
  test(`in ${language}, the demo account is warned of until it has a password of its own`, async ({ page, startSite, axe }) => {
    const { url } = await startSite()
    await chooseLanguage(page, url, language)
    await enterPanel(page, url, demoAccount)
    const warning = page.getByRole('status').filter({ hasText: texts.warnings.demo_account })
    await expect(warning).toBeVisible()
    await axe(page)
    await page.reload()
    await warning.getByRole('button', { name: texts.accounts.change }).click()
    const changing = page.getByRole('dialog', { name: texts.accounts.changeTitle })
    await field(changing, texts.accounts.currentPassword).fill(demoAccount.password)
    await field(changing, texts.accounts.newPassword).fill('a password of my own')
    await changing.getByRole('button', { name: texts.accounts.change }).click()
    await expect(notice(page)).toContainText(texts.accounts.changeDone)
    await expect(warning).toHaveCount(0)
  })
}

test('what else the owner should see to is told as well', async ({ page, startSite, axe }) => {
  const { url } = await startSite(makersOwn)
  const overview = { projects: 0, featuredProjects: 0, contacts: 0, warnings: ['proxy_not_trusted', 'one_visitor'] }
  await page.route(`**${readOverview.path}`, (route) => route.fulfill({ json: overview }))
  await enterPanel(page, url)
  for (const warning of ['proxy_not_trusted', 'one_visitor'] as const) {
    await expect(page.getByText(t.warnings[warning])).toBeVisible()
  }
  await axe(page)
})
