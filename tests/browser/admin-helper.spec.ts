import { yourSite as s } from '#content/es/your-site.ts'
import { listAdmins } from '#contract/accounts.ts'
import { listBackups } from '#contract/backups.ts'
import { deleteProject, searchProjects } from '#contract/projects.admin.ts'
import { aProject } from '../factories.ts'
import { expect, test } from './fixtures.ts'
import { doFirst } from './hold-back.ts'
import {
  arriveAtDashboard,
  aWrittenProject,
  chooseLanguage,
  field,
  goToPlace,
  inSpanish,
  makerAccount,
  notice,
  row,
  sendNoticeAway,
  signInByHand,
  writeProject,
} from './maker.ts'
import { manyContacts } from './many.ts'

const helper = { username: 'sobrina', password: 'primera clave' }

for (const { language, t } of inSpanish) {
  const { accounts: a, messages: m } = t

  test(`in ${language}, a helper adds a model and drafts a text, sees nothing that would be refused, and becomes an owner`, async ({
    page,
    browser,
    panel,
    watch,
    expectFailure,
    axe,
  }) => {
    const imageUrl = 'https://older-site.example/tug.jpg'
    const url = await panel({ language, contacts: manyContacts(1), projects: [aProject({ title: 'Tug', imageUrl })] })
    const { projects } = await (await page.request.get(`${url}${searchProjects.path}`)).json()
    await page.request.delete(`${url}${deleteProject.path.replace(':id', projects[0].id)}`)
    const accounts = page.getByRole('region', { name: a.title })
    const accountOf = (name: string) => accounts.getByRole('listitem').filter({ hasText: name })
    const account = accountOf(helper.username)

    await test.step('an owner adds a helper', async () => {
      await expect(accounts.getByText(a.roles.names.owner, { exact: true })).toHaveCount(0)
      await page.getByRole('button', { name: a.create }).click()
      const creating = page.getByRole('dialog', { name: a.create })
      await field(creating, a.username).fill(helper.username)
      await field(creating, a.password).fill(helper.password)
      await expect(creating.getByRole('radio', { name: a.roles.names.owner })).toBeChecked()
      await creating.getByRole('radio', { name: a.roles.names.helper }).check()
      await expect(creating.getByRole('radio', { name: a.roles.names.helper })).toHaveAccessibleDescription(a.roles.may.helper)
      await axe(page)
      await creating.getByRole('button', { name: a.create }).click()
      await expect(notice(page)).toContainText(a.createDone)
      await expect(account.getByText(a.roles.names.helper, { exact: true })).toBeVisible()
      await expect(accountOf(makerAccount.username).getByText(a.roles.names.owner, { exact: true })).toBeVisible()
    })

    const theirs = await (await browser.newContext({ viewport: page.viewportSize() })).newPage()
    await watch(theirs)
    await chooseLanguage(theirs, url, language)
    const bar = theirs.getByRole('navigation', { name: t.dashboard.blocks })

    await test.step('the helper signs in and finds the own work, and no backups, accounts and settings', async () => {
      await theirs.goto(`${url}/admin/login`)
      await signInByHand(theirs, t, helper)
      await arriveAtDashboard(theirs, t)
      await expect(bar.getByRole('link')).toHaveCount(5)
      await expect(bar.getByRole('link', { name: t.dashboard.blockNames['05'] })).toHaveCount(0)
      await goToPlace(theirs, t, '04')
      const own = theirs.getByRole('region', { name: a.roles.ownTitle })
      await expect(own.getByRole('listitem')).toHaveCount(1)
      await expect(own.getByRole('listitem')).toContainText(helper.username)
      await expect(own.getByRole('button')).toHaveText([a.change, a.sessions.title, a.passkeys.title, t.recovery.own.add])
      await axe(theirs, { within: own })
    })

    await test.step('adds a model, and finds the trash without a way to delete for good', async () => {
      await goToPlace(theirs, t, '01')
      await theirs.getByRole('button', { name: t.projects.add }).click()
      const creating = theirs.getByRole('dialog', { name: t.projectForm.createTitle })
      await writeProject(creating, t, aWrittenProject)
      await creating.getByRole('button', { name: t.projectForm.save }).click()
      await expect(notice(theirs)).toContainText(t.projects.created)
      await expect(row(theirs, aWrittenProject.title)).toBeVisible()
      await sendNoticeAway(theirs)
      await theirs.getByRole('button', { name: t.trash.open(1) }).click()
      const trash = theirs.getByRole('dialog', { name: t.trash.title })
      await expect(trash.getByRole('button', { name: t.trash.restoreOne('Tug') })).toBeVisible()
      await expect(trash.getByRole('button')).toHaveCount(2)
      await trash.getByRole('button', { name: t.common.close }).click()
    })

    await test.step('reads the messages, without a table of them and a way to delete them', async () => {
      await goToPlace(theirs, t, '02')
      await expect(theirs.getByRole('heading', { name: t.contacts.mail.title })).toHaveCount(0)
      await theirs.getByRole('button', { name: m.manageAll }).click()
      const messages = theirs.getByRole('dialog', { name: m.manageTitle })
      await expect(messages.getByRole('button', { name: m.reply('Writer 1') })).toBeVisible()
      await expect(messages.getByRole('link', { name: t.contacts.download })).toHaveCount(0)
      await expect(messages.getByRole('checkbox')).toHaveCount(0)
      await expect(messages.locator('button:has(.lucide-trash-2)')).toHaveCount(0)
      await axe(theirs)
      await messages.getByRole('button', { name: t.common.close, exact: true }).click()
    })

    await test.step('drafts a text, which an owner publishes', async () => {
      await goToPlace(theirs, t, '03')
      await theirs.getByRole('list', { name: s.sectionsLabel }).getByRole('button', { name: s.sections.brand.text }).click()
      const editor = theirs.getByRole('dialog', { name: s.title, exact: true })
      await editor.getByRole('textbox', { name: s.labels['maker.phones.0'], exact: true }).fill('+52 442 555 0199')
      await expect(editor.getByText(s.saving.saved)).toBeVisible()
      await expect(editor.getByText(s.textForHelpers)).toBeVisible()
      await expect(editor.getByText(s.publish.byOwner)).toBeVisible()
      await expect(editor.getByRole('button', { name: s.publish.action(1) })).toHaveCount(0)
      await axe(theirs, { within: editor })
      await editor.getByRole('button', { name: t.common.close }).click()
      const refused = await theirs.request.get(`${url}${listBackups.path}`)
      expect([refused.status(), (await refused.json()).code]).toEqual([403, 'owner_needed'])
    })

    const changeTo = async (role: 'owner' | 'helper') => {
      await page.getByRole('button', { name: `${a.roles.change[role]}: ${helper.username}` }).click()
      const asking = page.getByRole('alertdialog', { name: a.roles.change[role] })
      await expect(asking).toContainText(a.roles.may[role])
      await axe(page, { within: asking })
      await asking.getByRole('button', { name: a.roles.change[role] }).click()
      await expect(account.getByText(a.roles.names[role], { exact: true })).toBeVisible()
      await expect(notice(page)).toContainText(a.roles.changed[role](helper.username))
      await sendNoticeAway(page)
    }

    await test.step('becomes an owner, who sees all of it after a reload', async () => {
      await changeTo('owner')
      await theirs.reload()
      await expect(bar.getByRole('link', { name: t.dashboard.blockNames['05'] })).toBeVisible()
      await goToPlace(theirs, t, '04')
      await expect(theirs.getByRole('region', { name: a.title }).getByRole('listitem')).toHaveCount(2)
    })

    await test.step('and who is made a helper again meanwhile is told so, and the panel follows', async () => {
      expectFailure(/\/api\/admin\//, 403)
      await theirs.getByRole('button', { name: a.delete(makerAccount.username) }).click()
      const asking = theirs.getByRole('alertdialog', { name: a.deleteTitle })
      await doFirst(theirs, `**${listAdmins.path}/*`, () => changeTo('helper'))
      await asking.getByRole('button', { name: t.common.delete }).click()
      await expect(notice(theirs)).toContainText(t.problem({ code: 'owner_needed', message: '' }) ?? '')
      await expect(bar.getByRole('link', { name: t.dashboard.blockNames['05'] })).toHaveCount(0)
    })
  })
}
