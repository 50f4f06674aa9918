import { describe, expect, test } from 'vitest'
import { checkSession, signIn } from '#contract/admins.ts'
import { runBuilt } from '../built-site.ts'
import { post } from '../calls.ts'
import { databases, emptyDatabase } from '../test-database.ts'
import { owner, startSite } from './site.ts'

const account = { username: owner.ADMIN_USERNAME, password: owner.ADMIN_PASSWORD }

describe.each(databases)('accounts from the console on %s', (dialect) => {
  async function openSite() {
    const place = await emptyDatabase(dialect)
    const settings = { DATA_DIR: place.dataDir, ...(place.url && { DATABASE_URL: place.url }) }
    return { site: await startSite(settings), run: (...args: string[]) => runBuilt('admin', settings, args).ended }
  }

  test('are listed while the site runs, with when they last signed in', async () => {
    const { site, run } = await openSite()
    expect(await run('list')).toMatchObject({ code: 0, stdout: expect.stringMatching(/^Álvaro .*last login never\n$/) })
    await post(site.url, signIn.path, account)
    expect(await run('list')).toMatchObject({ code: 0, stdout: expect.stringMatching(/^Álvaro .*last login \d{4}-/) })
  })

  test('get a new password, which works at once, and their sessions end', async () => {
    const { site, run } = await openSite()
    const cookie = (await post(site.url, signIn.path, account)).headers.get('set-cookie')?.split(';')[0] ?? ''
    const { code, stdout } = await run('reset', 'ÁLVARO')
    expect(code).toBe(0)
    const password = /^The password of Álvaro is now: (\S+)$/m.exec(stdout)?.[1] ?? ''

    const check = await fetch(new URL(checkSession.path, site.url), { headers: { cookie } })
    expect(await check.json()).toEqual({ authenticated: false })
    expect((await post(site.url, signIn.path, account)).status).toBe(401)
    expect((await post(site.url, signIn.path, { ...account, password })).status).toBe(200)
  })

  test('that do not exist are named, and nothing else happens', async () => {
    const { site, run } = await openSite()
    expect(await run('reset', 'Nobody')).toMatchObject({
      code: 1,
      stdout: '',
      stderr: 'There is no account called "Nobody". npm run admin -- list shows the accounts.\n',
    })
    expect((await post(site.url, signIn.path, account)).status).toBe(200)
  })
})

test.each([[], ['help'], ['reset'], ['delete', 'Ana']])('the console explains itself to %j', async (...args: string[]) => {
  const { code, stdout, stderr } = await runBuilt('admin', {}, args).ended
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
  expect(stderr).toContain('npm run admin -- list')
  expect(stderr).toContain('npm run admin -- reset <username>')
})
