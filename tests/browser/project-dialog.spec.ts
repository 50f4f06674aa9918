import { en } from '#content/en.ts'
import { alive } from './alive.ts'
import { expect, test } from './fixtures.ts'
import { holdBack } from './hold-back.ts'
import { makerAccount, makersOwn, playOlderSite } from './maker.ts'
import { fill, manyProjects } from './many.ts'
import { card, gallery, titleOf, visitors } from './visitor.ts'

for (const { language, texts } of visitors) {
  test(`in ${language}, a project opens with its facts and its comparison, and has an address of its own`, async ({
    page,
    axe,
    request,
  }) => {
    const title = titleOf('ships-1.jpg', language)
    await page.goto(`/?lang=${language}`)
    await card(page, texts, title).click()
    const dialog = page.getByRole('dialog', { name: title })
    await expect(dialog).toBeVisible()
    for (const name of [texts.project.scale, texts.project.timeSpent, texts.project.materials, texts.project.techniques]) {
      await expect(dialog.getByText(name, { exact: true })).toBeVisible()
    }
    await expect(dialog).toContainText(texts.project.hours('1,150'))
    await expect(page).toHaveTitle(texts.page.projectTitle(title))
    await axe(page)

    const slider = dialog.getByRole('slider', { name: texts.project.compareHandle })
    await slider.focus()
    await page.keyboard.press('ArrowRight')
    await expect(slider).toHaveValue('51')
    await expect(dialog).toBeVisible()

    const shared = page.url()
    expect(shared).toContain('project=')
    const html = await (await request.get(shared)).text()
    expect(html).toContain(`<title>${texts.page.projectTitle(title).replaceAll('"', '&quot;')}</title>`)
    expect(html).toContain('role="dialog"')
    expect(html).toMatch(/<meta property="og:image" content="http[^"]+\/objects\/[0-9a-f]{64}\?w=1600&amp;f=jpeg">/)
  })
}

test('a dialog is at most 90% of the screen high, scrolls inside, and closes by button, backdrop and Escape only', async ({
  page,
}) => {
  const title = titleOf('ships-1.jpg', 'en')
  await page.goto('/')
  const opener = card(page, en, title)
  const dialog = page.getByRole('dialog', { name: title })

  await opener.click()
  await expect(dialog).toBeVisible()
  const { height, screen } = await dialog.evaluate((element) => ({
    height: element.getBoundingClientRect().height,
    screen: innerHeight,
  }))
  expect(height).toBeLessThanOrEqual(screen * 0.9 + 1)
  await dialog.getByRole('heading', { name: title }).click()
  await expect(dialog).toBeVisible()
  await dialog.getByRole('button', { name: en.project.close }).click()
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
  expect(new URL(page.url()).search).toBe('')
})

test('going back closes the project, going forward opens it again', async ({ page }) => {
  const title = titleOf('aircraft-1.jpg', 'en')
  await page.goto('/')
  await card(page, en, title).click()
  const dialog = page.getByRole('dialog', { name: title })
  await expect(dialog).toBeVisible()
  await page.goBack()
  await expect(dialog).toBeHidden()
  await page.goForward()
  await expect(dialog).toBeVisible()
})

test('a shared link opens its project at once, and closing it leads to the page itself', async ({ page, axe }) => {
  const title = titleOf('figures-2.jpg', 'en')
  await page.goto('/')
  await card(page, en, title).click()
  const dialog = page.getByRole('dialog', { name: title })
  await expect(dialog).toBeVisible()
  const shared = page.url()

  await page.goto('about:blank')
  await page.goto(shared)
  await expect(dialog).toBeVisible()
  await expect(page.getByRole('dialog')).toHaveCount(1)
  // Without a before and an after there is nothing to compare.
  await expect(dialog.getByRole('slider')).toHaveCount(0)
  await axe(page)
  await dialog.getByRole('button', { name: en.project.close }).click()
  await expect(dialog).toBeHidden()
  await expect(page).toHaveTitle(en.page.title)
  expect(new URL(page.url()).search).toBe('')
})

test('the projects can be leafed through by buttons and by arrow keys, around the ends', async ({ page }) => {
  await page.goto('/')
  await card(page, en, titleOf('ships-1.jpg', 'en')).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByText(en.project.position(1, 12))).toBeVisible()
  await dialog.getByRole('link', { name: en.project.next }).click()
  await expect(page.getByRole('dialog', { name: titleOf('locomotive-1.jpg', 'en') })).toBeVisible()
  await page.keyboard.press('ArrowLeft')
  await expect(page.getByRole('dialog', { name: titleOf('ships-1.jpg', 'en') })).toBeVisible()
  await page.keyboard.press('ArrowLeft')
  await expect(dialog.getByText(en.project.position(12, 12))).toBeVisible()
  await page.goBack()
  await expect(dialog).toBeHidden()
})

test('the border of the comparison follows a finger or the mouse', async ({ page, isMobile }) => {
  await page.goto('/')
  await card(page, en, titleOf('locomotive-1.jpg', 'en')).click()
  const slider = page.getByRole('dialog').getByRole('slider')
  await slider.scrollIntoViewIfNeeded()
  const { x, y, width, height } = (await slider.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 }
  const point = [x + width / 4, y + height / 3] as const
  await (isMobile ? page.touchscreen.tap(...point) : page.mouse.click(...point))
  await expect.poll(async () => Number(await slider.inputValue())).toBeLessThan(30)
  await expect.poll(async () => Number(await slider.inputValue())).toBeGreaterThan(15)
})

test('only what is known of a project is told', async ({ page, startSite, request, expectFailure }) => {
  expectFailure(/gone\.jpg$/, 404)
  await page.route('https://old.example/gone.jpg', (route) => route.fulfill({ status: 404 }))
  const site = await startSite(makersOwn)
  await request.post(`${site.url}/api/admin/login`, { data: makerAccount })
  const draft = {
    title: 'Bare hull',
    description: 'Nothing more is known.',
    category: 'ships',
    imageUrl: 'https://old.example/gone.jpg',
  }
  expect((await request.post(`${site.url}/api/admin/projects`, { data: draft })).ok()).toBe(true)

  await page.goto(site.url)
  await card(page, en, 'Bare hull').click()
  const dialog = page.getByRole('dialog', { name: 'Bare hull' })
  await expect(dialog).toBeVisible()
  await expect(dialog.getByRole('term')).toHaveCount(0)
  await expect(dialog.getByRole('slider')).toHaveCount(0)
  // A photo of an older site that has gone leaves a word in its place.
  await expect(dialog.getByText(en.project.unavailable)).toBeVisible()
  // The only project has no neighbours.
  await expect(dialog.getByRole('link', { name: en.project.next })).toHaveCount(0)
})

test('asking for one like it leads to the form, from a project opened here and from a shared one', async ({ page }) => {
  const dialog = page.getByRole('dialog')
  const form = page.locator('#contact')
  await page.goto('/')
  await card(page, en, titleOf('ships-2.jpg', 'en')).click()
  await expect(dialog).toBeVisible()
  const shared = page.url()
  for (const arrive of [async () => {}, () => page.goto(shared)]) {
    await arrive()
    await dialog.getByRole('link', { name: en.project.ask }).click()
    await expect(dialog).toBeHidden()
    await expect(form).toBeInViewport()
    await expect(form).toBeFocused()
    await expect(page).toHaveURL('/')
  }
})

test('from the form that a project led to, going back leads to where the project was opened', async ({ page }) => {
  // A page that still glides keeps its course in Chromium, whatever the way back says.
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await page.goto('/')
  const opener = card(page, en, titleOf('ships-2.jpg', 'en'))
  await opener.click()
  await page.getByRole('dialog').getByRole('link', { name: en.project.ask }).click()
  await expect(page.locator('#contact')).toBeInViewport()
  await expect(opener).not.toBeInViewport()

  await page.goBack()
  await expect(opener).toBeInViewport()
  await expect(page.getByRole('dialog')).toBeHidden()
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

test('a project beyond the first page opens by its address, and leads to its neighbours and around the ends', async ({
  page,
  startSite,
  request,
  axe,
}) => {
  const projects = manyProjects(60)
  const url = await siteWith({ projects })
  await page.goto(`${url}/?project=${projects[49]?.id}`)
  const dialog = page.getByRole('dialog')
  const isOpen = async (number: number) => {
    await expect(dialog.getByRole('heading', { name: `Model ${number}`, exact: true })).toBeVisible()
    await expect(dialog.getByText(en.project.position(number, 60))).toBeVisible()
  }
  await isOpen(50)
  await axe(page)
  await page.keyboard.press('ArrowRight')
  await isOpen(51)
  await page.keyboard.press('ArrowLeft')
  await isOpen(50)
  await dialog.getByRole('button', { name: en.project.close }).click()
  await expect(dialog).toBeHidden()

  await card(page, en, 'Model 1').first().click()
  await isOpen(1)
  await dialog.getByRole('link', { name: en.project.previous }).click()
  await isOpen(60)
  await dialog.getByRole('link', { name: en.project.next }).click()
  await isOpen(1)
  await page.reload()
  await isOpen(1)
})

test('the last one that is loaded opens at once, and its place follows; among those of its category', async ({
  page,
  startSite,
  request,
}) => {
  const projects = manyProjects(180)
  const url = await siteWith({ projects })
  await page.goto(url)
  await gallery(page, en).getByRole('button', { name: en.gallery.categories.locomotive, exact: true }).click()
  await expect(gallery(page, en).getByRole('status')).toHaveText(en.gallery.count(30))
  const release = await holdBack(page, '**/api/projects/*-*')
  await card(page, en, 'Model 139').click()
  const dialog = page.getByRole('dialog', { name: 'Model 139' })
  await expect(dialog).toBeVisible()
  await expect(dialog.getByRole('link', { name: en.project.next })).toHaveCount(0)
  release()
  await expect(dialog.getByText(en.project.position(24, 30))).toBeVisible()
  await dialog.getByRole('link', { name: en.project.next }).click()
  await expect(page.getByRole('dialog', { name: 'Model 145' }).getByText(en.project.position(25, 30))).toBeVisible()
})

test('without a connection the project that is open stays open, which is said, and the next one opens when there is one again', async ({
  page,
  startSite,
  request,
  expectFailure,
}) => {
  expectFailure(/./, 0)
  const projects = manyProjects(60)
  const url = await siteWith({ projects })
  await page.goto(`${url}/?project=${projects[49]?.id}`)
  const dialog = page.getByRole('dialog', { name: 'Model 50' })
  await page.context().setOffline(true)
  await dialog.getByRole('link', { name: en.project.next }).click()
  await expect(page.getByRole('alert')).toContainText(en.gallery.failedHint)
  await expect(dialog).toBeVisible()
  await page.context().setOffline(false)
  await dialog.getByRole('link', { name: en.project.next }).click()
  await expect(page.getByRole('dialog', { name: 'Model 51' })).toBeVisible()
})

test('an address of a project that does not exist opens nothing', async ({ page }) => {
  await page.goto('/?project=00000000-0000-4000-8000-000000000000')
  await expect(card(page, en, titleOf('ships-1.jpg', 'en'))).toBeVisible()
  await expect(page.getByRole('dialog')).toHaveCount(0)
})
