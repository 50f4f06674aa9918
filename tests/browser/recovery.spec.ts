import { mailSettingsFor, startSmtp } from '../smtp.ts'
import { expect, test } from './fixtures.ts'
import { doFirst } from './hold-back.ts'
import {
  arriveAtDashboard,
  chooseLanguage,
  enterPanel,
  field,
  goToPlace,
  inSpanish,
  makerAccount,
  makersOwn,
  notice,
  row,
  sendNoticeAway,
  signInByHand,
  signOutByHand,
} from './maker.ts'

const email = 'ana@taller.example'
const newPassword = 'pear wood and brass'

for (const { language, t } of inSpanish) {
  test(`in ${language}, a maker who has confirmed an address forgets the password and comes back in by a link`, async ({
    page,
    startSite,
    axe,
    expectFailure,
  }) => {
    const { recovery } = t
    const smtp = await startSmtp()
    const { url } = await startSite({ ...makersOwn, ...mailSettingsFor(smtp), PUBLIC_URL: 'http://models.example' })
    /** The link in the mail of that number, to where the site really is. */
    const linkIn = async (number: number) => {
      await expect.poll(() => smtp.received.length).toBe(number)
      return (/http:\S+/.exec(smtp.received[number - 1]?.text ?? '')?.[0] ?? '').replace('http://models.example', url)
    }
    await chooseLanguage(page, url, language)

    await test.step('an address is entered wrongly, then rightly, and waits', async () => {
      await enterPanel(page, url)
      await arriveAtDashboard(page, t)
      await goToPlace(page, t, '04')
      await page.getByRole('button', { name: recovery.own.add }).click()
      const dialog = page.getByRole('dialog', { name: recovery.own.title })
      const send = dialog.getByRole('button', { name: recovery.own.send })
      await expect(field(dialog, recovery.own.email)).toBeFocused()
      await axe(page)
      expectFailure(/\/api\/admin\/address$/, 400)
      await field(dialog, recovery.own.email).fill('not an address')
      await send.click()
      await expect(field(dialog, recovery.own.email)).toHaveAttribute('aria-invalid', 'true')
      await field(dialog, recovery.own.email).fill(email)
      await send.click()
      await expect(notice(page)).toContainText(recovery.own.sent(email))
      await expect(row(page, `${makerAccount.username} ${t.accounts.you}`)).toContainText(
        `${recovery.own.unconfirmed}:${email}`,
      )
    })

    await test.step('the link confirms it when a button is pressed', async () => {
      const link = await linkIn(1)
      expect(link).toContain(`lang=${language}`)
      await page.goto(link)
      await expect(page.getByRole('heading', { name: recovery.address.title })).toBeVisible()
      await expect(page).toHaveURL(`${url}/admin/login?lang=${language}`)
      await axe(page)
      await page.getByRole('button', { name: recovery.address.submit }).click()
      await expect(page.getByRole('status')).toContainText(recovery.address.done(email))
      await page.getByRole('button', { name: recovery.address.toPanel }).click()
      await arriveAtDashboard(page, t)
      await expect(row(page, `${makerAccount.username} ${t.accounts.you}`)).toContainText(`${recovery.own.email}:${email}`)
    })

    await test.step('who has forgotten the password asks for a link', async () => {
      await signOutByHand(page, t, expectFailure)
      await expect(notice(page)).toContainText(t.dashboard.loggedOut)
      await sendNoticeAway(page)
      await page.getByRole('button', { name: recovery.ask }).click()
      const account = page.getByLabel(recovery.forgotten.account)
      await page.getByRole('button', { name: recovery.forgotten.submit }).click()
      await expect(page.getByText(recovery.forgotten.missing)).toBeVisible()
      await axe(page, { atBothSizes: true })
      await account.fill(email)
      await account.press('Enter')
      await expect(page.getByRole('status')).toContainText(recovery.forgotten.done)
      await expect(page.getByRole('heading', { name: recovery.forgotten.title })).toBeFocused()
      await axe(page)
      await page.getByRole('button', { name: recovery.back }).click()
      await expect(page.getByRole('heading', { name: t.signIn.title })).toBeVisible()
    })

    await test.step('one that was used meanwhile leads to another one', async () => {
      const link = await linkIn(2)
      const token = new URL(link).searchParams.get('reset')
      const reset = `${url}/api/admin/reset`
      await page.goto(link)
      await expect(page).toHaveURL(`${url}/admin/login?lang=${language}`)
      await doFirst(page, reset, () => page.request.post(reset, { data: { token, newPassword: 'somebody was first' } }))
      expectFailure(/\/api\/admin\/reset$/, 410)
      await page.getByLabel(t.accounts.newPassword, { exact: true }).fill('12345678')
      await expect(page.getByText(t.accounts.weak.common)).toBeVisible()
      await page.getByRole('button', { name: recovery.password.submit }).click()
      await expect(notice(page)).toContainText('Este enlace caducó')
      await sendNoticeAway(page)
      await axe(page)
      await page.getByRole('button', { name: recovery.another }).click()
      await page.getByLabel(recovery.forgotten.account).fill(makerAccount.username)
      await page.getByRole('button', { name: recovery.forgotten.submit }).click()
      await expect(page.getByRole('status')).toContainText(recovery.forgotten.done)
    })

    await test.step('the new password is set, and lets the maker in', async () => {
      await page.goto(await linkIn(3))
      await page.getByLabel(t.accounts.newPassword, { exact: true }).fill(newPassword)
      await axe(page, { atBothSizes: true })
      await page.getByRole('button', { name: recovery.password.submit }).click()
      await expect(page.getByRole('status')).toContainText(recovery.password.isSet)
      await axe(page)
      await signInByHand(page, t, { ...makerAccount, password: newPassword })
      await arriveAtDashboard(page, t)
      // The browser is a new one since the password is.
      await expect.poll(() => smtp.received.length).toBe(4)
      smtp.stop()
    })
  })
}
