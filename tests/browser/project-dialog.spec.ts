import type { Page } from '@playwright/test'
import { openProject as openProjectEn } from '#content/en/open-project.ts'
import { site as en } from '#content/en/site.ts'
import type { Language } from '#contract/languages.ts'
import { listProjects, type Project } from '#contract/projects.ts'
import { demoProjects } from '#demo/projects.ts'
import { aProject } from '../factories.ts'
import { alive } from './alive.ts'
import { expect, test } from './fixtures.ts'
import { holdBack } from './hold-back.ts'
import { manyProjects } from './many.ts'
import { card, gallery, inEnglish, inSpanish, titleOf } from './visitor.ts'

for (const { language, texts, words } of inEnglish) {
  test(`in ${language}, a project opens with its facts, its comparison and an address of its own, is leafed through and closed, and leads to the form`, async ({
    page,
    axe,
    request,
  }) => {
    const title = titleOf('ships-1.jpg', language)
    await page.goto(`/?lang=${language}`)
    const opener = card(page, texts, title)
    const dialog = page.getByRole('dialog', { name: title })
    await opener.click()
    await expect(dialog).toBeVisible()

    await test.step('facts and address', async () => {
      for (const name of [words.scale, words.timeSpent, words.materials, words.techniques]) {
        await expect(dialog.getByText(name, { exact: true })).toBeVisible()
      }
      await expect(dialog).toContainText(words.hours('1,150'))
      await expect(page).toHaveTitle(texts.page.projectTitle(title, 'Vitrina'))
      await axe(page, { atBothSizes: true })
      const shared = page.url()
      expect(shared).toContain('project=')
      const html = await (await request.get(shared)).text()
      expect(html).toContain(`<title>${texts.page.projectTitle(title, 'Vitrina').replaceAll('"', '&quot;')}</title>`)
      expect(html).toContain('role="dialog"')
      expect(html).toMatch(/<meta property="og:image" content="\/objects\/[0-9a-f]{64}\?w=1600&amp;f=jpeg">/)
    })

    await test.step('the border of the comparison follows the keys and the mouse', async () => {
      const slider = dialog.getByRole('slider', { name: words.compareHandle })
      await slider.focus()
      await page.keyboard.press('ArrowRight')
      await expect(slider).toHaveValue('51')
      await expect(dialog).toBeVisible()
      await slider.scrollIntoViewIfNeeded()
      const { x, y, width, height } = (await slider.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 }
      await page.mouse.click(x + width / 4, y + height / 3)
      await expect.poll(async () => Number(await slider.inputValue())).toBeLessThan(30)
      await expect.poll(async () => Number(await slider.inputValue())).toBeGreaterThan(15)
    })

    await test.step('it is at most 90% of the screen high, and closes by button, Escape and backdrop only', async () => {
      const { height, screen } = await dialog.evaluate((element) => ({
        height: element.getBoundingClientRect().height,
        screen: innerHeight,
      }))
      expect(height).toBeLessThanOrEqual(screen * 0.9 + 1)
      await dialog.getByRole('heading', { name: title }).click()
      await expect(dialog).toBeVisible()
      await dialog.getByRole('button', { name: words.close }).click()
      await expect(dialog).toBeHidden()
      await expect(opener).toBeFocused()

      await opener.click()
      await expect(dialog).toBeVisible()
      await page.keyboard.press('Escape')
      await expect(dialog).toBeHidden()
      await expect(opener).toBeFocused()

      await opener.click()
      await expect(dialog).toBeVisible()
      await page.mouse.click(5, 5)
      await expect(dialog).toBeHidden()
      expect(new URL(page.url()).search).toBe(`?lang=${language}`)
    })

    await test.step('going back closes it, going forward opens it again', async () => {
      await opener.click()
      await expect(dialog).toBeVisible()
      await page.goBack()
      await expect(dialog).toBeHidden()
      await page.goForward()
      await expect(dialog).toBeVisible()
    })

    await test.step('it can be leafed through by buttons and by arrow keys', async () => {
      const open = page.getByRole('dialog')
      // Featured has shown it and three others: they come last.
      await expect(open.getByText(words.position(9, 12))).toBeVisible()
      await open.getByRole('link', { name: words.next }).click()
      await expect(page.getByRole('dialog', { name: titleOf('locomotive-1.jpg', language) })).toBeVisible()
      await expect(open.getByRole('link', { name: words.next })).toBeFocused()
      await page.keyboard.press('ArrowLeft')
      await expect(dialog).toBeVisible()
      await page.keyboard.press('ArrowLeft')
      await expect(open.getByText(words.position(8, 12))).toBeVisible()
      await page.goBack()
      await expect(open).toBeHidden()
    })

    await test.step('asking for one like it leads to the form, and from there back to where it was opened', async () => {
      const contact = page.locator('#contact')
      await opener.click()
      await dialog.getByRole('link', { name: words.ask }).click()
      await expect(dialog).toBeHidden()
      await expect(contact).toBeInViewport()
      await expect(contact.getByLabel(texts.contact.form.name)).toBeFocused()
      await expect(page).toHaveURL(`/?lang=${language}`)
      await expect(opener).not.toBeInViewport()
      await page.goBack()
      await expect(opener).toBeInViewport()
      await expect(page.getByRole('dialog')).toBeHidden()
    })
  })
}

type Point = { x: number; y: number }

/** Fingers on the screen, each from one place to another, as the system tells the browser of them. */
async function drag(page: Page, ...fingers: { from: Point; to: Point }[]) {
  const session = await page.context().newCDPSession(page)
  const send = async (type: 'touchStart' | 'touchMove' | 'touchEnd', part?: number) => {
    const along = ({ from, to }: { from: Point; to: Point }, at: number) => ({
      x: from.x + (to.x - from.x) * at,
      y: from.y + (to.y - from.y) * at,
    })
    const touchPoints = part === undefined ? [] : fingers.map((finger, id) => ({ id, ...along(finger, part) }))
    await session.send('Input.dispatchTouchEvent', { type, touchPoints })
    // A finger stays on the screen for several frames, and gestures are told by what they do from one to the next.
    await page.evaluate(() => new Promise(requestAnimationFrame))
  }
  await send('touchStart', 0)
  // The first stretch tells the direction, and does not count for how far it went. It is lifted from where it has
  // come to rest: a photo that is thrown goes past the next one now and then.
  for (const part of [0.05, 0.25, 0.5, 0.75, 1, 1, 1, 1, 1, 1]) await send('touchMove', part)
  await send('touchEnd')
  await session.detach()
}

const captionOf = (photo: string, detail: number, language: Language) => {
  const found = demoProjects.find((each) => each.photo === photo)?.photos?.[detail - 1]
  return found?.translations[language]?.caption ?? found?.caption ?? ''
}

for (const { language, texts, words } of inSpanish) {
  test(`in ${language}, a collector looks closely with a finger, shares what was seen, and goes back one layer at a time`, async ({
    page,
    axe,
  }) => {
    // There is no system to share with.
    await page.addInitScript(() => {
      Object.defineProperty(navigator, 'share', { value: async (shared: unknown) => Object.assign(window, { shared }) })
    })
    const title = titleOf('locomotive-1.jpg', language)
    const caption = (detail: number) => captionOf('locomotive-1.jpg', detail, language)
    await page.goto(`/?lang=${language}`)
    await card(page, texts, title).click()
    const dialog = page.getByRole('dialog', { name: title, exact: true })
    const sheet = dialog.getByRole('list', { name: words.photos })
    const large = dialog.getByRole('button', { name: words.enlarge('').trim() })
    const viewer = page.getByRole('dialog', { name: words.viewer.label(title) })
    await expect(sheet.getByRole('button')).toHaveCount(4)
    await expect(sheet.getByRole('button', { name: words.photo(1, 4) })).toHaveAttribute('aria-current', 'true')
    expect(new URL(page.url()).searchParams.get('project')).toBe('sierra-express-4-6-0')
    await expect(dialog.getByRole('link', { name: words.ask })).toBeInViewport({ ratio: 1 })

    await test.step('thumbnails and a swipe change the large photo and what is said of it', async () => {
      await sheet.getByRole('button', { name: caption(2) }).tap()
      await expect(large).toHaveAccessibleName(words.enlarge(caption(2)))
      const { x, y, width, height } = (await large.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 }
      const [left, right] = [x + width / 10, x + (width * 9) / 10].map((across) => ({ x: across, y: y + height / 2 })) as [
        Point,
        Point,
      ]
      // A finger put on a photo that still moves takes it further than to the next one.
      const comesToRestAt = (photo: number) =>
        expect
          .poll(() => dialog.locator('.project-track').evaluate((track) => track.scrollLeft / track.clientWidth))
          .toBe(photo)
      await comesToRestAt(2)
      await drag(page, { from: right, to: left })
      await expect(sheet.getByRole('button', { name: caption(3) })).toHaveAttribute('aria-current', 'true')
      await comesToRestAt(3)
      // A tall one: the frame has taken its shape.
      expect((await large.boundingBox())?.height).toBeGreaterThan(width)
      await drag(page, { from: left, to: right })
      await comesToRestAt(2)
      await expect(large).toHaveAccessibleName(words.enlarge(caption(2)))
      await expect(viewer).toHaveCount(0)
      await axe(page)
    })

    await test.step('a tap fills the screen; two fingers go closer, and how much is told', async () => {
      await large.tap()
      await expect(viewer).toBeVisible()
      await expect(viewer.getByRole('status')).toHaveText(caption(2))
      await expect(viewer.getByText('×1', { exact: true })).toBeVisible()
      await expect(viewer.getByText(words.scaleMeans('32 cm'))).toBeVisible()
      await axe(page)
      const middle = { x: 195, y: 350 }
      const beside = (by: number) => ({ x: middle.x + by, y: middle.y })
      await drag(page, { from: beside(-30), to: beside(-90) }, { from: beside(30), to: beside(90) })
      await expect(viewer.getByText(/^×[23]/)).toBeVisible()
      await page.goBack()
      await expect(viewer).toHaveCount(0)
      await expect(large).toBeFocused()
    })

    await test.step('there too a swipe leads on, a tap moves the border of the comparison; going back closes the photo, then the model', async () => {
      await large.tap()
      await expect(viewer).toBeFocused()
      await drag(page, { from: { x: 340, y: 350 }, to: { x: 50, y: 350 } })
      await expect(viewer.getByRole('status')).toHaveText(caption(3))
      await page.goBack()
      await expect(viewer).toHaveCount(0)
      await expect(large).toBeFocused()
      await expect(large).toHaveAccessibleName(words.enlarge(caption(3)))
      const slider = dialog.getByRole('slider', { name: words.compareHandle })
      await slider.tap({ position: { x: 60, y: 60 } })
      await expect.poll(async () => Number(await slider.inputValue())).toBeLessThan(30)
      await dialog.getByRole('button', { name: words.share }).tap()
      const shared = { title, url: new URL(`/?lang=${language}&project=sierra-express-4-6-0`, page.url()).href }
      await expect.poll(() => page.evaluate(() => (window as unknown as { shared?: object }).shared)).toEqual(shared)
      await page.goBack()
      await expect(dialog).toHaveCount(0)
      await expect(page).toHaveURL(`/?lang=${language}`)
    })
  })
}

for (const { language, texts, words } of inEnglish) {
  test(`in ${language}, a collector looks closely by keyboard and mouse, from a link by its old id; photos that do not come are asked for again`, async ({
    page,
    axe,
    request,
    expectFailure,
  }) => {
    const title = titleOf('ships-1.jpg', language)
    const caption = (detail: number) => captionOf('ships-1.jpg', detail, language)
    const dialog = page.getByRole('dialog', { name: title, exact: true })
    const sheet = dialog.getByRole('list', { name: words.photos })
    const large = dialog.getByRole('button', { name: words.enlarge('').trim() })
    const viewer = page.getByRole('dialog', { name: words.viewer.label(title) })
    const projects = (await (await request.get(listProjects.path)).json()) as Project[]
    const frigate = projects.find(({ slug }) => slug === 'frigate-aurora')

    await test.step('a link by its id becomes its readable address', async () => {
      await page.goto(`/?project=${frigate?.id}`)
      await expect(dialog).toBeFocused()
      await expect(page).toHaveURL('/?project=frigate-aurora')
    })

    await test.step('arrows lead through the photos while the focus is there, and through the models elsewhere', async () => {
      await large.focus()
      await page.keyboard.press('ArrowRight')
      await expect(dialog.getByRole('figure').first()).toContainText(caption(1))
      await expect(large).toBeFocused()
      await sheet.getByRole('button', { name: caption(1) }).focus()
      await page.keyboard.press('ArrowRight')
      await expect(sheet.getByRole('button', { name: caption(2) })).toBeFocused()
      await expect(sheet.getByRole('button', { name: caption(2) })).toHaveAttribute('aria-current', 'true')
      await page.keyboard.press('ArrowRight')
      await expect(dialog).toBeVisible()
      await large.hover()
      await dialog.getByRole('button', { name: words.previousPhoto }).click()
      await expect(dialog.getByRole('figure').first()).toContainText(caption(1))
    })

    await test.step('Enter fills the screen; plus, minus and the wheel go closer and further; arrows walk; Escape closes one layer', async () => {
      await large.focus()
      await page.keyboard.press('Enter')
      await expect(viewer).toBeFocused()
      await expect(viewer.getByRole('status')).toHaveText(caption(1))
      const stops = [words.viewer.zoom, words.viewer.close, words.previousPhoto, words.nextPhoto, words.viewer.zoom]
      for (const name of stops) {
        await page.keyboard.press('Tab')
        await expect(viewer.getByRole('button', { name })).toBeFocused()
      }
      await page.keyboard.press('+')
      await expect(viewer.getByText('×1.5', { exact: true })).toBeVisible()
      await page.keyboard.press('ArrowRight')
      await expect(viewer.getByRole('status')).toHaveText(caption(1))
      await page.keyboard.press('-')
      await expect(viewer.getByText('×1', { exact: true })).toBeVisible()
      await page.mouse.move(700, 400)
      await page.mouse.wheel(0, -200)
      await expect(viewer.getByText('×1', { exact: true })).toBeHidden()
      await page.mouse.wheel(0, 600)
      await expect(viewer.getByText('×1', { exact: true })).toBeVisible()
      await page.keyboard.press('ArrowRight')
      await expect(viewer.getByRole('status')).toHaveText(caption(2))
      await page.keyboard.press('Escape')
      await expect(viewer).toHaveCount(0)
      await expect(large).toBeFocused()
      await expect(dialog.getByRole('figure').first()).toContainText(caption(2))
    })

    await test.step('the address is copied, and shown where that is refused', async () => {
      const address = new URL('/?project=frigate-aurora', page.url()).href
      await page.context().grantPermissions([])
      await dialog.getByRole('button', { name: words.share }).click()
      await expect(dialog.getByRole('textbox', { name: words.copyYourself })).toHaveValue(address)
      await expect(dialog.getByRole('textbox', { name: words.copyYourself })).toBeFocused()
      await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
      await dialog.getByRole('button', { name: words.share }).click()
      await expect(dialog.getByRole('status')).toHaveText(words.copied)
      expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(address)
      await page.keyboard.press('Escape')
      await expect(dialog).toHaveCount(0)
      await expect(page).toHaveURL('/')
    })

    await test.step('photos that do not come leave the cover and the words, and a way to ask again', async () => {
      await page.goto('/')
      const photos = '**/api/projects/frigate-aurora*'
      expectFailure(/\/api\/projects\/frigate-aurora$/, 500)
      await page.route(photos, (route) => route.fulfill({ status: 500, body: '' }))
      await card(page, texts, title).click()
      await expect(dialog.getByRole('alert')).toContainText(words.photosFailed)
      await expect(dialog.getByText(words.hours('1,150'))).toBeVisible()
      await axe(page)
      await page.unroute(photos)
      const release = await holdBack(page, photos)
      await dialog.getByRole('button', { name: words.retry }).click()
      // Those that arrive while the cover is looked at follow it.
      await large.click()
      await expect(viewer.getByRole('status')).toHaveText(words.photo(1, 3))
      await expect(viewer.getByRole('button', { name: words.nextPhoto })).toHaveCount(0)
      release()
      await viewer.getByRole('button', { name: words.nextPhoto }).click()
      await expect(viewer.getByRole('status')).toHaveText(caption(1))
      await page.keyboard.press('Escape')
      await expect(viewer).toHaveCount(0)
      await expect(sheet.getByRole('button')).toHaveCount(3)
    })

    await test.step('a link that leads nowhere says so, and leads to the gallery', async () => {
      const notice = page.getByRole('complementary', { name: words.gone.title })
      expectFailure(/^\/$/, 404)
      await page.goto('/?project=never-was')
      await expect(notice).toBeFocused()
      await expect(page).toHaveTitle(texts.page.title)
      await axe(page)
      // The cards are within reach; going back from there stays here, also from another one that is gone.
      expectFailure(/\/api\/projects\/sierra-express-4-6-0$/, 404)
      await page.route('**/api/projects/sierra-express-4-6-0*', (route) => route.fulfill({ status: 404, body: '{}' }))
      await card(page, texts, title).click()
      await dialog.getByRole('link', { name: words.next }).click()
      await expect(notice).toBeFocused()
      await page.keyboard.press('Tab')
      await expect(notice.getByRole('link', { name: words.gone.toGallery })).toBeFocused()
      await page.goBack()
      await expect(notice).toHaveCount(0)
      await expect(page).toHaveURL('/')
      await page.goForward()
      await notice.getByRole('link', { name: words.gone.close }).click()
      await expect(notice).toHaveCount(0)
      await expect(page).toHaveURL('/')
      // One that has been in the history longer than in the display case.
      expectFailure(/\/api\/projects\/sold$/, 404)
      await page.evaluate(() => {
        history.pushState(null, '', '/?project=sold')
        history.pushState(null, '', '/')
      })
      await page.goBack()
      await expect(notice).toBeFocused()
      await notice.getByRole('link', { name: words.gone.toGallery }).click()
      await expect(page.locator('#gallery')).toBeInViewport()
      await expect(page).toHaveURL('/')
    })
  })
}

test('a shared link opens its project at once, untouched; closing it leads to the page, asking for one like it to the form', async ({
  page,
  request,
  axe,
}) => {
  const projects = (await (await request.get(listProjects.path)).json()) as Project[]
  const shared = (photo: string) => `/?project=${projects.find(({ title }) => title === titleOf(photo, 'en'))?.slug}`
  const [plain, compared] = [shared('ships-2.jpg'), shared('locomotive-1.jpg')]
  const dialog = page.getByRole('dialog')

  await test.step('without a comparison', async () => {
    await page.goto(plain)
    await expect(page.getByRole('dialog', { name: titleOf('ships-2.jpg', 'en') })).toBeVisible()
    await expect(dialog).toHaveCount(1)
    // Without a before and an after there is nothing to compare.
    await expect(dialog.getByRole('slider')).toHaveCount(0)
    await axe(page)
    // An only photo is not counted.
    const title = titleOf('ships-2.jpg', 'en')
    await dialog.getByRole('button', { name: openProjectEn.enlarge(title) }).click()
    const viewer = page.getByRole('dialog', { name: openProjectEn.viewer.label(title) })
    await expect(viewer).toBeFocused()
    await expect(viewer.getByRole('status')).toHaveText('')
    await page.keyboard.press('Escape')
    await expect(viewer).toHaveCount(0)
    await dialog.getByRole('button', { name: openProjectEn.close }).click()
    await expect(dialog).toBeHidden()
    await expect(page).toHaveTitle(en.page.title)
    expect(new URL(page.url()).search).toBe('')
  })

  await test.step('with one, which it leads to', async () => {
    for (const [width, height] of [
      [390, 844],
      [1440, 900],
    ] as const) {
      await page.setViewportSize({ width, height })
      await page.goto(compared)
      await expect(dialog).toBeFocused()
      const toComparison = dialog.getByRole('button', { name: openProjectEn.compare })
      await expect(toComparison).toBeInViewport({ ratio: 1 })
      await expect(dialog.getByRole('slider')).not.toBeInViewport()
      await toComparison.click()
      await expect(dialog.getByRole('slider')).toBeInViewport({ ratio: 0.9 })
    }
  })

  await dialog.getByRole('link', { name: openProjectEn.ask }).click()
  await expect(dialog).toBeHidden()
  await expect(page.locator('#contact')).toBeInViewport()
  await expect(page.locator('#contact').getByLabel(en.contact.form.name)).toBeFocused()
  await expect(page).toHaveURL('/')
})

test('only what is known of a project is told, and a photo that could not be loaded leaves a word, also when it failed before the script was there', async ({
  page,
  siteWith,
  makersSite,
  expectFailure,
}) => {
  const project = {
    ...aProject({ title: 'Bare hull', imageUrl: 'https://old.example/gone.jpg' }),
    id: '5cdb5e1b-2f2b-4dd1-9d38-0d7c5a4c8f12',
  }
  const draft = {
    ...aProject({ title: 'On the slip', imageUrl: project.imageUrl, draft: true }),
    id: '6f3b9a52-7d1c-4a86-8a35-2f6a1d9e7c40',
  }
  const url = await siteWith({ projects: [project, draft] })
  expectFailure(/gone\.jpg$/, 404)
  await page.route('https://old.example/gone.jpg', (route) => route.fulfill({ status: 404 }))
  await page.goto(`${url}/?project=${project.id}`)
  const dialog = page.getByRole('dialog', { name: 'Bare hull' })
  const expectBare = async () => {
    await expect(dialog.getByText(en.gallery.unavailable)).toBeVisible()
    await expect(dialog.getByRole('term')).toHaveCount(0)
    await expect(dialog.getByRole('slider')).toHaveCount(0)
    // The only project has no neighbours.
    await expect(dialog.getByRole('link', { name: openProjectEn.next })).toHaveCount(0)
    await dialog.getByRole('button', { name: openProjectEn.close }).click()
    await expect(dialog).toBeHidden()
  }
  await expectBare()
  for (const section of [page.getByRole('region', { name: en.featured.title }), gallery(page, en)]) {
    await section.scrollIntoViewIfNeeded()
    await expect(section.getByText(en.gallery.unavailable)).toBeVisible()
  }
  await card(page, en, 'Bare hull').click()
  await expectBare()

  await test.step('a draft is shown to the maker, marked as one', async () => {
    await page.context().addCookies(makersSite.cookies)
    await page.goto(`${url}/?project=${draft.id}`)
    await expect(page.getByRole('dialog', { name: 'On the slip' }).getByText(openProjectEn.draft)).toBeVisible()
  })
})

test('a project whose script is lost on the way is opened by the server', async ({ page, expectFailure }) => {
  const script = /\/assets\/project-dialog-[\w-]+\.js$/
  expectFailure(script, 0)
  await page.goto('/')
  let lost = true
  await page.route(script, (route) => (lost ? route.abort() : route.continue()))
  page.on('request', (request) => {
    if (request.isNavigationRequest()) lost = false
  })
  const title = titleOf('ships-2.jpg', 'en')
  await card(page, en, title).click()
  const dialog = page.getByRole('dialog', { name: title })
  await expect(dialog).toBeVisible()
  await alive(page)
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()
  await expect(page).toHaveURL('/')
})

test('a project that is reached for without a connection opens when there is one again', async ({ page, expectFailure }) => {
  expectFailure(/\/(assets|objects)\//, 0)
  await page.goto('/')
  const title = titleOf('ships-2.jpg', 'en')
  const opener = card(page, en, title)
  await page.context().setOffline(true)
  const closed = page.evaluate(() => new Promise((resolve) => addEventListener('popstate', resolve, { once: true })))
  await opener.click()
  await closed
  await expect(page).toHaveURL('/')
  await expect(page.getByRole('alert')).toContainText(en.gallery.failed)
  await page.context().setOffline(false)
  await opener.click()
  await expect(page.getByRole('dialog', { name: title })).toBeVisible()
})

test('a project beyond the first page opens by its address, and leads to its neighbours and around the ends, if there is a connection', async ({
  page,
  siteWith,
  axe,
  expectFailure,
}) => {
  // What Featured shows comes last in the gallery.
  const projects = manyProjects(60).map((each, index) => ({ ...each, featured: index >= 56 }))
  const url = await siteWith({ projects })
  await page.goto(`${url}/?project=${projects[49]?.id}`)
  const dialog = page.getByRole('dialog')
  const isOpen = async (number: number) => {
    await expect(dialog.getByRole('heading', { name: `Model ${number}`, exact: true })).toBeVisible()
    await expect(dialog.getByText(openProjectEn.position(number, 60))).toBeVisible()
  }
  await isOpen(50)
  await axe(page)

  await test.step('without a connection it stays open, which is said', async () => {
    expectFailure(/./, 0)
    await page.context().setOffline(true)
    await dialog.getByRole('link', { name: openProjectEn.next }).click()
    await expect(page.getByRole('alert')).toContainText(en.gallery.failedHint)
    await isOpen(50)
    await page.context().setOffline(false)
  })

  await page.keyboard.press('ArrowRight')
  await isOpen(51)
  await page.keyboard.press('ArrowLeft')
  await isOpen(50)
  await dialog.getByRole('button', { name: openProjectEn.close }).click()
  await expect(dialog).toBeHidden()

  await card(page, en, 'Model 1').first().click()
  await isOpen(1)
  await dialog.getByRole('link', { name: openProjectEn.previous }).click()
  await isOpen(60)
  await dialog.getByRole('link', { name: openProjectEn.next }).click()
  await isOpen(1)
  await page.reload()
  await isOpen(1)
})

test('the last one that is loaded opens at once, and its place follows; among those of its category', async ({
  page,
  siteWith,
}) => {
  await page.goto(await siteWith({ projects: manyProjects(180) }))
  await gallery(page, en).getByRole('button', { name: en.gallery.categories.locomotive, exact: true }).click()
  await expect(gallery(page, en).getByRole('status')).toHaveText(en.gallery.count(30))
  const release = await holdBack(page, '**/api/projects/*-*')
  await card(page, en, 'Model 139').click()
  const dialog = page.getByRole('dialog', { name: 'Model 139' })
  await expect(dialog).toBeVisible()
  await expect(dialog.getByRole('link', { name: openProjectEn.next })).toHaveCount(0)
  release()
  await expect(dialog.getByText(openProjectEn.position(24, 30))).toBeVisible()
  await dialog.getByRole('link', { name: openProjectEn.next }).click()
  await expect(page.getByRole('dialog', { name: 'Model 145' }).getByText(openProjectEn.position(25, 30))).toBeVisible()
})
