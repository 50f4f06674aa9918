import { backups as backupsEn } from '#content/en/backups.ts'
import { server as serverEn } from '#content/en/server.ts'
import { settings as settingsEn } from '#content/en/settings.ts'
import { yourSite as yourSiteEn } from '#content/en/your-site.ts'
import { backups as backupsEs } from '#content/es/backups.ts'
import { checks } from '#content/es/checks.ts'
import { server as serverEs } from '#content/es/server.ts'
import { settings as settingsEs } from '#content/es/settings.ts'
import { yourSite as yourSiteEs } from '#content/es/your-site.ts'
import { checkNames, readChecks, type SiteCheck, siteChecks } from '#contract/checks.ts'
import { demoProjects } from '#demo/projects.ts'
import { expect, test } from './fixtures.ts'
import { goToPlace, inSpanish, keepNotice, makers, notice, sendNoticeAway } from './maker.ts'
import { manyContacts, manyProjects } from './many.ts'

const backups = { en: backupsEn, es: backupsEs }
const serverTexts = { en: serverEn, es: serverEs }
const settings = { en: settingsEn, es: settingsEs }
const yourSite = { en: yourSiteEn, es: yourSiteEs }

for (const { language, t: texts } of makers) {
  test(`in ${language}, a bar that stays leads to each part of the dashboard and says how much is in it, and the figures lead to what they count`, async ({
    page,
    axe,
    panel,
  }) => {
    // The length of the page is that of a site of which nothing is to be said.
    const json = { now: new Date().toISOString(), checks: checked() }
    await page.route(`**${readChecks.path}`, (route) => route.fulfill({ json }))
    const url = await panel({ language, projects: manyProjects(26), contacts: manyContacts(7) })
    const bar = page.getByRole('navigation', { name: texts.dashboard.blocks })
    const names = texts.dashboard.blockNames
    const [projects, messages, site, accounts, kept] = (['01', '02', '03', '04', '05'] as const).map((block) =>
      bar.getByRole('link', { name: names[block] }),
    )
    if (!projects || !messages || !site || !accounts || !kept) throw new Error('There are five of them.')
    await expect(projects).toHaveText(`${names['01']}26`)
    await expect(messages).toHaveText(`${names['02']}7`)
    await expect(accounts).toHaveText(`${names['04']}1`)
    await expect(kept).toHaveText(`${names['05']}0`)
    await expect(bar.getByRole('link', { name: names.today })).toHaveAttribute('aria-current', 'location')
    const heights = await bar.getByRole('link').evaluateAll((links) => links.map((link) => link.clientHeight))
    expect(Math.min(...heights)).toBeGreaterThanOrEqual(44)

    const jumps = [
      [messages, texts.messages.title],
      [site, yourSite[language].title],
      [kept, backups[language].title],
      [accounts, texts.accounts.title],
      [projects, texts.projects.title],
    ] as const
    for (const [link, title] of jumps) {
      await link.click()
      await expect(page.getByRole('region', { name: title })).toBeFocused()
      await expect(page.getByRole('heading', { level: 2, name: title })).toBeInViewport({ ratio: 1 })
      await expect(link).toHaveAttribute('aria-current', 'location')
      await expect(bar.locator('[aria-current]')).toHaveCount(1)
      await expect(bar).toBeInViewport({ ratio: 1 })
      // Neither the header nor the bar lies over it.
      const heading = page.getByRole('heading', { level: 2, name: title })
      await expect
        .poll(() =>
          heading.evaluate((element) => {
            const { left, top, height } = element.getBoundingClientRect()
            return element.contains(document.elementFromPoint(left + 4, top + height / 2))
          }),
        )
        .toBe(true)
    }
    await axe(page, { within: bar })
    await expect(page).toHaveURL(`${url}/admin`)

    // What is last on the page is not hidden behind the bar.
    await page.evaluate(() => scrollTo({ top: document.body.scrollHeight, behavior: 'instant' }))
    const end = await page.getByRole('main').evaluate((main) => main.lastElementChild?.getBoundingClientRect().bottom ?? 0)
    const barTop = await bar.evaluate((element) => element.getBoundingClientRect().top)
    if (barTop > 200) expect(end).toBeLessThanOrEqual(barTop)

    const overview = page.getByRole('region', { name: texts.dashboard.overview })
    const today = bar.getByRole('link', { name: names.today })
    await today.click()
    // A phone shows one part at a time, and of all of them together no more than four screens.
    const screens = await page.evaluate(() => document.documentElement.scrollHeight / innerHeight)
    if (barTop > 200) expect(screens).toBeLessThanOrEqual(4)
    for (const [name, title] of [
      [texts.dashboard.contactMessages, texts.messages.title],
      [texts.dashboard.totalProjects, texts.projects.title],
      [texts.dashboard.featuredProjects, texts.projects.title],
    ] as const) {
      await today.click()
      await overview.getByRole('link', { name }).click()
      await expect(page.getByRole('region', { name: title })).toBeFocused()
      await expect(page.getByRole('heading', { level: 2, name: title })).toBeInViewport({ ratio: 1 })
    }
    // The number is part of the way there, too.
    await today.click()
    await overview.getByRole('definition').nth(1).click({ force: true })
    await expect(page.getByRole('region', { name: texts.messages.title })).toBeFocused()
  })
}

for (const { language, t: texts } of inSpanish) {
  test(`in ${language}, the first steps lead to where they are taken, tick themselves off, open the site, and can be put away`, async ({
    page,
    axe,
    panel,
  }) => {
    const projects = demoProjects.map(({ title, description, translations, category }) => ({
      ...{ title, description, translations, category },
      imageUrl: 'https://older-site.example/steamer.jpg',
    }))
    const own = { ...projects[0], title: 'My own frigate' }
    const url = await panel({ language, projects: [...projects, own], firstSteps: true, opened: false })
    const { firstSteps: t } = texts
    const list = page.getByRole('region', { name: t.title })
    const progress = list.getByRole('status')
    await expect(progress).toHaveText(t.progress(1, 9))
    await expect(list.getByRole('listitem').filter({ hasText: t.done })).toHaveText(`${t.steps.model.name} ${t.done}`)
    await axe(page, { within: list, atBothSizes: true })

    for (const [step, title] of [
      ['backup', backups[language].title],
      ['copy', backups[language].title],
    ] as const) {
      await list.getByRole('button', { name: t.steps[step].name }).click()
      await expect(page.getByRole('region', { name: title })).toBeFocused()
      await expect(page.locator('[aria-current]')).toHaveText(new RegExp(texts.dashboard.blockNames['05']))
      await goToPlace(page, texts, 'today')
    }
    await list.getByRole('button', { name: t.steps.mail.name }).click()
    await expect(page.getByRole('dialog', { name: settings[language].title })).toBeVisible()
    await page.keyboard.press('Escape')
    const contact = list.getByRole('button', { name: t.steps.contact.name })
    await contact.click()
    await page.getByRole('dialog').waitFor()
    await page.keyboard.press('Escape')
    await expect(contact).toBeFocused()

    // All of the demo's go, and come back with one click; the maker's own stays.
    const rows = page.getByRole('region', { name: texts.projects.title }).getByRole('listitem')
    await expect(rows).toHaveCount(4)
    await list.getByRole('button', { name: t.demo.remove(12) }).click()
    await keepNotice(page)
    await expect(notice(page)).toContainText(t.demo.removed(12))
    await expect(progress).toHaveText(t.progress(2, 9))
    await expect(rows).toHaveCount(1)
    await notice(page).getByRole('button', { name: texts.common.undo }).click()
    await expect(notice(page)).toContainText(t.demo.restored(12))
    await expect(rows).toHaveCount(4)
    await expect(progress).toHaveText(t.progress(1, 9))
    // It covers the head of a phone.
    await sendNoticeAway(page)

    // Visitors read that it opens soon; the maker sees the page, with a bar that leads back here.
    const asVisitor = async () => (await (await fetch(`${url}/?lang=${language}`)).text()).includes(own.title)
    expect(await asVisitor()).toBe(false)
    await page.getByRole('banner').getByRole('link', { name: texts.common.viewSite }).click()
    const bar = page.getByRole('complementary')
    await expect(bar).toContainText(serverTexts[language].opening.bar)
    await expect(bar.getByRole('link')).toBeInViewport({ ratio: 1 })
    await axe(page, { within: bar })
    await bar.getByRole('link').press('Enter')
    await list.getByRole('button', { name: t.opening.action }).click()
    const asking = page.getByRole('alertdialog', { name: t.opening.title })
    await expect(asking.getByRole('listitem')).toHaveText([
      t.steps.contact.name,
      t.steps.hero.name,
      t.steps.story.name,
      t.demo.name,
    ])
    await asking.getByRole('button', { name: t.opening.action }).click()
    await keepNotice(page)
    await expect(notice(page)).toContainText(t.opening.done)
    expect(await asVisitor()).toBe(true)
    await notice(page).getByRole('button', { name: texts.common.undo }).click()
    await expect(notice(page)).toContainText(t.opening.undone)
    expect(await asVisitor()).toBe(false)
    await sendNoticeAway(page)

    await list.getByRole('button', { name: t.hide }).focus()
    await page.keyboard.press('Enter')
    await expect(list).toHaveCount(0)
    await expect(notice(page)).toContainText(t.whereHidden)
    await page.reload()
    const show = page.getByRole('button', { name: t.show })
    await show.focus()
    await expect(list).toHaveCount(0)
    await page.keyboard.press('Enter')
    await expect(list).toBeInViewport()
    await expect(show).toHaveCount(0)
  })
}

/** Each check as it is found when all is well, apart from these. */
function checked(...others: SiteCheck[]) {
  const at = '2026-05-01T09:00:00.000Z'
  const values: Record<string, SiteCheck['values']> = {
    address: { url: 'https://models.example' },
    disk: { free: 20_000_000_000 },
    database: { bytes: 5_000_000, checkedAt: at },
    photos: { photos: 12, checkedAt: at },
    mail: { to: 'ana@example.com' },
    version: { release: '1.0.0', node: '24.1.0', until: '2028-04-30' },
    visitors: { sitemap: null },
  }
  return checkNames.map((check) => {
    const finding = check === 'backups' ? 'backups_here_only' : (Object.keys(siteChecks[check])[0] ?? '')
    const fine: SiteCheck = { check, level: 'green', finding, values: values[check] ?? { takenAt: null } }
    return others.find((other) => other.check === check) ?? fine
  })
}

for (const { language, t: texts } of inSpanish) {
  test(`in ${language}, the dashboard shows what is amber or red and leads to where it is mended, and a page shows all checks`, async ({
    page,
    axe,
    panel,
    expectFailure,
  }) => {
    const t = checks
    const full: SiteCheck = { check: 'disk', level: 'red', finding: 'disk_full', values: { free: 61_000_000 } }
    const alone: SiteCheck = { check: 'accounts', level: 'amber', finding: 'accounts_locked_out', values: { names: ['Ana'] } }
    let found: SiteCheck[] | undefined = checked(full, alone)
    await page.route(`**${readChecks.path}`, (route) =>
      route.fulfill(found ? { json: { now: new Date().toISOString(), checks: found } } : { status: 500, body: '' }),
    )
    await panel({ language })
    const status = page.getByRole('region', { name: t.title })
    await expect(status.getByRole('listitem')).toHaveText([
      `${t.levels.red}: ${t.findings.disk_full({ free: 61_000_000 }, '').join('')}`,
      new RegExp(`^${t.levels.amber}: .*Ana`),
    ])
    await axe(page, { within: status, atBothSizes: true })
    await status.getByRole('button', { name: t.showOf(t.names.accounts) }).click()
    await expect(page.getByRole('region', { name: texts.accounts.title })).toBeFocused()
    await goToPlace(page, texts, 'today')

    const open = status.getByRole('button', { name: t.title })
    await open.focus()
    await page.keyboard.press('Enter')
    const dialog = page.getByRole('dialog', { name: t.title })
    await expect(dialog.getByRole('listitem')).toHaveCount(checkNames.length)
    await expect(dialog.getByRole('status')).toHaveText(t.open(2))
    await axe(page, { atBothSizes: true })

    // What was mended meanwhile is green when it is looked at again; what fails says so, and the last answer stays.
    found = checked()
    await dialog.getByRole('button', { name: t.again }).click()
    await expect(dialog.getByRole('status')).toHaveText(t.allGreen)
    found = undefined
    expectFailure(new RegExp(`${readChecks.path}$`), 500)
    await dialog.getByRole('button', { name: t.again }).click()
    await expect(dialog.getByRole('alert')).toHaveText(t.failed)
    await expect(dialog.getByRole('listitem')).toHaveCount(checkNames.length)
    await page.keyboard.press('Escape')
    await expect(open).toBeFocused()
    found = checked()
    await status.getByRole('button', { name: texts.common.retry }).click()
    await expect(open).toContainText(t.allGreen)
    await expect(status.getByRole('listitem')).toHaveCount(0)
  })
}
