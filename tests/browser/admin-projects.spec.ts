import { randomUUID } from 'node:crypto'
import { admin as t } from '#content/en/admin.ts'
import { site as en } from '#content/en/site.ts'
import { upload as uploadEn } from '#content/en/upload.ts'
import { upload as uploadEs } from '#content/es/upload.ts'
import { languageName } from '#contract/languages.ts'
import { alive } from './alive.ts'
import { expect, test } from './fixtures.ts'
import { doFirst, holdBack } from './hold-back.ts'
import {
  aWrittenProject,
  bring,
  field,
  inEnglish,
  inSpanish,
  keepNotice,
  notice,
  photosPart,
  row,
  sendNoticeAway,
  showTextsIn,
  writeProject,
} from './maker.ts'
import { manyProjects } from './many.ts'
import { card } from './visitor.ts'

const words = { en: uploadEn, es: uploadEs }

test('the maker creates, edits, features and deletes a project, and a visitor sees each of it', async ({
  page,
  browser,
  watch,
  axe,
  panel,
}) => {
  const url = await panel()
  const visitor = await (await browser.newContext()).newPage()
  await watch(visitor)

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
  await expect(steamer).toContainText(t.projects.incomplete('Spanish'))
  await expect(steamer.getByText(t.projects.featured, { exact: true })).toHaveCount(0)
  await visitor.goto(url)
  await expect(card(visitor, en, aWrittenProject.title)).toBeVisible()

  await page.getByRole('button', { name: t.projects.add }).click()
  await expect(field(creating, t.projectForm.labels.title)).toHaveValue('')
  await page.keyboard.press('Escape')
  await expect(page.getByRole('button', { name: t.projects.add })).toBeFocused()

  const edit = page.getByRole('button', { name: t.projects.edit(aWrittenProject.title) })
  await edit.click()
  const editing = page.getByRole('dialog', { name: 'Edit Project' })
  await expect(field(editing, t.projectForm.labels.scale)).toHaveValue('1:75')
  await writeProject(editing, t, { title: 'Paddle steamer "Grijalva"', timeSpent: 'a whole winter' })
  await showTextsIn(editing, 'es', 'en')
  await field(editing, t.projectForm.labels.title).fill('Vapor de ruedas «Grijalva»')
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
  await expect(notice(page).getByRole('button', { name: t.common.undo })).toBeFocused()
  await axe(page, { within: page.getByRole('region', { name: t.projects.title }) })
  await page.keyboard.press('Enter')
  await expect(notice(page)).toContainText(t.projects.restored('Paddle steamer "Grijalva"'))
  await expect(renamed).toBeFocused()
  await expect(renamed).toContainText(t.projects.featured)
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
    const title = field(form, texts.projectForm.labels.title)
    const photos = photosPart(form)
    const { imageUrl, ...allButThePhoto } = aWrittenProject

    await test.step('every field, and nothing is sent', async () => {
      await form.getByRole('button', { name: texts.projectForm.save }).click()
      for (const sentence of Object.values(texts.projectForm.missing)) await expect(form.getByText(sentence)).toBeVisible()
      await expect(photos.getByRole('button').first()).toBeFocused()
      await title.fill('T')
      await expect(form.getByText(texts.projectForm.missing.title)).toHaveCount(0)
      await writeProject(form, texts, allButThePhoto)
      await form.getByRole('button', { name: texts.projectForm.save }).click()
      await expect(photos.getByRole('button').first()).toBeFocused()
      await photos.getByRole('button', { name: /https:/ }).click()
      const address = photos.getByLabel(texts.photo.address)
      await expect(address).toBeFocused()
      await address.fill('http://older-site.example/steamer.jpg')
      await address.press('Enter')
      await expect(photos.getByText(texts.projectForm.faults.not_a_photo())).toBeVisible()
      await address.fill(imageUrl)
      await address.press('Enter')
      await expect(photos.getByRole('listitem')).toHaveCount(1)
      expect(writes).toEqual([])
    })

    await test.step('says what the readers of the other language see, and goes to its fault', async () => {
      const { languages, labels } = texts.projectForm
      const [here, there] = [languageName('es', language), languageName('en', language)]
      await expect(form.getByText(languages.nothing(there, here))).toBeVisible()
      await showTextsIn(form, 'en', language)
      await title.fill('Steamer')
      const gaps = languages.missing(there, here, [labels.description, labels.materials, labels.techniques].join(', '))
      await expect(form.getByText(gaps)).toBeVisible()
      await title.fill('x'.repeat(201))
      await showTextsIn(form, 'es', language)
      await expect(title).toHaveValue(aWrittenProject.title)
      await form.getByRole('button', { name: texts.projectForm.save }).click()
      await expect(title).toBeFocused()
      await expect(title).toHaveAttribute('lang', 'en')
      await expect(form.getByRole('img', { name: languages.faulty })).toBeVisible()
      await axe(page, { atBothSizes: true })
      await title.fill('')
      await showTextsIn(form, 'es', language)
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

test('a project that could not be saved, featured or deleted says so where it was tried, is saved once, and deleted once, however often is clicked', async ({
  page,
  panel,
  expectFailure,
  axe,
}) => {
  await panel()
  expectFailure(/\/api\/admin\/projects$/, 500)
  const release = await holdBack(page, '**/api/admin/projects?with=*', { status: 500, body: '' })
  await page.getByRole('button', { name: t.projects.add }).click()
  const form = page.getByRole('dialog', { name: t.projectForm.createTitle })
  await writeProject(form, t, aWrittenProject)
  await field(form, t.projectForm.labels.title).press('Enter')
  await expect(form.getByRole('button', { name: 'Saving...' })).toBeDisabled()
  await page.keyboard.type('nothing is typed meanwhile')
  await bring(page, form, 'drop', Buffer.of(1))
  release()
  await expect(notice(page)).toContainText(/Error.*Failed to create project/)
  await sendNoticeAway(page)
  await expect(field(form, t.projectForm.labels.title)).toBeFocused()
  await expect(form.getByText('brought.jpg')).toHaveCount(0)
  await expect(form.getByText('Failed to create project')).toBeVisible()
  await expect(field(form, t.projectForm.labels.title)).toHaveValue(aWrittenProject.title)
  await page.unroute('**/api/admin/projects?with=*')
  await form.getByRole('button', { name: t.projectForm.save }).click()
  await expect(notice(page)).toContainText('Project created successfully')

  const asking = page.getByRole('alertdialog', { name: t.projects.deleteTitle })
  const remove = page.getByRole('button', { name: t.projects.delete(aWrittenProject.title) })
  await test.step('in its row and in the question', async () => {
    expectFailure(/\/api\/admin\/projects\//, 500)
    await page.route('**/api/admin/projects/*', (route) => route.fulfill({ status: 500, body: '' }))
    await page.getByRole('button', { name: t.projects.feature(aWrittenProject.title) }).click()
    await expect(notice(page)).toContainText('Failed to update project')
    await sendNoticeAway(page)
    await expect(row(page, aWrittenProject.title).getByText('Failed to update project')).toBeVisible()
    await remove.click()
    for (const _ of [1, 2]) {
      await asking.getByRole('button', { name: t.common.delete }).click()
      await expect(notice(page)).toContainText('Failed to delete project')
      await sendNoticeAway(page)
      await expect(asking.getByText('Failed to delete project')).toBeVisible()
    }
    await axe(page)
    await asking.getByRole('button', { name: t.common.cancel }).click()
    await page.unroute('**/api/admin/projects/*')
  })

  const calls: string[] = []
  page.on('request', (each) => void (each.method() === 'DELETE' && calls.push(each.url())))
  await remove.click()
  await expect(asking.getByText('Failed to delete project')).toHaveCount(0)
  await asking.getByRole('button', { name: t.common.delete, exact: true }).dblclick()
  await expect(notice(page)).toContainText(t.projects.deleted)
  expect(calls).toHaveLength(1)
})

for (const { language, t: texts } of inSpanish) {
  test(`in ${language}, a save over a newer version shows both, field by field, until one is chosen`, async ({
    page,
    expectFailure,
    axe,
    panel,
  }) => {
    const { conflict, ...f } = texts.projectForm
    const id = randomUUID()
    const url = await panel({ language, projects: [{ ...aWrittenProject, id }] })
    const saving = `${url}/api/admin/projects/${id}`
    await page.getByRole('button', { name: texts.projects.edit(aWrittenProject.title) }).click()
    const form = page.getByRole('dialog', { name: f.editTitle })
    await showTextsIn(form, 'en', language)
    await writeProject(form, texts, { description: 'Mine, and long.', scale: '1:72' })

    const photos = [{ imageUrl: 'https://older-site.example/bow.jpg', caption: 'Her bow' }]
    const newer = { title: 'Renamed by the other', description: 'Of the other.', photos }
    await doFirst(page, `${saving}?*`, () => page.request.put(saving, { data: newer }))
    expectFailure(/\/api\/admin\/projects\/[\w-]+$/, 409)
    const save = form.getByRole('button', { name: f.save })
    await save.click()
    await expect(notice(page)).toContainText(texts.projects.updateFailed)
    const both = page.getByRole('dialog', { name: conflict.title })
    const choice = (label: string, side: keyof typeof conflict.sides) =>
      both.getByRole('group', { name: label }).getByRole('radio', { name: conflict.sides[side] })
    await sendNoticeAway(page)
    await axe(page, { atBothSizes: true })

    await test.step('what only one of the two has changed is taken from that one', async () => {
      await expect(both.getByRole('group')).toHaveCount(4)
      await expect(choice(f.labels.title, 'saved')).toBeChecked()
      await expect(choice(f.labels.scale, 'yours')).toBeChecked()
      const description = both.getByRole('group', { name: f.labels.description })
      await expect(description).toContainText(conflict.contested)
      await expect(description).toContainText('Mine, and long.')
      await expect(description).toContainText('Of the other.')
      await expect(choice(f.labels.description, 'yours')).toBeChecked()
      const theirPhotos = both.getByRole('group', { name: words[language].photos.title })
      await expect(theirPhotos.getByRole('img', { name: words[language].photos.position(1, 1) })).toBeVisible()
      await expect(theirPhotos).toContainText('Her bow')
    })

    await test.step('going back leaves the form as it was', async () => {
      await both.getByRole('button', { name: conflict.back }).click()
      await expect(both).toHaveCount(0)
      await expect(field(form, f.labels.title)).toHaveValue(aWrittenProject.title)
      await expect(field(form, f.labels.description)).toHaveValue('Mine, and long.')
      await expect(form.getByRole('alert').filter({ hasText: f.outdated })).toContainText(conflict.kept)
      await axe(page)
    })

    await test.step('a choice that is outdated by then is shown anew, and the next one stays', async () => {
      await form.getByRole('button', { name: conflict.compare }).click()
      await choice(f.labels.description, 'saved').check()
      await doFirst(page, `${saving}?*`, () => page.request.put(saving, { data: { title: 'Renamed once more' } }))
      await both.getByRole('button', { name: conflict.save }).click()
      await expect(notice(page)).toContainText(texts.projects.updateFailed)
      await expect(both.getByRole('group', { name: f.labels.title })).toContainText('Renamed once more')
      await expect(both.getByRole('group')).toHaveCount(2)
      await both.getByRole('button', { name: conflict.save }).click()
      await expect(notice(page)).toContainText(texts.projects.updated)
      await expect(form).toHaveCount(0)
    })
    const found = await page.request.get(`${url}/api/projects/${id}`)
    expect((await found.json()).project).toMatchObject({
      title: 'Renamed once more',
      description: 'Of the other.',
      scale: '1:72',
      photos: [{ caption: 'Her bow' }],
    })
  })
}

test('what was typed survives a newer version that cannot be read, the trash, and what is gone for good', async ({
  page,
  expectFailure,
  panel,
}) => {
  const { conflict, ...f } = t.projectForm
  const id = randomUUID()
  const url = await panel({ projects: [{ ...aWrittenProject, id }] })
  await page.getByRole('button', { name: t.projects.edit(aWrittenProject.title) }).click()
  const form = page.getByRole('dialog', { name: f.editTitle })
  await writeProject(form, t, { description: 'Half a sentence' })

  // A form that was kept remembers which version it began with.
  const saving = `${url}/api/admin/projects/${id}`
  await page.request.put(saving, { data: { scale: '1:12' } })
  await page.reload()
  await page.getByRole('button', { name: t.projects.unsavedContinue }).click()
  await expect(form.getByText(conflict.restoredOlder)).toBeVisible()
  await expect(field(form, f.labels.scale)).toHaveValue('1:75')

  expectFailure(/\/api\/admin\/projects\/[\w-]+$/, 409)
  expectFailure(/\/api\/projects\/[\w-]+$/, 500)
  await page.route('**/api/projects/*', (route) => route.fulfill({ status: 500, body: '' }))
  const save = form.getByRole('button', { name: f.save })
  await save.click()
  await expect(form.getByRole('alert').filter({ hasText: f.outdated })).toContainText(conflict.loadFailed)
  await page.unroute('**/api/projects/*')
  await form.getByRole('button', { name: conflict.compare }).click()
  const both = page.getByRole('dialog', { name: conflict.title })
  await expect(both.getByRole('group')).toHaveCount(2)
  await page.keyboard.press('Escape')
  await expect(both).toHaveCount(0)

  // In the trash: it comes back, and what was saved meanwhile is asked about again.
  expectFailure(/\/api\/(admin\/)?projects\/[\w-]+$/, 404)
  await doFirst(page, `${saving}?*`, () => page.request.delete(saving))
  await save.click()
  const gone = form.getByRole('alert').filter({ hasText: conflict.gone })
  await expect(gone).toContainText(conflict.goneText)
  await gone.getByRole('button', { name: conflict.restore }).click()
  await both.getByRole('button', { name: conflict.save }).click()
  await expect(notice(page)).toContainText(t.projects.updated)
  await expect(row(page, aWrittenProject.title)).toContainText('Scale: 1:12')

  // Gone for good: it becomes a new one.
  await page.getByRole('button', { name: t.projects.edit(aWrittenProject.title) }).click()
  await expect(field(form, f.labels.description)).toHaveValue('Half a sentence')
  await writeProject(form, t, { description: 'A whole sentence.' })
  await page.request.delete(saving)
  await page.request.delete(`${url}/api/admin/trash/${id}`)
  await page.reload()
  await page.getByRole('button', { name: t.projects.unsavedContinue }).click()
  await save.click()
  expectFailure(/\/api\/admin\/trash\/[\w-]+\/restore$/, 404)
  await gone.getByRole('button', { name: conflict.restore }).click()
  await expect(gone).toContainText(conflict.goneForGood)
  await gone.getByRole('button', { name: conflict.saveAsNew }).click()
  await expect(notice(page)).toContainText(t.projects.created)
  await page.getByRole('button', { name: t.projects.edit(aWrittenProject.title) }).click()
  await expect(field(form, f.labels.description)).toHaveValue('A whole sentence.')

  // Saved, but the answer was lost: there is nothing to choose.
  await writeProject(form, t, { description: 'Two sentences. ' })
  expectFailure(/\/api\/admin\/projects\/[\w-]+$/, 0)
  await page.route('**/api/admin/projects/*', async (route) => {
    await route.fetch()
    await route.abort()
  })
  await save.click()
  await expect(form.getByText(t.projects.updateFailed)).toBeVisible()
  await page.unroute('**/api/admin/projects/*')
  await save.click()
  await expect(notice(page)).toContainText(t.projects.updated)
  await expect(page.getByRole('dialog')).toHaveCount(0)
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
    await expect(page.getByRole('region', { name: title }).getByRole('status').filter({ hasText: loading })).toHaveText(loading)
  }
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
  test(`in ${language}, of sixty projects the panel shows some, finds any, and keeps its place when one is changed; a kept form is continued or discarded`, async ({
    page,
    axe,
    panel,
  }) => {
    const projects = manyProjects(60)
    const titles = projects.map(({ title, translations }) => translations?.[language]?.title ?? title)
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

    const form = page.getByRole('dialog', { name: texts.projectForm.editTitle })
    await test.step('a kept form can be discarded: in the form, and from the dashboard', async () => {
      const edit = block.getByRole('button', { name: texts.projects.edit('Model 1'), exact: true })
      await edit.click()
      await writeProject(form, texts, { title: 'Model 1, corrected' })
      await page.reload()
      await expect(page.getByText(texts.projects.unsavedWaiting('Model 1, corrected'))).toBeVisible()
      await edit.click()
      await expect(field(form, texts.projectForm.labels.title)).toHaveValue('Model 1, corrected')
      await form.getByRole('button', { name: texts.projectForm.discardRestored }).click()
      await expect(field(form, texts.projectForm.labels.title)).toHaveValue('Model 1')
      await page.keyboard.press('Escape')
      await expect(form).toHaveCount(0)
      await expect(page.getByText(texts.projects.unsavedContinue)).toHaveCount(0)

      await edit.click()
      await writeProject(form, texts, { scale: '1:2' })
      await page.reload()
      await page.getByRole('button', { name: texts.projects.unsavedDiscard }).click()
      await expect(page.getByText(texts.projects.unsavedContinue)).toHaveCount(0)
      await edit.click()
      await expect(field(form, texts.projectForm.labels.scale)).toHaveValue('1:1')
      await page.keyboard.press('Escape')
      await expect(form).toHaveCount(0)
    })

    const search = page.getByRole('searchbox', { name: texts.projects.search })
    await search.fill('1:57')
    await expect(headings).toHaveText([titles[56] ?? ''])
    await expect(block.getByText(texts.projects.count(1, 60))).toBeVisible()
    await block.getByRole('button', { name: texts.projects.edit(titles[56] ?? ''), exact: true }).click()
    await writeProject(form, texts, { scale: '1:157' })
    // A draft of a project that is not on the first page is continued.
    await page.reload()
    await page.getByRole('button', { name: texts.projects.unsavedContinue }).click()
    await expect(field(form, texts.projectForm.labels.title)).toHaveValue('Model 57')
    await expect(field(form, texts.projectForm.labels.scale)).toHaveValue('1:157')
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
