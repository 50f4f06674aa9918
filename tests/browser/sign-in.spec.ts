import { admin as adminEn } from '#content/en/admin.ts'
import { admin as adminEs } from '#content/es/admin.ts'
import { backups as backupsEs } from '#content/es/backups.ts'
import { checks as checksEs } from '#content/es/checks.ts'
import { yourSite as yourSiteEs } from '#content/es/your-site.ts'
import { demoAdmin } from '#demo/admin.ts'
import { expect, test } from './fixtures.ts'
import { holdBack } from './hold-back.ts'
import {
  arriveAtDashboard,
  chooseLanguage,
  field,
  inSpanish,
  makerAccount,
  notice,
  sendNoticeAway,
  signInByHand,
  signOutByHand,
} from './maker.ts'

for (const { language, t } of inSpanish) {
  test(`in ${language}, the maker signs in: with nothing, wrongly, too often, and then rightly, and is warned of the demo account`, async ({
    page,
    expectFailure,
    axe,
    startDemo,
  }) => {
    const { url } = await startDemo()
    await chooseLanguage(page, url, language)
    await page.goto(`${url}/admin/login`)
    await expect(page.getByRole('heading', { level: 1, name: t.signIn.title })).toBeVisible()
    await expect(page).toHaveTitle(`${t.signIn.title} · Vitrina`)
    await expect(page.getByText(t.signIn.intro)).toBeVisible()
    await expect(page.getByText(`${demoAdmin.username} / ${demoAdmin.password}`)).toBeVisible()
    await axe(page, { atBothSizes: true })

    const username = page.getByLabel(t.signIn.username)
    const password = page.getByLabel(t.signIn.password, { exact: true })
    await expect(username).toHaveAttribute('autocomplete', 'username')
    await expect(password).toHaveAttribute('autocomplete', 'current-password')
    await page.getByRole('button', { name: t.signIn.submit }).click()
    await expect(page.getByText(t.signIn.usernameMissing)).toBeVisible()
    await expect(page.getByText(t.signIn.passwordMissing)).toBeVisible()
    await expect(username).toBeFocused()
    await axe(page)

    expectFailure(/\/api\/admin\/login$/, 401)
    await signInByHand(page, t, { username: demoAdmin.username, password: 'not this' })
    await expect(notice(page)).toContainText(t.common.error)
    await expect(notice(page)).toContainText(t.signIn.failed)
    await expect(username).toHaveValue(demoAdmin.username)
    await sendNoticeAway(page)
    await expect(page.getByRole('form').getByText(t.signIn.failed)).toBeVisible()
    await axe(page)

    await test.step('who guesses too often is told how long to wait', async () => {
      expectFailure(/\/api\/admin\/login$/, 429)
      const message = 'Too many failed attempts. Please try again in 8 seconds.'
      const json = { code: 'too_many_attempts', message, details: { seconds: 8 } }
      await page.route('**/api/admin/login', (route) => route.fulfill({ status: 429, headers: { 'retry-after': '8' }, json }))
      await signInByHand(page, t, demoAdmin)
      await expect(notice(page)).toContainText('Demasiados intentos fallidos. Inténtelo de nuevo en 8 segundos.')
      await page.unroute('**/api/admin/login')
    })

    const release = await holdBack(page, '**/api/admin/login')
    await signInByHand(page, t, demoAdmin)
    const pending = page.getByRole('button', { name: t.signIn.submitting })
    await expect(pending).toBeDisabled()
    release()
    await expect(notice(page)).toContainText(t.common.success)
    await expect(notice(page)).toContainText(t.signIn.done)
    await expect(page).toHaveURL(`${url}/admin`)
    await arriveAtDashboard(page, t)
    await expect(page).toHaveTitle(`(2) ${t.dashboard.title} · Vitrina`)

    await test.step('the dashboard shows what there is, in order, and fits the screen', async () => {
      await expect(page.getByRole('heading', { level: 2 })).toHaveText([
        t.projects.title,
        t.messages.title,
        yourSiteEs.title,
        t.accounts.title,
        backupsEs.title,
      ])
      const overview = page.getByRole('region', { name: t.dashboard.overview })
      await expect(overview.getByRole('definition')).toHaveText(['12', '4', '4'])
      await expect(overview.getByRole('term')).toHaveText([
        t.dashboard.totalProjects,
        t.dashboard.contactMessages,
        t.dashboard.featuredProjects,
      ])
      await sendNoticeAway(page)
      await axe(page, { atBothSizes: true })
      const overflow = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)
      expect(overflow).toBe(0)
      const small = await page.getByRole('button').evaluateAll((buttons) =>
        buttons
          .map((button) => ({
            name: button.getAttribute('aria-label') ?? button.textContent,
            ...button.getBoundingClientRect().toJSON(),
          }))
          .filter(({ width, height }) => width < 44 || height < 44),
      )
      expect(small).toEqual([])
    })

    await page.goto(`${url}/admin/login`)
    await expect(page).toHaveURL(`${url}/admin`)

    await test.step('the demo account is warned of until it has a password of its own', async () => {
      const warning = page.getByRole('status').filter({ hasText: checksEs.findings.demo_active({}, '')[0] })
      await warning.getByRole('button', { name: t.accounts.change }).click()
      const changing = page.getByRole('dialog', { name: t.accounts.changeTitle })
      await field(changing, t.accounts.currentPassword).fill(demoAdmin.password)
      await field(changing, t.accounts.newPassword).fill('a password of my own')
      await changing.getByRole('button', { name: t.accounts.change }).click()
      await expect(notice(page)).toContainText(t.accounts.changeDone)
      await expect(warning).toHaveCount(0)
    })
  })
}

test('the maker signs out and is told so, and when it fails, that too; the sign-in page tells no credentials, shows what is typed, and is told in the language that is chosen there', async ({
  page,
  expectFailure,
  panel,
}) => {
  const url = await panel()
  expectFailure(/\/api\/admin\/logout$/, 500)
  await page.route('**/api/admin/logout', (route) => route.fulfill({ status: 500, body: '' }))
  await page.getByRole('button', { name: adminEn.dashboard.logout }).click()
  await expect(notice(page)).toContainText(adminEn.dashboard.logoutFailed)
  await expect(page).toHaveURL(`${url}/admin`)

  await page.unroute('**/api/admin/logout')
  await signOutByHand(page, adminEn, expectFailure)
  await expect(page).toHaveURL(`${url}/admin/login`)
  await expect(notice(page)).toContainText(adminEn.dashboard.loggedOut)
  await sendNoticeAway(page)

  await expect(page.getByRole('heading', { name: adminEn.signIn.title })).toBeVisible()
  await expect(page.getByText(adminEn.signIn.demoHint)).toHaveCount(0)
  const password = page.getByLabel(adminEn.signIn.password, { exact: true })
  await password.fill('visible')
  await expect(password).toHaveAttribute('type', 'password')
  await page.getByRole('button', { name: adminEn.common.showTyped }).click()
  await expect(password).toHaveAttribute('type', 'text')
  await page.getByRole('button', { name: adminEn.common.hideTyped }).click()
  await expect(password).toHaveAttribute('type', 'password')

  await page.getByRole('button', { name: 'Language: English' }).click()
  await page.getByRole('menuitemradio', { name: 'Spanish' }).click()
  await expect(page.getByRole('heading', { name: adminEs.signIn.title })).toBeVisible()
  await expect(notice(page)).toHaveCount(0)
  await page.getByRole('link', { name: adminEs.signIn.backToSite }).click()
  await expect(page).toHaveURL(`${url}/`)
  await page.goto(`${url}/admin`)
  await expect(page).toHaveURL(`${url}/admin/login`)
  await expect(notice(page)).toHaveCount(0)
  await signInByHand(page, adminEs, makerAccount)
  await arriveAtDashboard(page, adminEs)
  await expect(page.locator('html')).toHaveAttribute('lang', 'es')
})
