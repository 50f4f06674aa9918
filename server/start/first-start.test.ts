import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { checkSession, signIn } from '#contract/accounts.ts'
import { categories } from '#contract/first-visit.ts'
import { demoAdmin } from '#demo/admin.ts'
import { demoContacts } from '#demo/contacts.ts'
import { photoFacts } from '#demo/photo-facts.ts'
import { demoProjects } from '#demo/projects.ts'
import { allContacts, allProjects } from '#tests/all-records.ts'
import { ownWords } from '#tests/backups.ts'
import { aStoredProject, removeProject, storeProject, storeVersion } from '#tests/factories.ts'
import { openTestApp, type TestApp } from '#tests/test-app.ts'
import { databases, migratedDatabase } from '#tests/test-database.ts'
import { type Config, ConfigError, readConfig } from '../config.ts'
import { judgeImage } from '../features/images/image-tasks.ts'
import { projectRoot } from '../own-program.ts'
import { prepareAccounts } from './first-start.ts'

const owner = { username: 'Álvaro', password: 'my own secret' }

/** What `main.ts` does between opening the database and listening. */
const start = (site: TestApp, config: Partial<Config> = {}) =>
  prepareAccounts({
    ...site,
    // No test here looks at smaller copies.
    variants: { ...site.variants, prepare() {} },
    config: { ...readConfig({}), ...config },
  })

async function isOpened({ db }: TestApp) {
  return (await db.selectFrom('site').select('opened').executeTakeFirstOrThrow()).opened
}

async function usernames({ db }: TestApp) {
  const rows = await db.selectFrom('adminUsers').select('username').execute()
  return rows.map(({ username }) => username)
}

const statusOfSignIn = async (site: TestApp, { username, password }: { username: string; password: string }) =>
  (await site.call(signIn, { body: { username, password } })).statusCode

test('the photos of the demo are what an upload of them becomes, and known as such', async () => {
  const folder = path.join(projectRoot, 'demo/photos')
  const files = await readdir(folder)
  expect(files.toSorted()).toEqual(Object.keys(photoFacts).toSorted())
  for (const file of files) {
    const { hash: _hash, ...facts } = await judgeImage(await readFile(path.join(folder, file)))
    expect(facts).toEqual({ ...photoFacts[file], contentType: 'image/jpeg' })
  }
})

describe('the first start', () => {
  test('of a site that was restored from a backup adds no demo content to it', async () => {
    const site = await openTestApp('sqlite')
    await storeProject(site.db, aStoredProject({ title: 'Restored' }))
    await start(site)
    expect((await allProjects(site.db)).map(({ title }) => title)).toEqual(['Restored'])
    expect(await allContacts(site.db)).toEqual([])
    expect(await usernames(site)).toEqual([demoAdmin.username])
  })

  test('of a site that was restored from a backup with nothing but words of its own adds no demo content either', async () => {
    const site = await openTestApp('sqlite')
    await storeVersion(site.db, ownWords)
    await start(site)
    expect(await allProjects(site.db)).toEqual([])
    expect(await usernames(site)).toEqual([demoAdmin.username])
  })

  test('with an owner has no demo content, no demo account, and may be public', async () => {
    const site = await openTestApp('sqlite')
    await start(site, { firstAdmin: owner, loopbackOnly: false })
    expect(await allProjects(site.db)).toEqual([])
    expect(await allContacts(site.db)).toEqual([])
    expect(await usernames(site)).toEqual([owner.username])
    await site.signIn(owner)
    expect(await statusOfSignIn(site, demoAdmin)).toBe(401)
    expect(await isOpened(site)).toBe(false)
  })

  test('with an owner leaves a restored site open, and a later start one that was opened', async () => {
    const restored = await openTestApp('sqlite')
    await storeProject(restored.db, aStoredProject())
    const opened = await openTestApp('sqlite')
    await start(opened, { firstAdmin: owner })
    await opened.db.updateTable('site').set({ opened: true }).execute()
    for (const site of [restored, opened]) {
      await start(site, { firstAdmin: owner })
      expect(await isOpened(site)).toBe(true)
    }
  })

  test('behind a proxy without an owner is refused with every fault and its cure, and nothing is added', async () => {
    const site = await openTestApp('sqlite')
    await expect(start(site, { loopbackOnly: false, trustProxy: 1, publicUrl: 'https://models.example' })).rejects.toThrow(
      [
        'Cannot start: 3 settings need attention.',
        '  HOST            is public while the demo account is active. Set ADMIN_USERNAME and ADMIN_PASSWORD first.',
        '  TRUST_PROXY     lets a proxy in while the demo account is active. Set ADMIN_USERNAME and ADMIN_PASSWORD first.',
        '  PUBLIC_URL      is not on this machine while the demo account is active. Set ADMIN_USERNAME and ADMIN_PASSWORD first.',
      ].join('\n'),
    )
    expect(await allProjects(site.db)).toEqual([])
    expect(await usernames(site)).toEqual([])
  })

  test('in public without an owner is refused, and nothing is added', async () => {
    const site = await openTestApp('sqlite')
    const refusal = start(site, { loopbackOnly: false })
    await expect(refusal).rejects.toThrow(ConfigError)
    await expect(refusal).rejects.toThrow(
      'HOST            is public while the demo account is active. Set ADMIN_USERNAME and ADMIN_PASSWORD first.',
    )
    expect(await allProjects(site.db)).toEqual([])
    expect(await usernames(site)).toEqual([])
  })
})

describe.each(databases)('the first start on %s', (dialect) => {
  test('without an owner adds the demo content once, and never again', async () => {
    const site = await openTestApp(dialect)
    await start(site)
    const projects = await allProjects(site.db)
    expect(projects.map(({ title }) => title)).toEqual(demoProjects.map(({ title }) => title))
    for (const category of categories) expect(projects.filter((project) => project.category === category)).toHaveLength(2)
    expect(projects.filter(({ beforeImage, afterImage }) => beforeImage && afterImage)).toHaveLength(2)
    expect(projects.some(({ featured }) => featured)).toBe(true)
    for (const { image, translations } of projects) {
      expect(image).toEqual({
        width: expect.any(Number),
        height: expect.any(Number),
        placeholder: expect.stringMatching(/^data:image\/webp;base64,/),
      })
      expect(translations).toEqual({
        es: {
          title: expect.any(String),
          description: expect.any(String),
          materials: expect.any(String),
          techniques: expect.any(String),
        },
      })
    }
    expect((await allContacts(site.db)).map(({ name }) => name)).toEqual(demoContacts.map(({ name }) => name))
    const contacts = await site.db.selectFrom('contactMessages').selectAll().execute()
    const about = contacts.filter(({ aboutTitle }) => aboutTitle).map(({ aboutId }) => aboutId)
    expect([about.length, await site.db.selectFrom('projects').select('id').where('id', 'in', about).execute()]).toEqual([
      2,
      about.map(() => ({ id: expect.any(String) })),
    ])
    await site.signIn(demoAdmin)
    expect(await isOpened(site)).toBe(true)

    // The maker has begun to tidy up; the next start must not bring anything back.
    const [first, ...others] = projects
    await removeProject(site.db, first?.id ?? '')
    await start(site)
    expect(await allProjects(site.db)).toEqual(others)
    expect(await usernames(site)).toEqual([demoAdmin.username])
  })

  test('of two processes at once adds the demo content once', async () => {
    const site = await openTestApp(dialect)
    await Promise.all([start(site), start(site)])
    expect(await allProjects(site.db)).toHaveLength(demoProjects.length)
    expect(await allContacts(site.db)).toHaveLength(demoContacts.length)
    expect(await usernames(site)).toEqual([demoAdmin.username])
  })
})

describe('a later start', () => {
  test('in public is refused while the demo account has the password everybody knows', async () => {
    const site = await openTestApp('sqlite')
    await site.addAdmin({ ...demoAdmin, demo: true })
    await expect(start(site, { loopbackOnly: false })).rejects.toThrow('HOST')
    await start(site)
  })

  test('behind a proxy is refused as well, and under a name of this machine it is not', async () => {
    const site = await openTestApp('sqlite')
    await site.addAdmin({ ...demoAdmin, demo: true })
    await expect(start(site, { trustProxy: 1 })).rejects.toThrow('TRUST_PROXY')
    for (const publicUrl of ['https://models.example', 'http://192.168.1.5:3000', 'http://localhost.example']) {
      await expect(start(site, { publicUrl })).rejects.toThrow('PUBLIC_URL')
    }
    for (const publicUrl of ['http://localhost:3000', 'http://127.0.0.1', 'http://[::1]:8080']) await start(site, { publicUrl })
  })

  test('in public is fine with an account that has the name and the password of the demo by chance', async () => {
    const site = await openTestApp('sqlite')
    await site.addAdmin(demoAdmin)
    await start(site, { loopbackOnly: false })
    expect(await statusOfSignIn(site, demoAdmin)).toBe(200)
  })

  test('in public is fine once that account has another password', async () => {
    const site = await openTestApp('sqlite')
    await site.addAdmin({ username: demoAdmin.username, password: 'not the demo', demo: true })
    await start(site, { loopbackOnly: false })
  })

  test('hands the demo over to an owner who is called admin too', async () => {
    const site = await openTestApp('sqlite')
    await site.addAdmin({ ...demoAdmin, demo: true })
    const admin = { username: 'Admin', password: 'my own secret' }
    await start(site, { firstAdmin: admin })
    expect(await usernames(site)).toEqual(['Admin'])
    await site.signIn(admin)
    expect(await statusOfSignIn(site, demoAdmin)).toBe(401)
  })

  test('hands the demo over to one of its helpers, who is its owner then', async () => {
    const site = await openTestApp('sqlite')
    await site.addAdmin({ ...demoAdmin, demo: true })
    const helper = await site.addAdmin({ username: owner.username, role: 'helper' })
    await start(site, { firstAdmin: owner })
    expect(await site.ask(checkSession, { as: await site.signIn(helper) })).toMatchObject({ role: 'owner' })
    expect(await usernames(site)).toEqual([owner.username])
  })

  test('does not touch the accounts of a site that has an owner, nor set a changed password back', async () => {
    const site = await openTestApp('sqlite')
    await site.addAdmin({ username: owner.username, password: 'changed since' })
    await start(site, { firstAdmin: owner })
    await start(site, { firstAdmin: { username: 'Somebody else', password: 'another one' } })
    expect(await usernames(site)).toEqual([owner.username])
    await site.signIn({ username: owner.username, password: 'changed since' })
  })
})

describe.each(databases)('a later start on %s', (dialect) => {
  test('with an owner hands the demo over: its account and sessions go, its content stays', async () => {
    const site = await openTestApp(dialect)
    const demo = await site.signedIn({ ...demoAdmin, demo: true })
    await storeProject(site.db, aStoredProject())
    await start(site, { firstAdmin: owner, loopbackOnly: false })
    expect(await usernames(site)).toEqual([owner.username])
    expect(await site.ask(checkSession, { as: demo })).toEqual({ authenticated: false })
    await site.signIn(owner)
    expect(await allProjects(site.db)).toHaveLength(1)
    expect(await isOpened(site)).toBe(false)
  })
})

describe('on PostgreSQL, several processes at once', () => {
  async function sitesOnOne(count: number) {
    const place = await migratedDatabase('postgres')
    return Promise.all(Array.from({ length: count }, () => openTestApp('postgres', { place })))
  }

  test('make one demo', async () => {
    const sites = await sitesOnOne(3)
    await Promise.all(sites.map((site) => start(site)))
    const [site] = sites as [TestApp]
    expect(await usernames(site)).toEqual([demoAdmin.username])
    expect(await allProjects(site.db)).toHaveLength(demoProjects.length)
    expect(await allContacts(site.db)).toHaveLength(demoContacts.length)
  })

  test.each([owner, { ...owner, username: demoAdmin.username }])('make one account for $username', async (firstAdmin) => {
    const sites = await sitesOnOne(5)
    const made = new Set<string>()
    await Promise.all(
      sites.map(async (site) => {
        await start(site, { firstAdmin, loopbackOnly: false })
        const { id } = await site.db.selectFrom('adminUsers').select('id').executeTakeFirstOrThrow()
        made.add(id)
      }),
    )
    // None takes the account another has just made for the demo's.
    expect(made.size).toBe(1)
    const [site] = sites as [TestApp]
    expect(await usernames(site)).toEqual([firstAdmin.username])
    await site.signIn(firstAdmin)
  })
})
