import { adminEn as t } from '#content/en.admin.ts'
import { en } from '#content/en.ts'
import { readOverview } from '#contract/overview.ts'
import { createProject } from '#contract/projects.admin.ts'
import { alive } from './alive.ts'
import { expect, test } from './fixtures.ts'
import { holdBack } from './hold-back.ts'
import {
  aWrittenProject,
  field,
  inEnglish,
  inSpanish,
  keepNotice,
  notice,
  playOlderSite,
  row,
  sendNoticeAway,
  writeProject,
} from './maker.ts'
import { manyProjects } from './many.ts'
import { card } from './visitor.ts'

test('the maker creates, edits, features and deletes a project, and a visitor sees each of it', async ({
  page,
  browser,
  watch,
  axe,
  panel,
}) => {
  await playOlderSite(page)
  const url = await panel()
  const visitor = await (await browser.newContext()).newPage()
  await watch(visitor)
  await playOlderSite(visitor)

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
  await expect(steamer).toContainText(t.projects.incomplete.es)
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
  expect(await (await visitor.request.get(`${url}/?lang=es`)).text()).toContain('Vapor de ruedas «Grijalva»')

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
  await keepNotice(page)
  await expect(notice(page)).toContainText('Project deleted successfully')
  await expect(page.getByText(t.projects.empty)).toBeVisible()
  await visitor.goto(url)
  await expect(visitor.getByText(en.gallery.emptyAll)).toBeVisible()

  await page.keyboard.press('F8')
  await expect(page.getByRole('region', { name: /Notifications/ }).getByRole('list')).toBeFocused()
  await page.keyboard.press('Tab')
  await page.keyboard.press('Tab')
  await expect(notice(page).getByRole('button', { name: t.projects.undo })).toBeFocused()
  await axe(page)
  await page.keyboard.press('Enter')
  await expect(notice(page)).toContainText(t.projects.restored('Paddle steamer "Grijalva"'))
  await expect(renamed).toBeFocused()
  await expect(renamed).toContainText(t.projects.frontPage)
  await visitor.goto(url)
  await expect(card(visitor, en, 'Paddle steamer "Grijalva"')).toBeVisible()
})

for (const { language, t: texts } of inSpanish) {
  test(`in ${language}, every field that is missing says so, and a half-written form is not left without a question`, async ({
    page,
    panel,
    axe,
  }) => {
    await panel({ language })
    const writes: string[] = []
    page.on('request', (request) => void (request.method() === 'POST' && writes.push(request.url())))
    const add = page.getByRole('button', { name: texts.projects.add })
    await add.click()
    const form = page.getByRole('dialog', { name: texts.projectForm.createTitle })
    const title = field(form, texts.projectForm.title)

    await test.step('every field, and nothing is sent', async () => {
      await form.getByRole('button', { name: texts.projectForm.save }).click()
      for (const sentence of Object.values(texts.projectForm.missing)) await expect(form.getByText(sentence)).toBeVisible()
      await expect(title).toBeFocused()
      await axe(page, { atBothSizes: true })
      await title.fill('T')
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

    await test.step('what was written stays or goes as answered', async () => {
      await page.keyboard.press('Escape')
      const asking = page.getByRole('alertdialog', { name: texts.projectForm.leaveTitle })
      await axe(page, { atBothSizes: true })
      await asking.getByRole('button', { name: texts.projectForm.stay }).click()
      await expect(title).toHaveValue(aWrittenProject.title)
      await form.getByRole('button', { name: texts.common.close }).click()
      await asking.getByRole('button', { name: texts.projectForm.leave }).click()
      await expect(form).toHaveCount(0)
      await expect(add).toBeFocused()
      await add.click()
      await expect(title).toHaveValue('')
    })
  })
}

test('a project that could not be saved stays in the form, is saved once, and deleted once, however often is clicked', async ({
  page,
  panel,
  expectFailure,
}) => {
  await playOlderSite(page)
  await panel()
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

  const calls: string[] = []
  page.on('request', (each) => void (each.method() === 'DELETE' && calls.push(each.url())))
  await page.getByRole('button', { name: t.projects.delete(aWrittenProject.title) }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: t.common.delete, exact: true }).dblclick()
  await expect(notice(page)).toContainText(t.projects.deleted)
  expect(calls).toHaveLength(1)
})

for (const { language, t: texts } of inSpanish) {
  test(`in ${language}, a save from an older version is refused, keeps what was typed, and loads the newer one on request`, async ({
    page,
    expectFailure,
    axe,
    panel,
  }) => {
    await playOlderSite(page)
    const url = await panel({ language })
    const created = await page.request.post(`${url}${createProject.path}`, { data: aWrittenProject })
    const { id } = (await created.json()) as { id: string }
    await page.reload()
    await page.getByRole('button', { name: texts.projects.edit(aWrittenProject.title) }).click()
    const form = page.getByRole('dialog', { name: texts.projectForm.editTitle })
    await writeProject(form, texts, { description: 'Mine, and long.' })

    const others = { title: 'Renamed by the other', description: 'Of the other.' }
    await page.request.put(`${url}/api/admin/projects/${id}`, { data: others })
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

test('a restored draft does not overwrite what was saved since it was begun', async ({ page, expectFailure, panel }) => {
  await playOlderSite(page)
  const url = await panel()
  const created = await page.request.post(`${url}${createProject.path}`, { data: aWrittenProject })
  const { id } = (await created.json()) as { id: string }
  await page.reload()
  const edit = page.getByRole('button', { name: t.projects.edit(aWrittenProject.title) })
  const form = page.getByRole('dialog', { name: t.projectForm.editTitle })
  await edit.click()
  await writeProject(form, t, { description: 'Half a sentence' })
  await page.request.put(`${url}/api/admin/projects/${id}`, { data: { scale: '1:12' } })
  await page.reload()
  await page.getByRole('button', { name: t.projects.unsavedContinue }).click()
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
  await expect(page.getByText(t.projects.unsavedContinue)).toHaveCount(0)
  await edit.click()
  await writeProject(form, t, { description: 'A whole sentence.' })
  await form.getByRole('button', { name: t.projectForm.save }).click()
  await expect(notice(page)).toContainText(t.projects.updated)
  await expect(row(page, aWrittenProject.title)).toContainText('Scale: 1:12')
})

test('when the newer version cannot be loaded, what was typed stays', async ({ page, expectFailure, panel }) => {
  await playOlderSite(page)
  const url = await panel()
  const created = await page.request.post(`${url}${createProject.path}`, { data: aWrittenProject })
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

test('a list that is on its way says so, and so does one that could not be read, which can be asked for again', async ({
  page,
  panel,
  expectFailure,
  axe,
}) => {
  const lists = /\/api\/(admin\/(projects|users|overview)|contacts)(\?|$)/
  expectFailure(lists, 500)
  const release = await holdBack(page, lists, { status: 500, body: '' })
  const arrived = panel({ projects: manyProjects(1) })
  for (const { title, loading } of [t.projects, t.messages, t.accounts]) {
    await expect(page.getByRole('region', { name: title }).getByRole('status')).toHaveText(loading)
  }
  await axe(page)
  release()
  await arrived
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
  await expect(row(page, 'Model 1')).toBeVisible()
  await expect(page.getByText(t.messages.empty)).toBeVisible()
})

for (const { language, t: texts } of inEnglish) {
  test(`in ${language}, of sixty projects the panel shows some, finds any, and keeps its place when one is changed`, async ({
    page,
    axe,
    panel,
  }) => {
    const projects = manyProjects(60)
    const titles = projects.map(({ title, titleEs }) => (language === 'es' ? (titleEs ?? '') : title))
    await panel({ language, projects })
    const block = page.getByRole('region', { name: texts.projects.title })
    const headings = block.getByRole('heading', { level: 3 })
    await expect(headings).toHaveText(titles.slice(0, 24))
    await expect(page.getByRole('definition').first()).toHaveText('60')
    await expect(block.getByText(texts.projects.count(60, 60))).toBeVisible()
    await axe(page, { within: block })

    await block.getByRole('button', { name: texts.projects.more(36) }).focus()
    await page.keyboard.press('Enter')
    await expect(headings).toHaveText(titles.slice(0, 48))
    await expect(
      row(block, titles[24] ?? '')
        .getByRole('button')
        .first(),
    ).toBeFocused()

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
    // A draft of a project that is not on the first page is continued.
    await page.reload()
    await page.getByRole('button', { name: texts.projects.unsavedContinue }).click()
    await expect(field(form, texts.projectForm.title)).toHaveValue('Model 57')
    await expect(field(form, texts.projectForm.scale)).toHaveValue('1:157')
    await form.getByRole('button', { name: texts.projectForm.save }).click()
    await expect(notice(page)).toContainText(texts.projects.updated)
    await search.fill('1:57')
    await expect(block.getByText(texts.projects.noMatch)).toBeVisible()
    await search.fill('1:157')
    await expect(headings).toHaveText([titles[56] ?? ''])
    await search.fill('')
    await page.getByRole('combobox', { name: texts.projects.category }).selectOption('aircraft')
    await expect(headings).toHaveCount(10)
    await expect(block.getByText(texts.projects.count(10, 60))).toBeVisible()
  })
}

test('what else the owner should see to is told as well', async ({ page, axe, panel }) => {
  const overview = { projects: 0, featuredProjects: 0, contacts: 0, warnings: ['proxy_not_trusted', 'one_visitor'] }
  await page.route(`**${readOverview.path}`, (route) => route.fulfill({ json: overview }))
  await panel()
  for (const warning of ['proxy_not_trusted', 'one_visitor'] as const) {
    await expect(page.getByText(t.warnings[warning])).toBeVisible()
  }
  await axe(page)
})
