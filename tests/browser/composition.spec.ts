import type { Locator, Page } from '@playwright/test'
import { openProject as openProjectEn } from '#content/en/open-project.ts'
import { site as en } from '#content/en/site.ts'
import { aProject } from '../factories.ts'
import { aPhoto } from '../photos.ts'
import { forgetPreloads } from './axe.ts'
import { expect, test } from './fixtures.ts'
import { card, gallery, titleOf, visitors } from './visitor.ts'

const unbroken = 'Donaudampfschifffahrtsgesellschaft'.repeat(6).slice(0, 200)
const imageUrl = 'https://older-site.example/tug.jpg'

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

test('no word of a project is too long for the page, however narrow it is, and its photo stays in sight while its words are read', async ({
  page,
  siteWith,
}) => {
  const words = { title: unbroken, description: unbroken, materials: unbroken, techniques: unbroken }
  const wide = {
    ...aProject({ ...words, scale: unbroken.slice(0, 50), timeSpent: unbroken.slice(0, 50), imageUrl, featured: true }),
    id: '5cdb5e1b-2f2b-4dd1-9d38-0d7c5a4c8f10',
  }
  const long = {
    ...aProject({ description: 'She was built for the river. '.repeat(90), imageUrl }),
    id: '5cdb5e1b-2f2b-4dd1-9d38-0d7c5a4c8f11',
  }
  const url = await siteWith({ projects: [wide, long] })
  for (const address of ['/', `/?project=${wide.id}`]) {
    await page.goto(`${url}${address}`)
    for (const width of [320, 390, 1440]) {
      await page.setViewportSize({ width, height: 800 })
      const fits = address === '/' ? [0] : [0, 0, 0, 0, 0]
      await expect.poll(() => sideways(page), `${address} at ${width}`).toEqual(fits)
    }
  }

  await page.setViewportSize({ width: 1440, height: 900 })
  await page.goto(`${url}/?project=${long.id}`)
  const dialog = page.getByRole('dialog')
  const photo = dialog.getByRole('img')
  await expect(photo).toBeInViewport({ ratio: 1 })
  await dialog.getByRole('link', { name: openProjectEn.ask }).scrollIntoViewIfNeeded()
  await expect(photo).toBeInViewport({ ratio: 1 })
})

test('in both languages, the words of the hero lie beside the engine or below it, with the first button in view, and letters of twice the size stay on the page', async ({
  page,
}) => {
  // Of its shape and without its pixels: each size of the window would fetch and decode another one.
  const body = await aPhoto({ width: 64, height: 36 })
  await page.route(/\/assets\/.*\.(avif|webp|jpe?g)$/, (route) => route.fulfill({ body, contentType: 'image/jpeg' }))
  for (const { language, texts } of visitors) {
    await page.setViewportSize({ width: 1440, height: 900 })
    await page.goto(`/?lang=${language}`)
    await forgetPreloads(page)
    // Only the first screen is looked at, and all the others would be laid out anew for each size.
    const firstScreenOnly = await page.addStyleTag({ content: '#home ~ * { display: none }' })
    for (const [width, height] of [
      [320, 640],
      [390, 844],
      [768, 1024],
      [844, 390],
      [1024, 600],
      [1280, 720],
      [1440, 900],
      [2560, 1440],
    ] as const) {
      await page.setViewportSize({ width, height })
      const hero = page.locator('#home')
      // A window that is being resized has parts of the old layout for a moment.
      await expect(async () => {
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
        if (photo.bottom <= title.y + 1) return
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
      }).toPass({ timeout: 60_000 })
    }

    await firstScreenOnly.evaluate((style) => style.parentNode?.removeChild(style))
    await page.addStyleTag({ content: 'html { font-size: 200% }' })
    for (const width of [320, 390, 1024]) {
      await page.setViewportSize({ width, height: 800 })
      await expect.poll(() => sideways(page), `at ${width}`).toEqual([0])
    }
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
  await expect(page.getByRole('main')).toContainText(`${baseURL}/`)

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
