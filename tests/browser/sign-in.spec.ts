import { adminEn } from '#content/en.admin.ts'
import { demoAccount } from '#demo/account.ts'
import { expect, test } from './fixtures.ts'
import { holdBack } from './hold-back.ts'
import {
  arriveAtDashboard,
  chooseLanguage,
  enterPanel,
  makerAccount,
  makers,
  makersOwn,
  notice,
  sendNoticeAway,
  signInByHand,
} from './maker.ts'

for (const { language, t } of makers) {
  test(`in ${language}, the maker signs in: with nothing, wrongly, and then rightly`, async ({
    page,
    startSite,
    expectFailure,
    axe,
  }) => {
    const { url } = await startSite()
    await chooseLanguage(page, url, language)
    await page.goto(`${url}/admin/login`)
    await expect(page.getByRole('heading', { level: 1, name: t.signIn.title })).toBeVisible()
    await expect(page).toHaveTitle(`${t.signIn.title} · Vitrina`)
    await expect(page.getByText(t.signIn.intro)).toBeVisible()
    await expect(page.getByText(`${demoAccount.username} / ${demoAccount.password}`)).toBeVisible()
    await axe(page)

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
    await signInByHand(page, t, { username: demoAccount.username, password: 'not this' })
    await expect(notice(page)).toContainText(t.common.error)
    await expect(notice(page)).toContainText(t.signIn.failed)
    await expect(username).toHaveValue(demoAccount.username)
    await sendNoticeAway(page)
    await expect(page.getByRole('form').getByText(t.signIn.failed)).toBeVisible()
    await axe(page)

    const release = await holdBack(page, '**/api/admin/login')
    await signInByHand(page, t, demoAccount)
    const pending = page.getByRole('button', { name: t.signIn.submitting })
    await expect(pending).toBeDisabled()
    release()
    await expect(notice(page)).toContainText(t.common.success)
    await expect(notice(page)).toContainText(t.signIn.done)
    await expect(page).toHaveURL(`${url}/admin`)
    await arriveAtDashboard(page, t)
    await expect(page).toHaveTitle(`${t.dashboard.title} · Vitrina`)

    await page.goto(`${url}/admin/login`)
    await expect(page).toHaveURL(`${url}/admin`)
  })

  test(`in ${language}, who guesses too often is told how long to wait`, async ({ page, startSite, expectFailure }) => {
    const { url } = await startSite(makersOwn)
    expectFailure(/\/api\/admin\/login$/, 429)
    await page.route('**/api/admin/login', (route) =>
      route.fulfill({
        status: 429,
        headers: { 'retry-after': '8' },
        json: {
          code: 'too_many_attempts',
          message: 'Too many failed attempts. Please try again in 8 seconds.',
          details: { seconds: 8 },
        },
      }),
    )
    await chooseLanguage(page, url, language)
    await page.goto(`${url}/admin/login`)
    await signInByHand(page, t, makerAccount)
    await expect(notice(page)).toContainText(
      language === 'en'
        ? 'Too many failed attempts. Please try again in 8 seconds.'
        : 'Demasiados intentos fallidos. Inténtelo de nuevo en 8 segundos.',
    )
  })

  test(`in ${language}, the maker signs out and is told so; when it fails, that too`, async ({
    page,
    startSite,
    expectFailure,
  }) => {
    const url = await panel({ language })
    expectFailure(/\/api\/admin\/logout$/, 500)
    await page.route('**/api/admin/logout', (route) => route.fulfill({ status: 500, body: '' }))
    await page.getByRole('button', { name: t.dashboard.logout }).click()
    await expect(notice(page)).toContainText(t.dashboard.logoutFailed)
    await expect(page).toHaveURL(`${url}/admin`)

    await page.unroute('**/api/admin/logout')
    await page.getByRole('button', { name: t.dashboard.logout }).click()
    await expect(page).toHaveURL(`${url}/admin/login`)
    await expect(notice(page)).toContainText(t.dashboard.loggedOut)
    await sendNoticeAway(page)
    await page.getByRole('banner').getByRole('button').first().click()
    await page.getByRole('menuitemradio', { checked: false }).click()
    await expect(page.locator('html')).not.toHaveAttribute('lang', language)
    await expect(notice(page)).toHaveCount(0)
    await page.goto(`${url}/admin`)
    await expect(page).toHaveURL(`${url}/admin/login`)
    await expect(notice(page)).toHaveCount(0)
  })
}

test('a site with an account of its own tells no credentials, and the way back to the site is at hand', async ({
  page,
  startSite,
}) => {
  const { url } = await startSite(makersOwn)
  await page.goto(`${url}/admin/login`)
  await expect(page.getByRole('heading', { name: adminEn.signIn.title })).toBeVisible()
  await expect(page.getByText(adminEn.signIn.demoHint)).toHaveCount(0)
  await page.getByRole('link', { name: adminEn.signIn.backToSite }).click()
  await expect(page).toHaveURL(`${url}/`)
})

test('the language is chosen on the sign-in page too, and kept in the panel', async ({ page, startSite }) => {
  const { url } = await startSite(makersOwn)
  await page.goto(`${url}/admin/login`)
  await page.getByRole('button', { name: 'Language: English' }).click()
  await page.getByRole('menuitemradio', { name: 'Spanish' }).click()
  const [, { t }] = makers as [unknown, (typeof makers)[number]]
  await expect(page.getByRole('heading', { name: t.signIn.title })).toBeVisible()
  await signInByHand(page, t, makerAccount)
  await arriveAtDashboard(page, t)
  await expect(page.locator('html')).toHaveAttribute('lang', 'es')
})
