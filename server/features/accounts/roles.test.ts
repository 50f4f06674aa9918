import { expect, test } from 'vitest'
import { changeRole, checkSession, createAdmin, deleteAdmin, listAdmins, type Role } from '#contract/accounts.ts'
import { readChecks } from '#contract/checks.ts'
import { readContactNews } from '#contract/contacts.admin.ts'
import { checkHealth } from '#contract/health.ts'
import { readMails } from '#contract/mails.ts'
import { adminPage } from '#contract/pages.ts'
import { publishSite } from '#contract/site-content.ts'
import { demoAdmin } from '#demo/admin.ts'
import { putIntoOutbox } from '#server/mail/outbox.queries.ts'
import { openTestApp } from '#tests/test-app.ts'

const lastOwner = {
  message: 'This is the last owner. Make another account an owner first.',
  code: 'last_owner',
}
const ownerNeeded = { message: 'Only owners of the site may do that. Nothing was changed.', code: 'owner_needed' }

test('a new account is an owner, unless a helper is asked for; nothing else can be', async () => {
  const site = await openTestApp('sqlite')
  const maker = await site.signedIn()
  const create = (username: string, role?: unknown) =>
    site.call(createAdmin, {
      as: maker,
      body: { username, password: 'secret', ...(role !== undefined && { role: role as Role }) },
    })
  expect((await create('Ana')).json()).toMatchObject({ role: 'owner' })
  expect((await create('Luis', 'helper')).json()).toMatchObject({ role: 'helper' })
  for (const role of ['admin', 'Helper', '', null, ['helper'], { role: 'owner' }]) {
    expect((await create('Eva', role)).json()).toMatchObject({ code: 'invalid_input' })
  }
  const luis = await site.signIn({ username: 'Luis', password: 'secret' })
  expect(await site.ask(checkSession, { as: luis })).toMatchObject({ authenticated: true, role: 'helper' })
})

test('a role counts at once, in sessions that are open, and is noted', async () => {
  const site = await openTestApp('sqlite')
  const maker = await site.signedIn()
  const ana = await site.signedIn({ username: 'Ana' })
  const params = { id: ana.adminId }
  const become = (role: Role) => {
    site.clock.pass({ seconds: 1 })
    return site.ask(changeRole, { as: maker, params, body: { role } })
  }
  const publish = async () => (await site.call(publishSite, { as: ana, body: { revision: '' } })).json()
  expect(await become('helper')).toMatchObject({ id: ana.adminId, username: 'Ana', role: 'helper' })
  expect(await site.ask(checkSession, { as: ana })).toMatchObject({ authenticated: true, role: 'helper' })
  expect(await publish()).toEqual(ownerNeeded)
  // With the page, so that the panel shows nothing that is not a helper's for a moment.
  expect((await site.call(adminPage, { as: ana })).body).toContain('"role":"helper"')
  expect((await site.call(changeRole, { as: ana, params, body: { role: 'owner' } })).json()).toEqual(ownerNeeded)
  await become('owner')
  expect(await publish()).not.toEqual(ownerNeeded)
  site.clock.pass({ seconds: 1 })
  await site.ask(deleteAdmin, { as: maker, params })
  expect((await site.call(changeRole, { as: maker, params, body: { role: 'helper' } })).json()).toMatchObject({
    code: 'admin_not_found',
  })
  const noted = await site.db.selectFrom('activity').select(['account', 'kind', 'details']).orderBy('at').execute()
  expect(noted.filter(({ kind }) => kind !== 'signed_in')).toEqual([
    { account: 'maker', kind: 'role_changed', details: { name: 'Ana' } },
    { account: 'maker', kind: 'role_changed', details: { name: 'Ana' } },
    { account: 'maker', kind: 'account_deleted', details: { name: 'Ana' } },
  ])
})

test('the last owner can neither be deleted nor become a helper, also while there are helpers', async () => {
  const site = await openTestApp('sqlite')
  const maker = await site.signedIn()
  const params = { id: maker.adminId }
  const refused = async () => {
    const answers = [
      await site.call(deleteAdmin, { as: maker, params }),
      await site.call(changeRole, { as: maker, params, body: { role: 'helper' } }),
    ]
    return answers.map((answer) => [answer.statusCode, answer.json()])
  }
  const both = [
    [409, lastOwner],
    [409, lastOwner],
  ]
  expect(await refused()).toEqual(both)
  const ana = await site.addAdmin({ username: 'Ana', role: 'helper' })
  expect(await refused()).toEqual(both)
  expect(await site.ask(checkSession, { as: maker })).toMatchObject({ role: 'owner' })
  expect(await site.db.selectFrom('activity').select('kind').where('kind', '!=', 'signed_in').execute()).toEqual([])
  await site.ask(changeRole, { as: maker, params: { id: ana.adminId }, body: { role: 'owner' } })
  expect(await site.ask(changeRole, { as: maker, params, body: { role: 'helper' } })).toMatchObject({ role: 'helper' })
})

test('a helper learns nothing of other accounts, backups and settings', async () => {
  const site = await openTestApp('sqlite')
  const maker = await site.signedIn({ ...demoAdmin, demo: true })
  site.clock.pass({ seconds: 1 })
  const ana = await site.signedIn({ username: 'Ana', role: 'helper' })
  const message = { to: 'maker@example.com', subject: 'The backup failed', text: 'x' }
  const mail = await putIntoOutbox(site.db, { kind: 'backup', message }, site.clock.now())
  await site.db.updateTable('outbox').set({ attempts: 1, lastError: 'refused' }).where('id', '=', mail).execute()
  const seenBy = async (as: { cookie: string }) => {
    const [admins, checks, health, { troubledMails }, { troubled }] = [
      await site.ask(listAdmins, { as }),
      await site.call(readChecks, { as }),
      await site.ask(checkHealth, { as }),
      await site.ask(readContactNews, { as }),
      await site.ask(readMails, { as }),
    ]
    const names = admins.map(({ username }) => username)
    return { names, isWarned: checks.statusCode === 200, backups: 'backups' in health, troubledMails, mails: troubled.length }
  }
  expect(await seenBy(maker)).toEqual({
    names: [demoAdmin.username, 'Ana'],
    isWarned: true,
    backups: true,
    troubledMails: 1,
    mails: 1,
  })
  expect(await seenBy(ana)).toEqual({ names: ['Ana'], isWarned: false, backups: false, troubledMails: 0, mails: 0 })
})
