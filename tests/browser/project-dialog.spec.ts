import { en } from '#content/en.ts'
import { aProject } from '../factories.ts'
import { alive } from './alive.ts'
import { expect, test } from './fixtures.ts'
import { holdBack } from './hold-back.ts'
import { manyProjects } from './many.ts'
import { card, gallery, titleOf, visitors } from './visitor.ts'

for (const { language, texts } of visitors) {
  test(`in ${language}, a project opens with its facts, its comparison and an address of its own, is leafed through and closed, and leads to the form`, async ({
    page,
    axe,
    request,
    isMobile,
  }) => {
    const title = titleOf('ships-1.jpg', language)
    await page.goto(`/?lang=${language}`)
    const opener = card(page, texts, title)
    const dialog = page.getByRole('dialog', { name: title })
    await opener.click()
    await expect(dialog).toBeVisible()

    await test.step('facts and address', async () => {
      for (const name of [texts.project.scale, texts.project.timeSpent, texts.project.materials, texts.project.techniques]) {
        await expect(dialog.getByText(name, { exact: true })).toBeVisible()
      }
      await expect(dialog).toContainText(texts.project.hours('1,150'))
      await expect(page).toHaveTitle(texts.page.projectTitle(title))
      await axe(page)
      const shared = page.url()
      expect(shared).toContain('project=')
      const html = await (await request.get(shared)).text()
      expect(html).toContain(`<title>${texts.page.projectTitle(title).replaceAll('"', '&quot;')}</title>`)
      expect(html).toContain('role="dialog"')
      expect(html).toMatch(/<meta property="og:image" content="\/objects\/[0-9a-f]{64}\?w=1600&amp;f=jpeg">/)
    })

    await test.step('the border of the comparison follows the keys, and a finger or the mouse', async () => {
      const slider = dialog.getByRole('slider', { name: texts.project.compareHandle })
      await slider.focus()
      await page.keyboard.press('ArrowRight')
      await expect(slider).toHaveValue('51')
      await expect(dialog).toBeVisible()
      await slider.scrollIntoViewIfNeeded()
      const { x, y, width, height } = (await slider.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 }
      const point = [x + width / 4, y + height / 3] as const
      await (isMobile ? page.touchscreen.tap(...point) : page.mouse.click(...point))
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
      await dialog.getByRole('button', { name: texts.project.close }).click()
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

    await test.step('it can be leafed through by buttons and by arrow keys, around the ends', async () => {
      const open = page.getByRole('dialog')
      await expect(open.getByText(texts.project.position(1, 12))).toBeVisible()
      await open.getByRole('link', { name: texts.project.next }).click()
      await expect(page.getByRole('dialog', { name: titleOf('locomotive-1.jpg', language) })).toBeVisible()
      await page.keyboard.press('ArrowLeft')
      await expect(dialog).toBeVisible()
      await page.keyboard.press('ArrowLeft')
      await expect(open.getByText(texts.project.position(12, 12))).toBeVisible()
      await page.goBack()
      await expect(open).toBeHidden()
    })

    await test.step('asking for one like it leads to the form, and from there back to where it was opened', async () => {
      const contact = page.locator('#contact')
      await opener.click()
      await dialog.getByRole('link', { name: texts.project.ask }).click()
      await expect(dialog).toBeHidden()
      await expect(contact).toBeInViewport()
      await expect(contact).toBeFocused()
      await expect(page).toHaveURL(`/?lang=${language}`)
      await expect(opener).not.toBeInViewport()
      await page.goBack()
      await expect(opener).toBeInViewport()
      await expect(page.getByRole('dialog')).toBeHidden()
    })
  })
}

test('a shared link opens its project at once, untouched; closing it leads to the page, asking for one like it to the form', async ({
  page,
  axe,
}) => {
  const shared = async (photo: string) => {
    const href = await card(page, en, titleOf(photo, 'en')).getAttribute('href')
    return new URL(href ?? '', page.url()).href
  }
  await page.goto('/?project=00000000-0000-4000-8000-000000000000')
  await expect(card(page, en, titleOf('ships-1.jpg', 'en'))).toBeVisible()
  await expect(page.getByRole('dialog')).toHaveCount(0)
  const [plain, compared] = [await shared('figures-2.jpg'), await shared('locomotive-1.jpg')]
  const dialog = page.getByRole('dialog')

  await test.step('without a comparison', async () => {
    await page.goto(plain)
    await expect(page.getByRole('dialog', { name: titleOf('figures-2.jpg', 'en') })).toBeVisible()
    await expect(dialog).toHaveCount(1)
    // Without a before and an after there is nothing to compare.
    await expect(dialog.getByRole('slider')).toHaveCount(0)
    await axe(page)
    await dialog.getByRole('button', { name: en.project.close }).click()
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
      const toComparison = dialog.getByRole('button', { name: en.project.compare })
      await expect(toComparison).toBeInViewport({ ratio: 1 })
      await expect(dialog.getByRole('slider')).not.toBeInViewport()
      await toComparison.click()
      await expect(dialog.getByRole('slider')).toBeInViewport({ ratio: 0.9 })
    }
  })

  await dialog.getByRole('link', { name: en.project.ask }).click()
  await expect(dialog).toBeHidden()
  await expect(page.locator('#contact')).toBeInViewport()
  await expect(page.locator('#contact')).toBeFocused()
  await expect(page).toHaveURL('/')
})

test('only what is known of a project is told, and a photo that could not be loaded leaves a word, also when it failed before the script was there', async ({
  page,
  siteWith,
  expectFailure,
}) => {
  const project = {
    ...aProject({ title: 'Bare hull', imageUrl: 'https://old.example/gone.jpg' }),
    id: '5cdb5e1b-2f2b-4dd1-9d38-0d7c5a4c8f12',
  }
  const url = await siteWith({ projects: [project] })
  expectFailure(/gone\.jpg$/, 404)
  await page.route('https://old.example/gone.jpg', (route) => route.fulfill({ status: 404 }))
  await page.goto(`${url}/?project=${project.id}`)
  const dialog = page.getByRole('dialog', { name: 'Bare hull' })
  const expectBare = async () => {
    await expect(dialog.getByText(en.project.unavailable)).toBeVisible()
    await expect(dialog.getByRole('term')).toHaveCount(0)
    await expect(dialog.getByRole('slider')).toHaveCount(0)
    // The only project has no neighbours.
    await expect(dialog.getByRole('link', { name: en.project.next })).toHaveCount(0)
    await dialog.getByRole('button', { name: en.project.close }).click()
    await expect(dialog).toBeHidden()
  }
  await expectBare()
  for (const section of [page.getByRole('region', { name: en.featured.title }), gallery(page, en)]) {
    await section.scrollIntoViewIfNeeded()
    await expect(section.getByText(en.project.unavailable)).toBeVisible()
  }
  await card(page, en, 'Bare hull').click()
  await expectBare()
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

  await test.step('without a connection it stays open, which is said', async () => {
    expectFailure(/./, 0)
    await page.context().setOffline(true)
    await dialog.getByRole('link', { name: en.project.next }).click()
    await expect(page.getByRole('alert')).toContainText(en.gallery.failedHint)
    await isOpen(50)
    await page.context().setOffline(false)
  })

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
  siteWith,
}) => {
  await page.goto(await siteWith({ projects: manyProjects(180) }))
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
