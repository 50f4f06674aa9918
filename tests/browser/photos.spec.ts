import { writeFile } from 'node:fs/promises'
import type { Locator, Page } from '@playwright/test'
import { site as en } from '#content/en/site.ts'
import { type UploadTexts, upload as uploadEn } from '#content/en/upload.ts'
import { site as es } from '#content/es/site.ts'
import { upload as uploadEs } from '#content/es/upload.ts'
import { shownWidths, variantAddress } from '#contract/first-visit.ts'
import { requestUpload } from '#contract/images.ts'
import type { Language } from '#contract/languages.ts'
import { listProjects } from '#contract/projects.ts'
import { applyDocumentedRules } from '../bucket-rules.ts'
import { aGrainyPhoto, aPhoto } from '../photos.ts'
import { environmentOf } from '../s3.ts'
import { expect, test } from './fixtures.ts'
import { holdBack } from './hold-back.ts'
import {
  aWrittenProject,
  bring,
  enterPanel,
  inSpanish,
  makers,
  makersOwn,
  notice,
  photoFiles,
  photosPart,
  sendNoticeAway,
  writeProject,
} from './maker.ts'
import { gallery } from './visitor.ts'

const words: Record<Language, UploadTexts> = { en: uploadEn, es: uploadEs }
const siteTexts = { en, es }
const bytesAddress = /\/api\/objects\/upload\/[\w-]+$/
const verdictAddress = /\/api\/objects\/finalize$/

type File = { name: string; mimeType: string; buffer: Buffer }
const photoFile = async (name = 'galleon.jpg'): Promise<File> => ({
  name,
  mimeType: 'image/jpeg',
  buffer: await aGrainyPhoto({ width: 120, height: 80 }),
})

async function openForm(page: Page, language: Language = 'en') {
  const maker = makers.find((each) => each.language === language)
  if (!maker) throw new Error(`Nobody works in ${language}.`)
  await page.getByRole('button', { name: maker.t.projects.add }).click()
  return { t: maker.t, form: page.getByRole('dialog', { name: maker.t.projectForm.createTitle }) }
}

/** The window in which a photo is chosen and sent. */
async function openUpload(page: Page, field: Locator, texts: UploadTexts = uploadEn) {
  await field
    .getByRole('button', { name: texts.upload })
    .or(field.getByRole('button', { name: texts.replace }))
    .click()
  const window = page.getByRole('dialog', { name: texts.title })
  await expect(window.getByRole('button', { name: texts.one.choose })).toBeFocused()
  return window
}

/** Through the device's own dialog, as a finger or a mouse opens it. */
async function choose(page: Page, window: Locator, file: File | string, texts: UploadTexts = uploadEn) {
  const chooser = page.waitForEvent('filechooser')
  await window.getByRole('button', { name: texts.one.choose }).click()
  await (await chooser).setFiles(file)
}

async function expectUploaded(page: Page, texts: UploadTexts = uploadEn) {
  await expect(notice(page)).toContainText(texts.done)
}

const sendButton = (window: Locator, texts: UploadTexts = uploadEn) => window.getByRole('button', { name: texts.one.send })

for (const { language } of inSpanish) {
  test(`in ${language}, the maker uploads a photo with a project, and a visitor finds it`, async ({ page, axe, panel }) => {
    const texts = words[language]
    const url = await panel({ language })
    const { t, form } = await openForm(page, language)
    const field = photosPart(form)
    const window = await openUpload(page, field, texts)
    await axe(page)
    await choose(page, window, await photoFile(), texts)
    await expect(window.getByRole('img', { name: 'galleon.jpg' })).toBeVisible()
    await axe(page)

    const release = await holdBack(page, bytesAddress)
    await sendButton(window, texts).click()
    await expect(window.getByRole('progressbar')).toBeAttached()
    await expect(window.getByText(texts.one.sending)).toBeVisible()
    await axe(page)
    release()

    await expectUploaded(page, texts)
    await expect(window).toHaveCount(0)
    await expect(field).toBeFocused()
    const preview = field.getByRole('img', { name: texts.photos.position(1, 1) })
    await expect(preview).toHaveAttribute('src', /^\/objects\/[0-9a-f]{64}\?/)
    await expect.poll(() => preview.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(0)
    await sendNoticeAway(page)
    await axe(page)

    const { imageUrl: _, ...written } = aWrittenProject
    await writeProject(form, t, written)
    await form.getByRole('button', { name: t.projectForm.save }).click()
    await expect(notice(page)).toContainText(t.projects.created)

    await page.goto(url)
    const photo = gallery(page, siteTexts[language])
      .getByRole('article')
      .filter({ hasText: aWrittenProject.title })
      .getByRole('img')
    await photo.scrollIntoViewIfNeeded()
    await expect
      .poll(() => photo.evaluate((image: HTMLImageElement) => image.currentSrc))
      .toMatch(/\/objects\/[0-9a-f]{64}\?w=/)
    await expect.poll(() => photo.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(0)
  })
}

test('what is no photo is refused with its reason; one may be dropped, pasted, cancelled, replaced and removed; one that cannot be sent is tried again, by itself where it was interrupted', async ({
  page,
  panel,
  expectFailure,
  axe,
}, info) => {
  await panel()
  const { t, form } = await openForm(page)
  const field = photosPart(form)

  await test.step('what cannot be a photo of ours is refused before it travels, and the reason stays', async () => {
    const window = await openUpload(page, field)
    const refused = (text: string) => expect(window.locator('[data-slot="action-error"]')).toHaveText(text)
    const huge = info.outputPath('huge.jpg')
    await writeFile(huge, Buffer.alloc(10_485_761))
    await choose(page, window, huge)
    await refused('huge.jpg exceeds maximum allowed size of 10 MB')
    await choose(page, window, { name: 'plan.svg', mimeType: 'image/svg+xml', buffer: Buffer.from('<svg/>') })
    await refused(uploadEn.refusals.svg)
    await choose(page, window, { name: 'notes.pdf', mimeType: 'application/pdf', buffer: Buffer.from('%PDF') })
    await refused(uploadEn.refusals.notAPhoto)
    await axe(page)
    await choose(page, window, await photoFile())
    await expect(window.getByRole('img', { name: 'galleon.jpg' })).toBeVisible()
    await expect(window.locator('[data-slot="action-error"]')).toHaveCount(0)
    await page.keyboard.press('Escape')
    await expect(window).toHaveCount(0)
  })

  for (const how of ['drop', 'paste'] as const) {
    await test.step(`one may be brought by ${how}, and cancelled`, async () => {
      const window = await openUpload(page, field)
      await bring(page, window, how, await aPhoto())
      await expect(window.getByRole('img', { name: 'brought.jpg' })).toBeVisible()
      await page.keyboard.press('Escape')
      await expect(window).toHaveCount(0)
      await expect(field.getByRole('img')).toHaveCount(0)
    })
  }

  await test.step('refused, and another one is taken in its place', async () => {
    const window = await openUpload(page, field)
    const whole = await photoFile('half.jpg')
    await choose(page, window, { ...whole, buffer: whole.buffer.subarray(0, whole.buffer.length / 2) })
    expectFailure(verdictAddress, 422)
    await sendButton(window).click()
    await expect(window.getByRole('alert')).toHaveText(
      'Failed to upload half.jpg\nThat photo is damaged and could not be read. Choose another file.',
    )
    await expect(window.getByText('Upload failed')).toBeVisible()
    await expect(window.getByRole('button', { name: /Retry/ })).toHaveCount(0)
    await axe(page)
    await window.getByRole('button', { name: uploadEn.one.remove }).click()
    await expect(window.getByText('damaged')).toHaveCount(0)
    await choose(page, window, await photoFile())
    await sendButton(window).click()
    await expectUploaded(page)
    await expect(field.getByRole('img')).toBeVisible()
    await sendNoticeAway(page)
  })

  await test.step('without an address to upload to', async () => {
    const window = await openUpload(page, field)
    await choose(page, window, await photoFile())
    expectFailure(/\/api\/objects\/upload$/, 500)
    await page.route(`**${requestUpload.path}`, (route) => route.fulfill({ status: 500 }), { times: 1 })
    await sendButton(window).click()
    await expect(notice(page)).toContainText('Failed to get upload URL')
    await window.getByRole('button', { name: uploadEn.one.retry }).click()
    await expectUploaded(page)
    await sendNoticeAway(page)
  })

  await test.step('interrupted', async () => {
    expectFailure(bytesAddress, 503)
    let attempts = 0
    await page.route(bytesAddress, (route) => {
      attempts += 1
      return attempts === 1 ? route.fulfill({ status: 503 }) : route.continue()
    })
    const window = await openUpload(page, field)
    await choose(page, window, await photoFile())
    await sendButton(window).click()
    await expectUploaded(page)
    expect(attempts).toBe(2)
    await sendNoticeAway(page)
  })

  await test.step('replaced by another one and removed; one of an older site that is gone leaves a word', async () => {
    const shown = field.getByRole('img')
    const first = await shown.getAttribute('src')
    const window = await openUpload(page, field)
    await choose(page, window, await photoFile('second.jpg'))
    await sendButton(window).click()
    await expect(window).toHaveCount(0)
    expect(await shown.getAttribute('src')).not.toBe(first)
    await field.getByRole('button', { name: uploadEn.photos.remove(1) }).click()
    await expect(shown).toHaveCount(0)
    expectFailure(/gone\.jpg$/, 404)
    await page.route('https://older-site.example/gone.jpg', (route) => route.fulfill({ status: 404 }))
    await writeProject(form, t, { imageUrl: 'https://older-site.example/gone.jpg' })
    await expect(field).toContainText(t.photo.unavailable)
  })
})

/** Where the page sends photos, in order. */
function watchUploads(page: Page) {
  const origins: string[] = []
  page.on('request', (request) => {
    const isUpload = request.method() === 'PUT' && !verdictAddress.test(new URL(request.url()).pathname)
    if (isUpload) origins.push(new URL(request.url()).origin)
  })
  return origins
}

test('with a bucket, a photo goes straight there, and visitors get it from there; a browser that cannot reach it sends the photo through the site', async ({
  page,
  browser,
  watch,
  startSite,
  newBucket,
  expectFailure,
}) => {
  const bucket = await newBucket()
  const { endpoint = '' } = bucket
  const publicUrl = `${endpoint}/${bucket.bucket}/${bucket.prefix}`
  const { url } = await startSite({ ...makersOwn, ...environmentOf(bucket), S3_PUBLIC_URL: publicUrl })
  await applyDocumentedRules(bucket, url)
  const uploads = watchUploads(page)
  await enterPanel(page, url)
  const { t, form } = await openForm(page)
  const field = photosPart(form)
  const window = await openUpload(page, field)
  await choose(page, window, await photoFile())
  await sendButton(window).click()
  await expectUploaded(page)
  expect(uploads).toEqual([endpoint])

  await sendNoticeAway(page)
  const { imageUrl: _, ...written } = aWrittenProject
  await writeProject(form, t, written)
  await form.locator('input[type=file][multiple]').setInputFiles(await photoFiles(1))
  await expect(form.getByRole('img', { name: uploadEn.photos.position(2, 2) })).toBeVisible()
  expect(uploads).toEqual([endpoint, endpoint])
  await form.getByRole('button', { name: t.projectForm.save }).click()
  await expect(notice(page)).toContainText(t.projects.created)
  const [project] = (await (await page.request.get(`${url}${listProjects.path}`)).json()) as { imageUrl: string }[]
  const variants = shownWidths.map((width) => `${url}${variantAddress(project?.imageUrl ?? '', width, 'avif')}`)
  const statusOf = async (variant: string) => (await page.request.get(variant, { maxRedirects: 0 })).status()
  await expect.poll(() => Promise.all(variants.map(statusOf)), { timeout: 90_000 }).toEqual(variants.map(() => 302))

  const visitor = await (await browser.newContext()).newPage()
  await watch(visitor)
  const origins = new Set<string>()
  visitor.on('requestfinished', (request) => {
    if (request.resourceType() === 'image' && /\/variants\/|\?w=/.test(request.url()))
      origins.add(new URL(request.url()).origin)
  })
  await visitor.goto(url)
  const photo = gallery(visitor, en).getByRole('article').filter({ hasText: aWrittenProject.title }).getByRole('img')
  await photo.scrollIntoViewIfNeeded()
  await expect.poll(() => photo.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(0)
  await expect.poll(() => [...origins]).toContain(endpoint)

  await test.step('a browser that cannot reach the bucket', async () => {
    expectFailure(/\/uploads\//, 0)
    const ofUploads = ({ origin, pathname }: URL) => origin === endpoint && pathname.includes('/uploads/')
    await page.route(ofUploads, (route) => route.abort('connectionrefused'))
    const { form } = await openForm(page)
    const window = await openUpload(page, photosPart(form))
    await choose(page, window, await photoFile())
    await sendButton(window).click()
    await expectUploaded(page)
    expect(uploads).toEqual([endpoint, endpoint, endpoint, url])
  })
})
