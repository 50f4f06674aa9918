import { deleteProject, searchProjects } from '#contract/projects.admin.ts'
import { aProject } from '../factories.ts'
import { expect, test } from './fixtures.ts'
import { field, inEnglish, inSpanish, makerAccount, notice } from './maker.ts'
import { manyContacts } from './many.ts'

const helper = { username: 'sobrina', password: 'primera clave' }

for (const { language, t } of inSpanish) {
  const { accounts: a, confirmation: c } = t

  test(`in ${language}, an account is created and deleted only after the password was given once more`, async ({
    page,
    panel,
    makersSite,
    expectFailure,
    axe,
  }) => {
    await panel({ language })
    await makersSite.forgetPasswords()
    expectFailure(/\/api\/admin\/users/, 403)
    const block = page.getByRole('region', { name: a.title })
    const question = page.getByRole('dialog', { name: c.title })
    const password = field(question, c.password)
    await page.getByRole('button', { name: a.create }).click()
    const creating = page.getByRole('dialog', { name: a.create, includeHidden: true })
    const create = creating.getByRole('button', { name: a.create })
    await field(creating, a.username).fill(helper.username)
    await field(creating, a.password).fill(helper.password)

    await test.step('who does not give it has done nothing, and lost nothing', async () => {
      await create.click()
      await expect(question).toContainText(c.reason)
      await expect(password).toBeFocused()
      await page.keyboard.press('Escape')
      await expect(question).toHaveCount(0)
      await expect(create).toBeFocused()
      await expect(field(creating, a.username)).toHaveValue(helper.username)
      await expect(field(creating, a.password)).toHaveValue(helper.password)
      await expect(notice(page)).toHaveCount(0)
      await expect(creating.locator('[data-slot=action-error]')).toHaveCount(0)
    })

    await test.step('a wrong one is said in place', async () => {
      expectFailure(/\/api\/admin\/confirmation$/, 400)
      await create.click()
      await expect(password).toHaveAttribute('autocomplete', 'current-password')
      await page.keyboard.press('Enter')
      await expect(password).toHaveAccessibleDescription(c.missing)
      await password.fill('not this one')
      await page.keyboard.press('Enter')
      await expect(password).toHaveAccessibleDescription(/^Esa contraseña no es correcta\./)
      await expect(password).toBeFocused()
      await question.getByRole('button', { name: t.common.showTyped }).click()
      await expect(password).toHaveAttribute('type', 'text')
      await axe(page)
    })

    await test.step('with the right one it goes on by itself', async () => {
      await password.fill(makerAccount.password)
      await password.press('Enter')
      await expect(notice(page)).toContainText(a.createDone)
      await expect(question).toHaveCount(0)
      await expect(creating).toHaveCount(0)
      await expect(page.getByRole('button', { name: a.create })).toBeFocused()
    })

    const account = block.getByRole('listitem').filter({ hasText: helper.username })
    await test.step('deleting asks as well, for a quarter of an hour only once', async () => {
      await makersSite.forgetPasswords()
      await page.getByRole('button', { name: a.delete(helper.username) }).click()
      const asking = page.getByRole('alertdialog', { name: a.deleteTitle, includeHidden: true })
      await asking.getByRole('button', { name: t.common.delete }).click()
      await question.getByRole('button', { name: t.common.cancel }).click()
      await expect(asking.getByRole('button', { name: t.common.delete })).toBeFocused()
      await asking.getByRole('button', { name: t.common.delete }).click()
      await password.fill(makerAccount.password)
      await question.getByRole('button', { name: c.confirm }).click()
      await expect(notice(page)).toContainText(a.deleteDone)
      await expect(account).toHaveCount(0)
    })
  })
}

for (const { t } of inEnglish) {
  const { confirmation: c, contacts: i, messages: m } = t

  test('the table of all messages, deleting one or all of them, and the trash ask for the password once more', async ({
    page,
    panel,
    makersSite,
    expectFailure,
  }) => {
    await page.route('https://example.com/**', (route) => route.fulfill({ contentType: 'image/svg+xml', body: '<svg/>' }))
    const url = await panel({ contacts: manyContacts(2), projects: [aProject({ title: 'Tug' })] })
    const { projects } = await (await page.request.get(`${url}${searchProjects.path}`)).json()
    await page.request.delete(`${url}${deleteProject.path.replace(':id', projects[0].id)}`)
    const question = page.getByRole('dialog', { name: c.title })
    const give = async () => {
      await field(question, c.password).fill(makerAccount.password)
      await question.getByRole('button', { name: c.confirm }).click()
      await expect(question).toHaveCount(0)
    }
    await page.reload()

    await page.getByRole('button', { name: m.manageAll }).click()
    const messages = page.getByRole('dialog', { name: m.manageTitle, includeHidden: true })
    await makersSite.forgetPasswords()
    await messages.getByRole('link', { name: i.download }).click()
    const [file] = await Promise.all([page.waitForEvent('download'), give()])
    expect(file.suggestedFilename()).toMatch(/^messages-.*\.csv$/)

    await makersSite.forgetPasswords()
    expectFailure(/\/api\/contacts\//, 403)
    const asking = page.getByRole('alertdialog', { includeHidden: true })
    await messages.getByRole('button', { name: m.delete('Writer 2') }).click()
    await asking.getByRole('button', { name: t.common.delete }).click()
    await give()
    await expect(notice(page)).toContainText(m.deleted)
    await expect(asking).toHaveCount(0)

    await makersSite.forgetPasswords()
    await messages.getByRole('checkbox', { name: m.selectAll(1) }).check()
    await messages.getByRole('button', { name: m.deleteSelected }).click()
    await asking.getByRole('button', { name: t.common.delete }).click()
    await question.getByRole('button', { name: t.common.cancel }).click()
    await expect(asking.locator('[data-slot=action-error]')).toHaveCount(0)
    await asking.getByRole('button', { name: t.common.delete }).click()
    await give()
    await expect(notice(page)).toContainText(m.deletedMany(1))
    await messages.getByRole('button', { name: t.common.close, exact: true }).click()

    await makersSite.forgetPasswords()
    expectFailure(/\/api\/admin\/trash/, 403)
    await page.getByRole('button', { name: t.trash.open(1) }).click()
    await page.getByRole('dialog', { name: t.trash.title }).getByRole('button', { name: t.trash.emptyIt }).click()
    await asking.getByRole('button', { name: t.trash.emptyIt }).click()
    await give()
    await expect(notice(page)).toContainText(t.trash.emptied(1))
  })
}
