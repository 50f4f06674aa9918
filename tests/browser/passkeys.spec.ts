import type { Page } from '@playwright/test'
import { expect, test } from './fixtures.ts'
import {
  arriveAtDashboard,
  chooseLanguage,
  enterPanel,
  field,
  inSpanish,
  notice,
  sendNoticeAway,
  signOutByHand,
} from './maker.ts'

/** A device that keeps passkeys and knows its owner. */
async function aDeviceOf(page: Page) {
  await page.addInitScript(() => {
    const { credentials } = navigator
    for (const ask of ['get', 'create'] as const) {
      const asked = credentials[ask].bind(credentials)
      credentials[ask] = (options: object) => asked(options).finally(() => console.debug('the device has answered'))
    }
  })
  const browser = await page.context().newCDPSession(page)
  await browser.send('WebAuthn.enable')
  const { authenticatorId } = await browser.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
  const isHeldByOwner = (isUserVerified: boolean) =>
    browser.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified })
  return {
    /** A stranger holds it: it refuses what this begins. */
    async refuse(begin: () => Promise<void>) {
      await isHeldByOwner(false)
      await Promise.all([page.waitForEvent('console', (line) => line.text() === 'the device has answered'), begin()])
      await isHeldByOwner(true)
    },
  }
}

for (const { language, t } of inSpanish) {
  const { accounts: a, confirmation: c, common, signIn } = t
  const p = a.passkeys

  test(`in ${language}, a passkey is added, signs in with one press, stands in for the password, and is removed`, async ({
    page,
    siteWith,
    makersSite,
    expectFailure,
    axe,
  }) => {
    // Passkeys belong to a name, and a number is none.
    const url = (await siteWith()).replace('127.0.0.1', 'localhost')
    const device = await aDeviceOf(page)
    await chooseLanguage(page, url, language)
    await enterPanel(page, url)
    const dialog = page.getByRole('dialog', { name: p.title })
    const name = field(dialog, p.name)
    const add = dialog.getByRole('button', { name: p.add })
    const usePasskey = page.getByRole('button', { name: p.use })

    await test.step('there is none yet, and who does not go through with it is not scolded', async () => {
      await page.getByRole('button', { name: p.title }).click()
      await expect(dialog).toContainText(p.empty)
      await expect(name).toHaveValue(/Chrome/)
      await name.fill('  ')
      await add.click()
      await expect(name).toHaveAccessibleDescription(p.nameMissing)
      await name.fill('Taller')
      await device.refuse(() => add.click())
      await expect(add).not.toHaveAttribute('aria-disabled', 'true')
      await expect(notice(page)).toHaveCount(0)
      await expect(dialog.locator('[data-slot=action-error]')).toHaveCount(0)
      await expect(name).toHaveValue('Taller')
      await axe(page)
    })

    await test.step('it is added, once for each device', async () => {
      await name.press('Enter')
      await expect(notice(page)).toContainText(p.addDone('Taller'))
      await expect(dialog.getByRole('listitem')).toHaveCount(1)
      await expect(dialog.getByRole('listitem')).toContainText(a.never)
      await expect(name).toHaveValue(/Chrome/)
      await sendNoticeAway(page)
      await add.click()
      await expect(notice(page)).toContainText(p.faults.known)
      await sendNoticeAway(page)
      await expect(dialog.locator('[data-slot=action-error]')).toContainText(p.faults.known)
      await axe(page)
      await dialog.getByRole('button', { name: common.close }).click()
    })

    await test.step('it signs in with one press', async () => {
      await signOutByHand(page, t, expectFailure)
      await expect(page.getByRole('heading', { name: signIn.title })).toBeVisible()
      await sendNoticeAway(page)
      await device.refuse(() => usePasskey.click())
      await expect(usePasskey).not.toHaveAttribute('aria-disabled', 'true')
      await expect(usePasskey).toBeFocused()
      await expect(notice(page)).toHaveCount(0)
      await expect(page.locator('[data-slot=action-error]')).toHaveCount(0)
      await axe(page)
      await usePasskey.click()
      await expect(notice(page)).toContainText(signIn.done)
      await arriveAtDashboard(page, t)
    })

    await test.step('a quarter of an hour later it confirms in place of the password, and is removed', async () => {
      await makersSite.forgetPasswords()
      expectFailure(/\/api\/admin\/passkeys\//, 403)
      await page.getByRole('button', { name: p.title }).click()
      await dialog.getByRole('button', { name: p.remove('Taller') }).click()
      const asking = page.getByRole('alertdialog', { name: p.removeTitle, includeHidden: true })
      await expect(asking).toContainText(p.removeText('Taller'))
      await asking.getByRole('button', { name: p.removeTip }).click()
      const question = page.getByRole('dialog', { name: c.title })
      await expect(question.getByRole('button', { name: p.use })).toBeVisible()
      await axe(page)
      await device.refuse(() => usePasskey.click())
      await expect(usePasskey).not.toHaveAttribute('aria-disabled', 'true')
      await expect(question.locator('[data-slot=action-error]')).toHaveCount(0)
      await usePasskey.click()
      await expect(notice(page)).toContainText(p.removeDone('Taller'))
      await expect(question).toHaveCount(0)
      await expect(dialog).toContainText(p.empty)
      await expect(dialog).toBeFocused()
      await sendNoticeAway(page)
      await dialog.getByRole('button', { name: common.close }).click()
    })

    await test.step('the device still has it, and it opens nothing', async () => {
      await signOutByHand(page, t, expectFailure)
      expectFailure(/\/api\/admin\/login\/passkey$/, 401)
      await usePasskey.click()
      await expect(page.locator('[data-slot=action-error]')).toContainText('Esa llave de acceso no fue aceptada.')
      await expect(usePasskey).toBeFocused()
    })

    await test.step('where there can be none, it is said why', async () => {
      await page.addInitScript(() => Object.defineProperty(window, 'isSecureContext', { value: false }))
      await page.goto(`${url}/admin/login`)
      await expect(page.getByRole('button', { name: signIn.submit })).toBeVisible()
      await expect(usePasskey).toHaveCount(0)
      await enterPanel(page, url)
      await page.getByRole('button', { name: p.title }).click()
      await expect(dialog).toContainText(p.faults.insecure)
      await expect(add).toHaveCount(0)
      await axe(page)
    })
  })
}
