import type { Locator, Page } from '@playwright/test'
import { admin as t } from '#content/en/admin.ts'
import { site as en } from '#content/en/site.ts'
import { languageName } from '#contract/languages.ts'
import { restoreProject } from '#contract/projects.admin.ts'
import { listProjects } from '#contract/projects.ts'
import { expect, test } from './fixtures.ts'
import { aWrittenProject, field, inSpanish, keepNotice, notice, row, sendNoticeAway } from './maker.ts'
import { manyProjects } from './many.ts'
import { gallery } from './visitor.ts'

test('the maker puts projects in order by buttons and by mouse, and visitors see them so', async ({
  page,
  browser,
  watch,
  axe,
  panel,
  expectFailure,
}) => {
  const projects = manyProjects(30).map((each, index) => ({ ...each, featured: index >= 1 && index <= 4, draft: index === 28 }))
  const url = await panel({ projects })
  const visitor = await (await browser.newContext()).newPage()
  await watch(visitor)
  const block = page.getByRole('region', { name: t.projects.title })
  const titles = block.getByRole('heading', { level: 3 })
  const model = (number: number) => `Model ${number}`
  const models = (...numbers: number[]) => numbers.map(model)
  const firstThree = async () => (await titles.allTextContents()).slice(0, 3)
  const down = (number: number) => block.getByRole('button', { name: t.projects.moveDown(model(number)), exact: true })
  await expect(row(block, model(2))).toContainText(t.projects.featured)
  await expect(row(block, model(1))).not.toContainText(t.projects.featured)
  await block.getByRole('button', { name: t.projects.drafts(1) }).click()
  await expect(titles).toHaveText([model(29)])
  await expect(row(block, model(29))).toContainText(t.projects.draft)
  await block.getByRole('button', { name: t.projects.order }).click()
  await axe(page, { within: block, atBothSizes: true })

  await test.step('by button, which keeps the focus and its place under the pointer', async () => {
    await down(1).click()
    const before = await down(1).boundingBox()
    await page.keyboard.press('Enter')
    await expect.poll(firstThree).toEqual(models(2, 3, 1))
    await expect(down(1)).toBeFocused()
    await expect(block.getByText(t.projects.moved(model(1), 3, 30))).toBeAttached()
    await expect(row(block, model(1))).toContainText(t.projects.place(3, 30))
    // To a few pixels: rows need not be whole ones high.
    expect((await down(1).boundingBox())?.y).toBeCloseTo(before?.y ?? 0, -1)
    await expect.poll(() => publicOrder(visitor, url)).toEqual(models(2, 3, 1))
  })

  await test.step('by mouse', async () => {
    await drag(row(block, model(1)), row(block, model(2)), {
      async press(x, y) {
        await page.mouse.move(x, y)
        await page.mouse.down()
      },
      move: (x, y) => page.mouse.move(x, y),
      release: () => page.mouse.up(),
    })
    await expect.poll(firstThree).toEqual(models(1, 2, 3))
    await expect.poll(() => publicOrder(visitor, url)).toEqual(models(1, 2, 3))
    await visitor.goto(url)
    await expect(gallery(visitor, en).getByRole('heading', { level: 3 }).first()).toHaveText(model(1))
  })

  await test.step('beyond what is loaded', async () => {
    await expect(titles).toHaveCount(24)
    await down(24).click()
    await expect(titles).toHaveCount(30)
    await expect(row(block, model(24))).toContainText(t.projects.place(25, 30))
    await expect(row(block, model(25))).toContainText(t.projects.place(24, 30))
  })

  await test.step('and back where it was when that fails', async () => {
    expectFailure(/\/place$/, 0)
    await page.route('**/place', (route) => route.abort())
    await down(1).click()
    await expect(notice(page)).toContainText(t.projects.moveFailed)
    await expect.poll(firstThree).toEqual(models(1, 2, 3))
    await page.unroute('**/place')
  })

  await test.step('a fifth star tells which ones are shown, and the last one found can be the first', async () => {
    await block.getByRole('button', { name: t.projects.orderDone }).first().click()
    const star = (number: number) => block.getByRole('button', { name: t.projects.feature(model(number)), exact: true })
    await block.getByRole('button', { name: t.projects.drafts(1), pressed: true }).click()
    await block.getByRole('button', { name: t.projects.edit(model(6)), exact: true }).click()
    const form = page.getByRole('dialog', { name: t.projectForm.editTitle })
    await form.getByRole('checkbox', { name: t.projectForm.labels.featured }).check()
    await form.getByRole('button', { name: t.projectForm.save }).click()
    const four = models(2, 3, 4, 5).map((title) => `· ${title}`)
    await expect(notice(page)).toContainText(t.projects.updated)
    await expect(notice(page)).toContainText(t.projects.frontPageWithout(four.join('\n')))
    await expect(row(block, model(6))).toContainText(t.projects.featuredNotShown)
    await axe(page, { within: block })
    await star(2).click()
    await expect(notice(page)).toContainText(t.projects.frontPageNow(['· Model 3', ...four.slice(2), '· Model 6'].join('\n')))
    await page.getByRole('searchbox').fill('1:30')
    await expect(titles).toHaveText([model(30)])
    await block.getByRole('button', { name: t.projects.actions(model(30)) }).click()
    await page.getByRole('menuitem', { name: t.projects.toTop }).click()
    await expect(notice(page)).toContainText(t.projects.movedToTop(model(30)))
    await page.getByRole('searchbox').fill('')
    await expect.poll(firstThree).toEqual(models(30, 1, 2))
  })
})

for (const { language, t: texts } of inSpanish) {
  test(`in ${language}, the maker orders by finger, publishes a draft, and restores, removes and empties what was deleted`, async ({
    page,
    axe,
    panel,
    expectFailure,
  }) => {
    const unfinished = {
      draft: true,
      timeSpent: null,
      translations: { es: { description: 'Un remolcador de vapor con sus defensas.' } },
      photos: [{ imageUrl: aWrittenProject.imageUrl, caption: null, translations: { es: { caption: 'La popa' } } }],
    }
    const projects = manyProjects(5).map((each, index) => (index === 2 ? { ...each, ...unfinished } : each))
    const url = await panel({ language, projects })
    const block = page.getByRole('region', { name: texts.projects.title })
    const titles = block.getByRole('heading', { level: 3 })
    const button = (name: string) => block.getByRole('button', { name, exact: true })

    await expect(page.getByRole('searchbox')).toHaveCount(0)
    await expect(block.getByText(texts.projects.frontPageUnmarked)).toBeVisible()
    await expect(row(block, 'Modelo 4')).toBeVisible()
    await expect(row(block, 'Modelo 5')).toHaveCount(0)
    await block.getByRole('button', { name: texts.dashboard.allProjects }).click()
    await expect(row(block, 'Modelo 5')).toBeVisible()

    await test.step('what is missing in which language is told', async () => {
      const marked = row(block, 'Model 3')
      await marked.getByRole('button', { name: texts.projects.incomplete(languageName('en', language)) }).click()
      await expect(marked).toContainText(texts.projects.missing(languageName('en', language), texts.projects.parts.captions))
      await marked.getByRole('button', { name: texts.projects.incomplete(languageName('es', language)) }).click()
      await expect(marked).toContainText(/título, materiales y técnicas/)
    })

    await test.step('a draft is seen by the maker only, until it is published', async () => {
      const shown = () => publicOrder(page, url)
      expect(await shown()).toEqual(['Model 1', 'Model 2', 'Model 4'])
      await expect(row(block, 'Model 3')).toContainText(texts.projects.draft)
      await button(texts.projects.actions('Model 3')).click()
      const preview = page.getByRole('menuitem', { name: texts.projects.preview })
      await expect(preview).toHaveAttribute('target', '_blank')
      expect(await preview.getAttribute('href')).toBe('/?project=model-3')
      await axe(page, { within: page.getByRole('menu') })
      const publish = page.getByRole('menuitem', { name: texts.projects.publish })
      await publish.click()
      await expect(notice(page)).toContainText(texts.projects.unfitToPublish(texts.projectForm.labels.timeSpent))
      await sendNoticeAway(page)
      const form = page.getByRole('dialog', { name: texts.projectForm.editTitle })
      await field(form, texts.projectForm.labels.timeSpent).fill('40')
      await form.getByRole('button', { name: texts.projectForm.saveDraft }).click()
      await expect(notice(page)).toContainText(texts.projectForm.draftSaved)
      await sendNoticeAway(page)
      await form.getByRole('button', { name: texts.common.cancel }).click()
      await button(texts.projects.actions('Model 3')).click()
      await publish.click()
      await keepNotice(page)
      await expect(notice(page)).toContainText(texts.projects.published('Model 3'))
      expect(await shown()).toEqual(['Model 1', 'Model 2', 'Model 3'])
      await notice(page).getByRole('button', { name: texts.common.undo }).click()
      await expect(notice(page)).toContainText(texts.projects.unpublished('Model 3'))
      expect(await shown()).toEqual(['Model 1', 'Model 2', 'Model 4'])
      await sendNoticeAway(page)
    })

    await test.step('by finger', async () => {
      await button(texts.projects.order).click()
      await button(texts.projects.moveUp('Modelo 5')).tap()
      await expect(titles.nth(3)).toHaveText('Modelo 5')
      const finger = await page.context().newCDPSession(page)
      const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', ...touchPoints: { x: number; y: number }[]) =>
        finger.send('Input.dispatchTouchEvent', { type, touchPoints })
      await drag(row(block, 'Modelo 2'), row(block, 'Modelo 1'), {
        press: (x, y) => touch('touchStart', { x, y }),
        move: (x, y) => touch('touchMove', { x, y }),
        release: () => touch('touchEnd'),
      })
      await expect(titles.first()).toHaveText('Modelo 2')
      await expect.poll(() => publicOrder(page, url)).toEqual(['Model 2', 'Model 1', 'Model 5'])
      // For a moment after a drag its end is not taken for a click; meanwhile:
      await axe(page, { within: block })
      await button(texts.projects.orderDone).first().click()
    })

    const trash = page.getByRole('dialog', { name: texts.trash.title })
    const asking = page.getByRole('alertdialog')
    await test.step('what was deleted is in the trash', async () => {
      for (const [number, inTrash] of [2, 1, 4, 5].entries()) {
        await button(texts.projects.delete(`Modelo ${inTrash}`)).click()
        await asking.getByRole('button', { name: texts.common.delete }).click()
        await expect(notice(page)).toContainText(texts.projects.deleted)
        await sendNoticeAway(page)
        await expect(button(texts.trash.open(number + 1))).toBeVisible()
      }
      await button(texts.trash.open(4)).click()
      await expect(row(trash, 'Modelo 5')).toContainText(texts.trash.daysLeft(30))
      await axe(page, { atBothSizes: true })
    })

    await test.step('from where it is restored, unless somebody else has done so', async () => {
      await trash.getByRole('button', { name: texts.trash.restoreOne('Modelo 5') }).click()
      await expect(notice(page)).toContainText(texts.projects.restored('Modelo 5'))
      await expect(row(trash, 'Modelo 5')).toHaveCount(0)
      await sendNoticeAway(page)
      const restoring = `${url}${restoreProject.path.replace(':id', projects[1]?.id ?? '')}`
      await page.route(restoring, async (route) => {
        await page.request.post(restoring)
        await route.continue()
      })
      expectFailure(/\/restore$/, 404)
      await trash.getByRole('button', { name: texts.trash.restoreOne('Modelo 2') }).click()
      await expect(notice(page)).toContainText(texts.projects.notInTrash)
      await expect(row(trash, 'Modelo 2')).toHaveCount(0)
      await sendNoticeAway(page)
    })

    await test.step('or removed for good, one or all', async () => {
      await trash.getByRole('button', { name: texts.trash.remove('Modelo 4') }).click()
      await expect(asking).toContainText('Modelo 4')
      await axe(page)
      await asking.getByRole('button', { name: texts.trash.removeTip }).click()
      await expect(notice(page)).toContainText(texts.trash.removed('Modelo 4'))
      await sendNoticeAway(page)
      await trash.getByRole('button', { name: texts.trash.emptyIt }).click()
      await expect(asking).toContainText(texts.trash.emptyText(1))
      await asking.getByRole('button', { name: texts.trash.emptyIt }).click()
      await expect(notice(page)).toContainText(texts.trash.emptied(1))
      await expect(trash).toContainText(texts.trash.empty)
      await trash.getByRole('button', { name: texts.common.close }).click()
      await expect(titles).toHaveText(['Modelo 2', 'Model 3', 'Modelo 5'])
      await expect(button(texts.trash.open(0))).toBeVisible()
    })
  })
}

/** The first three that visitors are told of. */
async function publicOrder(page: Page, url: string) {
  const projects = (await (await page.request.get(`${url}${listProjects.path}`)).json()) as { title: string }[]
  return projects.slice(0, 3).map(({ title }) => title)
}

type Pointer = {
  press(x: number, y: number): Promise<unknown>
  move(x: number, y: number): Promise<unknown>
  release(): Promise<unknown>
}

/** Drags a row by its grip to where another one is, and lets go when that one has made room. */
async function drag(dragged: Locator, target: Locator, pointer: Pointer) {
  const from = await dragged.locator('[data-slot="grip"]').boundingBox()
  const to = await target.boundingBox()
  if (!from || !to) throw new Error('There is nothing to drag.')
  const x = from.x + from.width / 2
  const start = from.y + from.height / 2
  const way = to.y + to.height / 2 - start
  await pointer.press(x, start)
  for (const share of [0.25, 0.5, 0.75, 1]) await pointer.move(x, start + share * way)
  // Rows that stay have a transform by nothing from the moment a drag begins.
  await expect(target).not.toHaveCSS('transform', /^none$|^matrix\(1, 0, 0, 1, 0, 0\)$/)
  await pointer.release()
}
