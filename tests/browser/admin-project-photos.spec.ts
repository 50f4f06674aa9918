import { writeFile } from 'node:fs/promises'
import type { Locator, Page } from '@playwright/test'
import { openProject } from '#content/es/open-project.ts'
import { upload as texts } from '#content/es/upload.ts'
import { listProjects, type Project } from '#contract/projects.ts'
import { expect, test } from './fixtures.ts'
import {
  aWrittenProject,
  bring,
  field,
  inSpanish,
  notice,
  photoFiles,
  photosPart,
  row,
  sendNoticeAway,
  writeProject,
} from './maker.ts'

const bytesAddress = /\/api\/objects\/upload\/[\w-]+$/

const ofAPhone = { name: 'phone.heic', mimeType: 'image/heic', buffer: Buffer.from('no photo') }

/** The first uploads go through, the others wait until the network is gone. */
async function loseTheNetworkAfter(page: Page, arriving: number) {
  let lose = () => {}
  const lost = new Promise<void>((resolve) => {
    lose = resolve
  })
  let count = 0
  await page.route(bytesAddress, async (route) => {
    count += 1
    if (count <= arriving) return route.continue()
    await lost
    await route.abort()
  })
  return async () => {
    await page.context().setOffline(true)
    lose()
  }
}

/** The photos in their order, by what they show. */
const inOrder = (photos: Locator) =>
  photos.getByRole('img').evaluateAll((images: HTMLImageElement[]) => images.map(({ src }) => src))

/** The cover is shown in a larger copy. */
const hashIn = (address = '') => new URL(address).pathname

/** From the grip of one photo to that of another. */
async function drag(page: Page, from: Locator, to: Locator, how: 'finger' | 'mouse') {
  await from.scrollIntoViewIfNeeded()
  const [start, end] = [await gripOf(from), await gripOf(to)]
  const steps = Array.from({ length: 6 }, (_, index) => ({ x: start.x, y: start.y + ((end.y - start.y) * (index + 1)) / 6 }))
  if (how === 'mouse') {
    await page.mouse.move(start.x, start.y)
    await page.mouse.down()
    for (const { x, y } of steps) await page.mouse.move(x, y)
    return () => page.mouse.up()
  }
  const finger = await page.context().newCDPSession(page)
  const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', touchPoints: { x: number; y: number }[]) =>
    finger.send('Input.dispatchTouchEvent', { type, touchPoints })
  await touch('touchStart', [start])
  for (const place of steps) await touch('touchMove', [place])
  return () => touch('touchEnd', [])
}

async function gripOf(photo: Locator) {
  const box = await photo.boundingBox()
  if (!box) throw new Error('The photo is not shown.')
  return { x: box.x + 8, y: box.y + 44 }
}

for (const { language, t } of inSpanish) {
  test(`in ${language} only, nine photos are added though the network goes, put in order, captioned, kept as a draft without a word, and published`, async ({
    page,
    browser,
    watch,
    axe,
    panel,
    expectFailure,
  }, info) => {
    const f = t.projectForm
    const p = texts.photos
    const url = await panel({ language })
    await page.getByRole('button', { name: t.projects.add }).click()
    const form = page.getByRole('dialog', { name: f.createTitle })
    const { title } = aWrittenProject
    const part = photosPart(form)
    const list = part.getByRole('list').first()
    const photos = list.getByRole('listitem').filter({ has: page.getByRole('img') })
    const draft = form.getByRole('button', { name: f.saveDraft })
    const files = await photoFiles(9)

    await test.step('one that cannot be read holds up none, and those that arrived stay when the network goes', async () => {
      // Whatever else was under way when the network went fails with them.
      expectFailure(/\/api\/(objects|admin)\//, 0)
      const lose = await loseTheNetworkAfter(page, 3)
      const chooser = page.waitForEvent('filechooser')
      await part.getByRole('button', { name: p.add }).click()
      await (await chooser).setFiles([...files.slice(0, 2), ofAPhone, ...files.slice(2)])
      await expect(form.getByText(p.uploading(6))).toBeVisible()
      await expect(photos).toHaveCount(3)
      await expect(draft).toBeDisabled()
      await expect(part.getByText(texts.refusals.heic)).toBeVisible()
      // From the disk: through Playwright ten megabytes take as long as all the others.
      const huge = info.outputPath('huge.jpg')
      await writeFile(huge, Buffer.alloc(10_485_761))
      await form.locator('input[type=file][multiple]').setInputFiles(huge)
      await expect(part.getByText(texts.tooLarge('huge.jpg'))).toBeVisible()
      await axe(page, { within: form })
      await lose()
      await expect(part.getByText(p.failed(6))).toBeVisible()
      await expect(part.getByText(texts.interrupted)).toHaveCount(6)
      await expect(photos).toHaveCount(3)
    })

    await test.step('what did not arrive is not left out without a question', async () => {
      await page.context().setOffline(false)
      await page.unroute(bytesAddress)
      await draft.click()
      const asking = page.getByRole('alertdialog', { name: p.saveTitle(6) })
      await expect(asking).toContainText(p.saveText(6))
      await asking.getByRole('button', { name: p.goBack }).click()
    })

    await test.step('one is sent again alone, then all the others at once, and they stand as they were chosen', async () => {
      const before = (await inOrder(photos)).map(hashIn)
      await part.getByRole('button', { name: `${p.retry}: rivets-9.jpg` }).click()
      await expect(photos).toHaveCount(4)
      const last = (await inOrder(photos)).map(hashIn).at(-1)
      await part.getByRole('button', { name: p.retryAll }).click()
      await expect(photos).toHaveCount(9)
      const now = (await inOrder(photos)).map(hashIn)
      // Those that arrived need not have been the first three.
      expect(now.filter((each) => before.includes(each))).toEqual(before)
      expect(now.at(-1)).toBe(last)
      for (const name of ['phone.heic', 'huge.jpg']) await part.getByRole('button', { name: `${p.leaveOut}: ${name}` }).click()
      await expect(part.getByText(texts.refusals.heic)).toHaveCount(0)
    })

    await test.step('one that is there already says so, also when it is dropped or pasted', async () => {
      // The picture that office programs put beside a text is none.
      await bring(page, field(form, f.labels.title), 'paste', files[0]?.buffer ?? Buffer.of(), 'A title')
      for (const how of ['drop', 'paste'] as const) {
        await bring(page, part, how, files[0]?.buffer ?? Buffer.of())
        await expect(part.getByText(texts.refusals.alreadyHere)).toBeVisible()
        await part.getByRole('button', { name: `${p.leaveOut}: brought.jpg` }).click()
      }
      await expect(photos).toHaveCount(9)
    })

    await test.step('put in order by keyboard and by finger, and left where it was by a mouse and Escape', async () => {
      const [first, second, third] = await inOrder(photos)
      await expect(photos.nth(0)).toContainText(p.cover)
      await part.getByRole('button', { name: p.later(1), exact: true }).focus()
      await page.keyboard.press('Enter')
      await expect(part.getByRole('button', { name: p.later(2), exact: true })).toBeFocused()
      await expect(part.getByRole('status').filter({ hasText: p.position(2, 9) })).toHaveCount(1)
      await expect.poll(async () => (await inOrder(photos)).slice(0, 3).map(hashIn)).toEqual([second, first, third].map(hashIn))

      const drop = await drag(page, photos.nth(1), photos.nth(0), 'finger')
      await expect(list.locator('[data-dragging]')).toHaveCount(1)
      await drop()
      await expect.poll(async () => (await inOrder(photos)).slice(0, 3).map(hashIn)).toEqual([first, second, third].map(hashIn))

      const letGo = await drag(page, photos.nth(1), photos.nth(0), 'mouse')
      await expect(list.locator('[data-dragging]')).toHaveCount(1)
      await page.keyboard.press('Escape')
      await expect(list.locator('[data-dragging]')).toHaveCount(0)
      await letGo()
      expect((await inOrder(photos)).slice(0, 3).map(hashIn)).toEqual([first, second, third].map(hashIn))
      await expect(form).toBeVisible()
    })

    await test.step('captioned, removed and brought back, and made the cover, which has no caption', async () => {
      const [first, second, third] = await inOrder(photos)
      const caption = (index: number) => photos.nth(index).getByLabel(`${p.caption}:`)
      await caption(1).fill('x'.repeat(301))
      await caption(2).fill('Remaches a mano')
      await part.getByRole('button', { name: p.remove(1), exact: true }).click()
      await expect(photos).toHaveCount(8)
      await expect(photos.nth(0)).toContainText(p.cover)
      await expect(part.getByRole('button', { name: p.undo })).toBeFocused()
      await page.keyboard.press('Enter')
      await expect(photos).toHaveCount(9)
      expect((await inOrder(photos)).slice(0, 3).map(hashIn)).toEqual([first, second, third].map(hashIn))
      await part.getByRole('button', { name: `${p.makeCover}: ${p.position(3, 9)}` }).click()
      await expect.poll(async () => (await inOrder(photos)).slice(0, 3).map(hashIn)).toEqual([third, first, second].map(hashIn))
      await expect(photos.nth(0)).toContainText(p.coverCaption)
      await part.getByRole('button', { name: p.later(1), exact: true }).click()
      await expect(caption(1)).toHaveValue('Remaches a mano')
      await axe(page, { within: form })
    })

    await test.step('kept as a draft, which visitors do not see', async () => {
      await draft.click()
      const long = photos.nth(2).getByLabel(`${p.caption}:`)
      await expect(long).toBeFocused()
      await expect(photos.nth(2)).toContainText('300')
      await long.fill('A mano')
      await draft.click()
      await expect(notice(page)).toContainText(f.draftSaved)
      const editing = page.getByRole('dialog', { name: f.editTitle })
      await expect(editing.getByRole('button', { name: f.saveDraft })).toBeFocused()
      expect(await (await page.request.get(`${url}${listProjects.path}`)).json()).toEqual([])
      await sendNoticeAway(page)
      await axe(page, { within: editing })
      const opened = page.waitForEvent('popup')
      await editing.getByRole('link', { name: f.preview }).click()
      const preview = await opened
      await watch(preview)
      await expect(preview.getByRole('dialog', { name: openProject.untitled })).toBeVisible()
      await preview.close()
    })

    await test.step('published when nothing is missing', async () => {
      const editing = page.getByRole('dialog', { name: f.editTitle })
      await editing.getByRole('button', { name: f.publish }).click()
      await expect(field(editing, f.labels.title)).toBeFocused()
      const { imageUrl: _imageUrl, ...written } = aWrittenProject
      await writeProject(editing, t, written)
      // Not by a key.
      await field(editing, f.labels.scale).press('Enter')
      await expect(notice(page)).toContainText(f.draftSaved)
      await editing.getByRole('button', { name: f.publish }).click()
      await expect(notice(page)).toContainText(f.published)
      await expect(row(page, title)).toBeVisible()
      const visitor = await browser.newContext()
      const [shown] = (await (await visitor.request.get(`${url}${listProjects.path}`)).json()) as Project[]
      expect(shown).toMatchObject({ title, fallbacks: ['title', 'description', 'materials', 'techniques'] })
      expect(shown?.imageUrl).toMatch(/^\/objects\//)
      expect(shown?.photos).toHaveLength(8)
      expect(shown?.photos[0]).toMatchObject({ caption: null, translations: { es: { caption: 'Remaches a mano' } } })
    })
  })
}
