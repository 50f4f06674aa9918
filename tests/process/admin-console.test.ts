import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { checkSession, signIn } from '#contract/accounts.ts'
import { insertAdmin } from '#server/features/accounts/accounts.queries.ts'
import { insertPasskey, listPasskeysOf } from '#server/features/accounts/passkeys.queries.ts'
import { aPasskeyOf } from '../authenticator.ts'
import { runBuilt } from '../built-site.ts'
import { post, signInAt } from '../calls.ts'
import { databases, emptyDatabase, openTestDatabase } from '../test-database.ts'
import { ownerAccount, startSite } from './site.ts'

describe.each(databases)('accounts from the console on %s', (dialect) => {
  test('are listed while the site runs, get a new password which works at once, ends their sessions and removes their passkeys, and one that does not exist is named', async () => {
    const place = await emptyDatabase(dialect)
    const settings = { DATA_DIR: place.dataDir, ...(place.url && { DATABASE_URL: place.url }) }
    const { url } = await startSite(settings)
    const run = (...args: string[]) => runBuilt('admin', settings, args).ended
    expect(await run('list')).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^Álvaro +owner +created .*last login never\n$/),
    })
    const cookie = await signInAt(url, ownerAccount)
    expect(await run('list')).toMatchObject({ code: 0, stdout: expect.stringMatching(/^Álvaro .*last login \d{4}-/) })

    expect(await run('reset', 'Nobody')).toMatchObject({
      code: 1,
      stdout: '',
      stderr: 'There is no account called "Nobody". npm run admin -- list shows the accounts.\n',
    })
    const isSignedIn = async () => (await fetch(new URL(checkSession.path, url), { headers: { cookie } })).json()
    expect(await isSignedIn()).toMatchObject({ authenticated: true })

    const { db } = await openTestDatabase(dialect, { place })
    const { id: adminId } = await db.selectFrom('adminUsers').select('id').executeTakeFirstOrThrow()
    await insertPasskey(db, aPasskeyOf(adminId))
    const { code, stdout } = await run('reset', 'ÁLVARO')
    expect(code).toBe(0)
    expect(stdout).toContain('Its passkeys were removed (1).')
    expect(await listPasskeysOf(db, adminId)).toEqual([])
    const password = /^The password of Álvaro is now: (\S+)$/m.exec(stdout)?.[1] ?? ''
    expect(await isSignedIn()).toEqual({ authenticated: false })
    expect((await post(url, signIn.path, ownerAccount)).status).toBe(401)
    expect((await post(url, signIn.path, { ...ownerAccount, password })).status).toBe(200)
  })
})

test('accounts get another name from the console, also one whose name cannot be typed, and keep password and sessions', async () => {
  const place = await emptyDatabase('sqlite')
  const settings = { DATA_DIR: place.dataDir }
  const { url } = await startSite(settings)
  const run = (...args: string[]) => runBuilt('admin', settings, args).ended
  const { db } = await openTestDatabase('sqlite', { place })
  const ofFirstRelease = 'Á\u00adlvaro'
  await db.updateTable('adminUsers').set({ username: ofFirstRelease, nameKey: ofFirstRelease.toLowerCase() }).execute()
  await insertAdmin(db, { id: randomUUID(), username: 'Ana', passwordHash: 'x', lastLogin: null, demo: true })
  const cookie = await signInAt(url, { ...ownerAccount, username: ofFirstRelease })

  expect(await run('rename', 'Álvaro', 'An')).toMatchObject({ code: 1, stderr: 'Username must be at least 3 characters\n' })
  expect(await run('rename', 'Álvaro', 'ana')).toMatchObject({ code: 1, stderr: 'That username is already taken.\n' })
  expect(await run('rename', 'Ana', 'Luis')).toMatchObject({ code: 1, stderr: expect.stringContaining('reset Ana') })
  expect(await run('rename', 'Álvaro', 'Alvaro')).toMatchObject({ code: 0, stdout: 'The account is now called Alvaro.\n' })
  const check = await fetch(new URL(checkSession.path, url), { headers: { cookie } })
  expect(await check.json()).toMatchObject({ authenticated: true })
  expect((await post(url, signIn.path, { ...ownerAccount, username: 'ALVARO' })).status).toBe(200)
  const noted = db.selectFrom('activity').select(['account', 'details']).where('kind', '=', 'account_renamed')
  expect(await noted.execute()).toEqual([{ account: null, details: { name: ofFirstRelease, newName: 'Alvaro' } }])
})
test.each([[], ['reset'], ['delete', 'Ana']])('the console explains itself to %j', async (...args: string[]) => {
  const { code, stdout, stderr } = await runBuilt('admin', {}, args).ended
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
  expect(stderr).toContain('npm run admin -- list')
  expect(stderr).toContain('npm run admin -- reset <username>')
})
