import { request } from '@playwright/test'
import { admin as english } from '#content/en/admin.ts'
import { activity as a } from '#content/es/activity.ts'
import { changePassword, checkSession, createAdmin, signIn } from '#contract/accounts.ts'
import { listActivity } from '#contract/activity.ts'
import { updateProject } from '#contract/projects.admin.ts'
import { aStoredProject } from '../factories.ts'
import { expect, test } from './fixtures.ts'
import {
  arriveAtDashboard,
  chooseLanguage,
  enterPanel,
  field,
  inSpanish,
  makerAccount,
  notice,
  sendNoticeAway,
  signInByHand,
} from './maker.ts'

const helper = { username: 'sobrina', password: 'primera clave' }
const changed = { username: 'sobrina', password: 'segunda clave' }

for (const { language, t } of inSpanish) {
  const a = t.accounts

  test(`in ${language}, a second account is refused for its faults, created, used, given a new password and deleted, and the last one stays`, async ({
    page,
    browser,
    panel,
    watch,
    expectFailure,
    axe,
  }) => {
    const url = await panel({ language })
    const block = page.getByRole('region', { name: a.title })
    await expect(block.getByRole('listitem')).toHaveCount(1)
    await expect(block.getByRole('listitem')).toContainText(makerAccount.username)
    await expect(block.getByRole('listitem')).toContainText(a.you)

    await page.getByRole('button', { name: a.create }).click()
    const creating = page.getByRole('dialog', { name: a.create })
    await expect(field(creating, a.password)).toHaveAttribute('placeholder', /6/)
    await creating.getByRole('button', { name: a.create }).click()
    await expect(notice(page)).toContainText(t.common.fillAll)
    await axe(page)

    await test.step('what the server has against it is said beside its field, until that is edited', async () => {
      expectFailure(/\/api\/admin\/users$/, 400)
      expectFailure(/\/api\/admin\/users$/, 409)
      for (const [faulty, username, password, answer] of [
        [a.username, 'ab', 'long enough', 'al menos 3 caracteres'],
        [a.password, 'sobrina', 'short', 'al menos 6 caracteres'],
        [a.username, 'Maker', 'long enough', 'ya está ocupado'],
      ] as const) {
        await field(creating, a.username).fill(username)
        await field(creating, a.password).fill(password)
        await creating.getByRole('button', { name: a.create }).click()
        await expect(notice(page)).toContainText(answer)
        await sendNoticeAway(page)
        await expect(field(creating, a.username)).toHaveValue(username)
        const wrong = field(creating, faulty)
        await expect(wrong).toHaveAccessibleDescription(new RegExp(answer))
        await expect(wrong).toBeFocused()
        await wrong.fill('something else')
        await expect(wrong).not.toHaveAttribute('aria-invalid')
        await expect(creating.getByText(answer)).toHaveCount(0)
      }
    })

    await field(creating, a.username).fill(helper.username)
    // Advice while typing, which never keeps anybody from saving.
    const advice = creating.locator('[aria-live=polite]')
    for (const [typed, said] of [
      ['qwerty123', a.weak.common],
      [helper.username, a.weak.name],
      ['brass', ''],
      ['brassy', a.weak.short],
      [helper.password, ''],
    ] as const) {
      await field(creating, a.password).fill(typed)
      await expect(advice).toHaveText(said)
    }
    await creating.getByRole('button', { name: a.create }).click()
    await expect(notice(page)).toContainText(a.createDone)
    await expect(creating).toHaveCount(0)
    const account = block.getByRole('listitem').filter({ hasText: helper.username })
    await expect(account).toContainText(a.never)

    const newPage = async () => {
      const opened = await (await browser.newContext()).newPage()
      await watch(opened)
      await chooseLanguage(opened, url, language)
      return opened
    }
    const atHome = await newPage()
    await atHome.goto(`${url}/admin/login`)
    await signInByHand(atHome, t, helper)
    await arriveAtDashboard(atHome, t)
    const onThePhone = await newPage()
    await enterPanel(onThePhone, url, helper)
    await expect(onThePhone.getByRole('region', { name: a.title }).getByText(makerAccount.username)).toBeVisible()

    await test.step('where the account is signed in is seen, and ended there', async () => {
      await atHome.getByRole('button', { name: a.sessions.title }).click()
      const sessions = atHome.getByRole('dialog', { name: a.sessions.title })
      await expect(sessions.getByRole('listitem')).toHaveCount(2)
      await expect(sessions.getByRole('listitem').filter({ hasText: a.sessions.current })).toContainText('Chrome')
      await axe(atHome)
      // With what that page still reads at this moment.
      expectFailure(/\/api\/(admin\/(?!login)|contacts)/, 401)
      await sessions.getByRole('button', { name: a.sessions.endOthers }).click()
      await expect(notice(atHome)).toContainText(a.sessions.endedOthers)
      await expect(sessions.getByRole('listitem')).toHaveCount(1)
      await expect(sessions).toBeFocused()
      // By itself: the stream of events has ended with the session.
      await expect(onThePhone).toHaveURL(`${url}/admin/login`)
      await expect(onThePhone.getByText(t.signIn.ended)).toBeVisible()
      await onThePhone.close()
      await sendNoticeAway(atHome)
      await sessions.getByRole('button', { name: t.common.close }).click()
    })

    await atHome.getByRole('button', { name: a.change }).click()
    const changing = atHome.getByRole('dialog', { name: a.changeTitle })
    await expect(field(changing, a.newPassword)).toHaveAttribute('placeholder', /6/)
    await changing.getByRole('button', { name: a.change }).click()
    await expect(notice(atHome)).toContainText(t.common.fillAll)
    expectFailure(/\/api\/admin\/change-password$/, 400)
    await field(changing, a.currentPassword).fill('not this one')
    await field(changing, a.newPassword).fill(changed.username)
    await expect(changing.getByText(a.weak.name)).toBeVisible()
    await axe(atHome)
    await field(changing, a.newPassword).fill(changed.password)
    await expect(changing.getByText(a.weak.name)).toHaveCount(0)
    await changing.getByRole('button', { name: a.change }).click()
    await expect(notice(atHome)).toContainText('La contraseña actual no es correcta.')
    await expect(field(changing, a.currentPassword)).toHaveAccessibleDescription(/^La contraseña actual no es correcta\./)
    await expect(field(changing, a.currentPassword)).toBeFocused()
    await field(changing, a.currentPassword).fill(helper.password)
    await changing.getByRole('button', { name: a.change }).click()
    await expect(notice(atHome)).toContainText(a.changeDone)
    await expect(changing).toHaveCount(0)

    await page.reload()
    await expect(account).not.toContainText(a.never)
    await page.getByRole('button', { name: a.delete(helper.username) }).click()
    const asking = page.getByRole('alertdialog', { name: a.deleteTitle })
    await expect(asking).toContainText(a.deleteText(helper.username))
    await asking.getByRole('button', { name: t.common.delete }).click()
    await expect(notice(page)).toContainText(a.deleteDone)
    await expect(account).toHaveCount(0)
    await atHome.goto(`${url}/admin`)
    await expect(atHome).toHaveURL(`${url}/admin/login`)

    expectFailure(/\/api\/admin\/users\//, 409)
    await sendNoticeAway(page)
    await page.getByRole('button', { name: a.delete(makerAccount.username) }).click()
    await asking.getByRole('button', { name: t.common.delete }).click()
    await expect(notice(page)).toContainText('Es el último propietario.')
    await sendNoticeAway(page)
    await expect(asking.getByText('Es el último propietario.')).toBeVisible()
    await axe(page)
    await asking.getByRole('button', { name: t.common.cancel }).click()
    await expect(block.getByRole('listitem')).toHaveCount(1)
  })
}

test('who could not change their password is told until it is tried again; one session elsewhere is ended; who deletes their own account finds themselves at the sign-in page', async ({
  page,
  siteWith,
  makersSite,
  expectFailure,
}) => {
  const url = await siteWith()
  await page.context().addCookies(makersSite.cookies)
  await page.request.post(`${url}${createAdmin.path}`, { data: helper })
  await enterPanel(page, url, helper)
  const { accounts: a, common } = english

  await test.step('the password', async () => {
    expectFailure(/\/api\/admin\/change-password/, 507)
    const sentence = 'The server does not have enough disk space.'
    await page.route(`**${changePassword.path}`, (route) =>
      route.fulfill({ status: 507, json: { code: 'disk_full', message: sentence } }),
    )
    await page.getByRole('button', { name: a.change }).click()
    const changing = page.getByRole('dialog', { name: a.changeTitle })
    await field(changing, a.currentPassword).fill(helper.password)
    await field(changing, a.newPassword).fill('another long password')
    await changing.getByRole('button', { name: a.change }).click()
    await expect(notice(page)).toContainText(sentence)
    await sendNoticeAway(page)
    await expect(changing.getByText(sentence)).toBeVisible()
    await page.unroute(`**${changePassword.path}`)
    await changing.getByRole('button', { name: a.change }).click()
    await expect(notice(page)).toContainText(a.changeDone)
    await expect(changing).toHaveCount(0)
  })

  await test.step('one session among several', async () => {
    const elsewhere = await request.newContext()
    const data = { username: helper.username, password: 'another long password' }
    await elsewhere.post(`${url}${signIn.path}`, { data, headers: { 'user-agent': 'Firefox/140.0 (Linux)' } })
    await page.getByRole('button', { name: a.sessions.title }).click()
    const sessions = page.getByRole('dialog', { name: a.sessions.title })
    await sessions.getByRole('button', { name: a.sessions.endOne('Firefox on Linux') }).click()
    await expect(notice(page)).toContainText(a.sessions.ended('Firefox on Linux'))
    await expect(sessions.getByRole('listitem')).toHaveCount(1)
    expect(await (await elsewhere.get(`${url}${checkSession.path}`)).json()).toEqual({ authenticated: false })
    await elsewhere.dispose()
    await sendNoticeAway(page)
    await sessions.getByRole('button', { name: common.close }).click()
  })

  await page.getByRole('button', { name: a.delete(helper.username) }).click()
  const asking = page.getByRole('alertdialog', { name: 'Delete Admin User' })
  await expect(asking).toContainText(a.deleteOwnText(helper.username))
  await asking.getByRole('button', { name: common.delete }).click()
  await expect(page).toHaveURL(`${url}/admin/login`)
  await expect(notice(page)).toContainText('Admin user deleted successfully')
  await signInByHand(page, english, makerAccount)
  await arriveAtDashboard(page, english)
})

for (const { language, t } of inSpanish) {
  test(`in ${language}, an owner reads who did what, by person and by kind, and older entries on demand`, async ({
    page,
    panel,
    expectFailure,
    axe,
  }) => {
    const project = aStoredProject({ title: 'Zeppelin', imageUrl: 'https://older-site.example/zeppelin.jpg' })
    const url = await panel({ language, projects: [project] })
    const open = page.getByRole('button', { name: t.accounts.activity, exact: true })
    const dialog = page.getByRole('dialog', { name: a.title })
    const entries = dialog.getByRole('listitem')
    const close = () => dialog.getByRole('button', { name: t.common.close }).click()
    await open.click()
    await expect(dialog).toContainText(a.empty)
    await close()

    const change = async () => {
      const address = `${url}${updateProject.path.replace(':id', project.id)}`
      expect((await page.request.put(address, { data: { scale: '1:72' } })).status()).toBe(200)
    }
    for (let saves = 0; saves < 51; saves += 1) await change()
    await page.request.post(`${url}${signIn.path}`, { data: { ...makerAccount, password: 'wrong' } })
    await open.click()
    await expect(entries).toHaveCount(50)
    await expect(entries.first()).toContainText(a.kinds.sign_in_failed({ who: makerAccount.username, count: 1 }))
    await expect(entries.nth(1)).toContainText(a.kinds.project_changed({ who: makerAccount.username, name: 'Zeppelin' }))
    await axe(page)
    await dialog.getByRole('button', { name: a.more }).click()
    await expect(entries).toHaveCount(52)
    await expect(entries.nth(50)).toBeFocused()
    await expect(dialog.getByRole('button', { name: a.more })).toHaveCount(0)

    await dialog.getByLabel(a.group).selectOption(a.groups.access)
    await expect(entries).toHaveCount(1)
    await dialog.getByLabel(a.person).selectOption(a.others.none)
    await expect(dialog).toContainText(a.noMatch)
    await dialog.getByLabel(a.person).selectOption(makerAccount.username)
    await expect(entries).toHaveCount(1)

    await test.step('what cannot be read is said, and read again', async () => {
      expectFailure(new RegExp(`${listActivity.path}$`), 503)
      await page.route(`**${listActivity.path}?*`, (route) => route.fulfill({ status: 503, json: {} }), { times: 1 })
      await dialog.getByLabel(a.group).selectOption(a.groups.backups)
      await expect(dialog.getByRole('alert')).toContainText(a.failed)
      await dialog.getByRole('button', { name: t.common.retry }).click()
      await expect(dialog).toContainText(a.noMatch)
    })
    await page.keyboard.press('Escape')
    await expect(open).toBeFocused()
  })
}
