import type { Locator, Page } from '@playwright/test'
import { en } from '#content/en.ts'
import { aProject } from '../factories.ts'
import { expect, test } from './fixtures.ts'
import { makersOwn, playOlderSite } from './maker.ts'
import { fill } from './many.ts'
import { card, gallery, titleOf, visitors } from './visitor.ts'

const unbroken = 'Donaudampfschifffahrtsgesellschaft'.repeat(6).slice(0, 200)
const imageUrl = 'https://older-site.example/tug.jpg'
const atOnce = { reducedMotion: 'reduce' } as const

/** How far the page, or what is open on it, can be moved sideways. */
function sideways(page: Page) {
  return page.evaluate(() =>
    [document.documentElement, ...document.querySelectorAll('[role="dialog"], [role="dialog"] > div')].map(
      ({ scrollWidth, clientWidth }) => scrollWidth - clientWidth,
    ),
  )
}

async function boxOf(locator: Locator) {
  const box = await locator.boundingBox()
  if (!box) throw new Error(`Not on the page: ${locator}`)
  return { ...box, right: box.x + box.width, bottom: box.y + box.height }
}

test('no word of a project is too long for the page, however narrow it is', async ({ page, startSite, request }) => {
  const { url } = await startSite(makersOwn)
  const words = { title: unbroken, description: unbroken, materials: unbroken, techniques: unbroken }
  const project = {
    ...aProject({ ...words, scale: unbroken.slice(0, 50), timeSpent: unbroken.slice(0, 50), imageUrl, featured: true }),
    id: '5cdb5e1b-2f2b-4dd1-9d38-0d7c5a4c8f10',
  }
  await fill(request, url, { projects: [project, aProject({ imageUrl })] })
  await playOlderSite(page)
  for (const width of [320, 390, 1440]) {
    await page.setViewportSize({ width, height: 800 })
    for (const address of ['/', `/?project=${project.id}`]) {
      await page.goto(`${url}${address}`)
      expect(await sideways(page), `${address} at ${width}`).toEqual(address === '/' ? [0] : [0, 0, 0, 0])
    }
  }
})

for (const { language, texts } of visitors) {
  test(`in ${language}, letters of twice the size stay on the page`, async ({ page }) => {
    for (const width of [320, 390, 1024]) {
      await page.setViewportSize({ width, height: 800 })
      await page.goto(`/?lang=${language}`)
      await page.addStyleTag({ content: 'html { font-size: 200% }' })
      expect(await sideways(page), `at ${width}`).toEqual([0])
    }
  })

  test(`in ${language}, the words of the hero lie beside the engine or below it, with the first button in view`, async ({
    page,
  }) => {
    await page.emulateMedia(atOnce)
    for (const [width, height] of [
      [320, 640],
      [375, 667],
      [390, 844],
      [768, 1024],
      [667, 375],
      [844, 390],
      [1024, 600],
      [1024, 768],
      [1280, 720],
      [1440, 900],
      [1920, 1080],
      [2560, 1440],
    ] as const) {
      await page.setViewportSize({ width, height })
      await page.goto(`/?lang=${language}`)
      const hero = page.locator('#home')
      const [title, subtitle, button, photo] = await Promise.all(
        [
          hero.getByRole('heading'),
          hero.getByText(texts.hero.subtitle),
          hero.getByRole('button').first(),
          hero.getByRole('img'),
        ].map(boxOf),
      )
      if (!title || !subtitle || !button || !photo) throw new Error('The hero is not whole.')
      const where = `at ${width} × ${height}`
      expect(button.bottom, where).toBeLessThanOrEqual(height)
      if (photo.bottom <= title.y + 1) continue
      // The photo fills its frame from the left: its smokebox begins at 47 % of its width, its lamps at 42 %.
      const shown = Math.max(photo.width, (photo.height * 16) / 9)
      const endOfTitle = await hero.getByRole('heading').evaluate((heading) => {
        const range = document.createRange()
        range.selectNodeContents(heading)
        return Math.max(...[...range.getClientRects()].map(({ right }) => right))
      })
      expect(endOfTitle, where).toBeLessThan(shown * 0.475)
      expect(subtitle.right, where).toBeLessThan(shown * 0.425)
      expect(button.right, where).toBeLessThan(shown * 0.385)
    }
  })
}

test('the photo of an open project stays in sight for as long as its words are read', async ({ page, startSite, request }) => {
  const { url } = await startSite(makersOwn)
  const project = {
    ...aProject({ description: 'She was built for the river. '.repeat(90), imageUrl }),
    id: '5cdb5e1b-2f2b-4dd1-9d38-0d7c5a4c8f11',
  }
  await fill(request, url, { projects: [project] })
  await playOlderSite(page)
  await page.setViewportSize({ width: 1440, height: 900 })
  await page.goto(`${url}/?project=${project.id}`)
  const dialog = page.getByRole('dialog')
  const photo = dialog.getByRole('img')
  await expect(photo).toBeInViewport({ ratio: 1 })
  await dialog.getByRole('link', { name: en.project.ask }).scrollIntoViewIfNeeded()
  await expect(photo).toBeInViewport({ ratio: 1 })
})

test('a photo that could not be loaded leaves a drawing in its place, also when it failed before the script was there', async ({
  page,
  startSite,
  request,
  expectFailure,
}) => {
  expectFailure(/gone\.jpg$/, 404)
  await page.route('https://old.example/gone.jpg', (route) => route.fulfill({ status: 404 }))
  const { url } = await startSite(makersOwn)
  const project = { ...aProject({ imageUrl: 'https://old.example/gone.jpg' }), id: '5cdb5e1b-2f2b-4dd1-9d38-0d7c5a4c8f12' }
  await fill(request, url, { projects: [project] })
  await page.goto(`${url}/?project=${project.id}`)
  await expect(page.getByRole('dialog').getByText(en.project.unavailable)).toBeVisible()
  await page.getByRole('dialog').getByRole('button', { name: en.project.close }).click()
  for (const section of [page.getByRole('region', { name: en.featured.title }), gallery(page, en)]) {
    await section.scrollIntoViewIfNeeded()
    await expect(section.getByText(en.project.unavailable)).toBeVisible()
  }
})

test('a jump ends where the section begins, right below the bar', async ({ page }) => {
  await page.emulateMedia(atOnce)
  await page.goto('/')
  for (const name of [en.hero.toGallery, en.hero.toAbout]) await page.getByRole('button', { name }).click()
  const [bar, about] = await Promise.all([boxOf(page.getByRole('banner')), boxOf(page.locator('#about'))])
  expect(Math.abs(about.y - bar.bottom)).toBeLessThanOrEqual(1.5)
})

test('a project that was opened by its address looks untouched, and says that there is a before', async ({ page }) => {
  await page.goto('/')
  await card(page, en, titleOf('locomotive-1.jpg', 'en')).click()
  const shared = page.url()
  for (const [width, height] of [
    [390, 844],
    [1440, 900],
  ] as const) {
    await page.setViewportSize({ width, height })
    await page.goto(shared)
    const dialog = page.getByRole('dialog')
    await expect(dialog).toBeFocused()
    const toComparison = dialog.getByRole('button', { name: en.project.compare })
    await expect(toComparison).toBeInViewport({ ratio: 1 })
    await expect(dialog.getByRole('slider')).not.toBeInViewport()
    await toComparison.click()
    await expect(dialog.getByRole('slider')).toBeInViewport({ ratio: 0.9 })
  }
})

test('a project is printed on one page, with the way to ask for it, and the page itself as a short portfolio', async ({
  page,
  baseURL,
}) => {
  await page.goto('/')
  await page.emulateMedia({ media: 'print' })
  await expect(gallery(page, en).getByRole('article').first()).toBeVisible()
  for (const left of [page.getByRole('navigation').first(), page.getByRole('form'), page.getByRole('slider')]) {
    await expect(left).toBeHidden()
  }
  await expect(page.getByRole('contentinfo')).toContainText(`${baseURL}/`)

  await page.emulateMedia({ media: 'screen' })
  await card(page, en, titleOf('locomotive-1.jpg', 'en')).click()
  await expect(page.getByRole('dialog')).toBeVisible()
  await page.emulateMedia({ media: 'print' })
  await expect(page.getByRole('dialog')).toContainText(page.url())
  await expect(page.getByRole('main')).toBeHidden()
  await page.goto(`${page.url()}&lang=es`)
  for (const format of ['A4', 'Letter']) {
    const sheets = (await page.pdf({ format })).toString('latin1').match(/\/Type\s*\/Page\b/g)
    expect(sheets, format).toHaveLength(1)
  }
})

test('the photo of a card grows into the open project, for who likes motion', async ({ page }) => {
  await page.addInitScript(() => {
    const begin = document.startViewTransition?.bind(document)
    Object.assign(window, { grown: [] })
    document.startViewTransition = (update) => {
      const named = document.querySelector<HTMLElement>('[style*="view-transition-name"]')?.tagName
      Object.assign(window, { grown: [named] })
      return begin(update)
    }
  })
  for (const [reducedMotion, grown] of [
    ['no-preference', ['IMG']],
    ['reduce', []],
  ] as const) {
    await page.emulateMedia({ reducedMotion })
    await page.goto('/')
    const opener = card(page, en, titleOf('ships-1.jpg', 'en'))
    const arrived = page.waitForResponse(/\/assets\/project-dialog-/)
    await opener.hover()
    await arrived
    await opener.click()
    await expect(page.getByRole('dialog')).toBeVisible()
    expect(await page.evaluate(() => (window as unknown as { grown: string[] }).grown)).toEqual(grown)
  }
})
