import { statistics as statisticsEn } from '#content/en/statistics.ts'
import { statistics as statisticsEs } from '#content/es/statistics.ts'
import { sendContact } from '#contract/contacts.ts'
import { switchStatistics } from '#contract/statistics.ts'
import { expect, test } from './fixtures.ts'
import { aWrittenProject, goToPlace, inSpanish, notice } from './maker.ts'

const texts = { en: statisticsEn, es: statisticsEs }
const agent =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 Version/17.5 Mobile/15E148 Safari/604.1'
const title = aWrittenProject.title

for (const { language, t: admin } of inSpanish) {
  test(`in ${language}, the maker reads who came, what they opened and asked about, by eye, by keyboard and as a table, and stops counting`, async ({
    page,
    axe,
    panel,
    siteWith,
    makersSite,
    browser,
    watch,
  }) => {
    const t = texts[language]
    const url = await siteWith()
    await page.context().addCookies(makersSite.cookies)
    // The process still knows the visitors of other journeys.
    for (const counting of [false, true]) await page.request.put(`${url}${switchStatistics.path}`, { data: { counting } })
    await panel({ language, projects: [aWrittenProject] })
    const block = page.getByRole('region', { name: admin.dashboard.blockNames['06'] })
    const today = page.getByRole('link', { name: t.show })
    await expect(page.getByText(t.noneYet)).toBeVisible()
    await today.click()
    await expect(block).toBeFocused()
    await expect(block.getByText(t.empty)).toBeVisible()
    await axe(page, { within: block })

    await test.step('a visitor opens a model twice, and asks about it', async () => {
      const context = await browser.newContext({ userAgent: agent })
      const visitor = await context.newPage()
      await watch(visitor)
      await visitor.goto(`${url}/?lang=${language}`, { referer: 'https://www.instagram.com/' })
      const card = visitor.getByRole('link', { name: title }).first()
      for (const _ of [1, 2]) {
        const opened = visitor.waitForResponse(/\/api\/projects\/paddle-steamer-usumacinta/)
        await card.click()
        await opened
        await expect(visitor.getByRole('dialog')).toBeVisible()
        await visitor.keyboard.press('Escape')
        await expect(visitor.getByRole('dialog')).toHaveCount(0)
      }
      const data = {
        name: 'Inés',
        email: 'ines@example.com',
        projectType: 'ship',
        message: 'One like it?',
        about: 'paddle-steamer-usumacinta',
      }
      expect((await context.request.post(`${url}${sendContact.path}`, { data })).ok()).toBe(true)
      await context.close()
    })

    await page.reload()
    await expect(page.getByText(t.week(1, { title, looks: 2, messages: 1 }))).toBeVisible()
    await today.click()
    await expect(block).toBeFocused()
    await expect(block.getByRole('status')).toContainText(`1${t.total.days(1)}`)
    const list = (name: string) => block.locator('section').filter({ has: page.getByRole('heading', { name }) })
    await expect(list(t.opened.title).getByRole('listitem')).toHaveText([`${title}${t.opened.count(2)}`])
    await expect(list(t.asked.title).getByRole('listitem')).toHaveText([`${title}${t.asked.count(1)}`])
    await expect(list(t.hosts.title)).toContainText('instagram.com')
    await expect(list(t.devices.title)).toContainText(`${t.devices.names.phone}1`)
    await axe(page, { within: block, atBothSizes: true })

    await test.step('each number by keyboard and as a table', async () => {
      const line = block.getByRole('slider', { name: t.choose.days })
      await expect(line).toHaveAttribute('aria-valuetext', new RegExp(`: ${t.soFar(1)}$`))
      await line.press('ArrowLeft')
      await expect(line).toHaveAttribute('aria-valuetext', new RegExp(`: ${t.notCounted}$`))
      await block.getByText(t.table.title).click()
      await expect(block.getByRole('row')).toHaveCount(31)
      await expect(block.getByRole('row').nth(1).getByRole('cell')).toHaveText('1')
      await block.getByRole('radio', { name: t.periods.months }).check()
      await expect(block.getByText(t.total.months(1))).toBeVisible()
      await expect(block.getByRole('slider', { name: t.choose.months })).toHaveAttribute('max', '11')
    })

    await test.step('what is stored, in words for visitors; and an end of it', async () => {
      await block.getByText(t.about.title).click()
      for (const each of Object.values(texts)) await expect(block.getByText(each.privacy)).toBeVisible()
      await axe(page, { within: block })
      await block.getByRole('button', { name: t.turnOff.open }).click()
      const dialog = page.getByRole('alertdialog', { name: t.turnOff.title })
      await axe(page)
      await dialog.getByRole('button', { name: t.turnOff.action }).click()
      await expect(notice(page)).toContainText(t.turnOff.done)
      await expect(block.getByText(t.turnOn.text)).toBeVisible()
      await block.getByRole('button', { name: t.turnOn.action }).click()
      await expect(block.getByText(t.empty)).toBeVisible()
      await goToPlace(page, admin, 'today')
      await expect(page.getByText(t.noneYet)).toBeVisible()
    })
  })
}
