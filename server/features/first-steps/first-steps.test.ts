import { describe, expect, test } from 'vitest'
import { changePassword } from '#contract/accounts.ts'
import { createCompleteBackup, createDatabaseBackup, downloadBackup } from '#contract/backups.ts'
import { bringBackDemoProjects, putFirstStepsAway, readFirstSteps, removeDemoProjects } from '#contract/overview.ts'
import { createProject, deleteProject, updateProject } from '#contract/projects.admin.ts'
import { demoAdmin } from '#demo/admin.ts'
import { demoProjects } from '#demo/projects.ts'
import { readConfig } from '#server/config.ts'
import type { Dialect } from '#server/database/dialect.ts'
import { prepareAccounts } from '#server/start/first-start.ts'
import { allProjects } from '#tests/all-records.ts'
import { aProject } from '#tests/factories.ts'
import { listenForRaw } from '#tests/raw-request.ts'
import { addressOf, openTestApp } from '#tests/test-app.ts'
import { databases } from '#tests/test-database.ts'

const polling = { timeout: 30_000, interval: 10 }

async function openSite() {
  const site = await openTestApp('sqlite')
  const as = await site.signedIn()
  return { ...site, as, steps: () => site.ask(readFirstSteps, { as }) }
}

/** A demo whose account has got another password. */
async function takenOverDemo(dialect: Dialect) {
  const site = await openTestApp(dialect)
  const variants = { ...site.variants, prepare() {} }
  await prepareAccounts({ ...site, variants, config: readConfig({}) })
  const demo = await site.signIn(demoAdmin)
  expect(await site.ask(readFirstSteps, { as: demo })).toEqual({ putAway: false, opened: true, steps: null })
  const body = { currentPassword: demoAdmin.password, newPassword: 'brass and pear' }
  await site.ask(changePassword, { as: demo, body })
  const as = await site.signIn({ username: demoAdmin.username, password: body.newPassword })
  return { ...site, as, steps: () => site.ask(readFirstSteps, { as }) }
}

describe('the first steps', () => {
  test('tick themselves off', async () => {
    const { steps, ask, as, db } = await openSite()
    const done = async () => (await steps()).steps?.done
    expect(await done()).toEqual(['demo', 'open'])
    await ask(createProject, { as, body: aProject() })
    expect(await done()).toEqual(['model', 'demo', 'open'])
    await ask(createDatabaseBackup, { as })
    expect(await done()).toEqual(['model', 'demo', 'open', 'backup'])
    const fields = { 'maker.brand': 'Ñandú', 'maker.email': 'ana@example.com', 'maker.phones.0': '+52 951 000 0000' }
    await db
      .insertInto('siteVersions')
      .values({ number: 1, fields: JSON.stringify(fields), author: null })
      .execute()
    expect(await done()).toEqual(['contact', 'model', 'demo', 'open', 'backup'])
  })

  test('count a copy elsewhere when a complete backup was downloaded to its end', async () => {
    const site = await openSite()
    const { ask, call, as, app, steps } = site
    const done = async () => (await steps()).steps?.done
    const { filename: database } = await ask(createDatabaseBackup, { as })
    const { filename } = await ask(createCompleteBackup, { as })
    await call(downloadBackup, { as, params: { filename: database } })
    await app.inject({ method: 'HEAD', url: addressOf(downloadBackup, { filename }), headers: { cookie: as.cookie } })

    // More than lies between the site and a visitor who has gone away.
    const large = filename.replace(/-\w{4}\.zip$/, '-long.zip')
    await site.storage.put(`backups/${large}`, Buffer.alloc(16 * 1024 * 1024))
    const { sendAndLeave } = await listenForRaw(app)
    const wanted = addressOf(downloadBackup, { filename: large })
    await sendAndLeave(`GET ${wanted} HTTP/1.1\r\nhost: models.example\r\ncookie: ${as.cookie}\r\n\r\n`, 'answered')
    expect(await done()).toEqual(['demo', 'open', 'backup'])

    await call(downloadBackup, { as, params: { filename } })
    await expect.poll(done, polling).toEqual(['demo', 'open', 'backup', 'copy'])
  })

  test('can be put away and brought back', async () => {
    const { steps, ask, as } = await openSite()
    expect(await ask(putFirstStepsAway, { as, body: { putAway: true } })).toEqual({ putAway: true, opened: true, steps: null })
    expect(await steps()).toEqual({ putAway: true, opened: true, steps: null })
    const again = await ask(putFirstStepsAway, { as, body: { putAway: false } })
    expect(again).toEqual({ putAway: false, opened: true, steps: { done: ['demo', 'open'], demoProjects: 0 } })
    expect(await steps()).toEqual(again)
  })
})

describe.each(databases)('the first steps on %s', (dialect) => {
  test('are shown once the demo has an owner, and its models go and come back together', async () => {
    const { steps, ask, call, as, db } = await takenOverDemo(dialect)
    const all = demoProjects.length
    expect(await steps()).toEqual({ putAway: false, opened: true, steps: { done: ['open'], demoProjects: all } })

    const before = await allProjects(db)
    const [rewritten, translated, deleted] = before
    if (!rewritten || !translated || !deleted) throw new Error('There are more of them.')
    await ask(updateProject, { as, params: { id: rewritten.id }, body: { description: 'My own words.' } })
    await ask(updateProject, {
      as,
      params: { id: translated.id },
      body: { translations: { es: { description: 'Mis propias palabras.' } } },
    })
    await ask(deleteProject, { as, params: { id: deleted.id } })
    expect(await steps()).toEqual({ putAway: false, opened: true, steps: { done: ['model', 'open'], demoProjects: all - 3 } })

    const { removed } = await ask(removeDemoProjects, { as })
    expect(removed.toSorted()).toEqual(
      before
        .slice(3)
        .map(({ id }) => id)
        .toSorted(),
    )
    expect((await steps()).steps).toEqual({ done: ['model', 'demo', 'open'], demoProjects: 0 })
    expect((await allProjects(db)).map(({ id }) => id)).toEqual([rewritten.id, translated.id])
    expect(await ask(removeDemoProjects, { as })).toEqual({ removed: [] })

    // One of them is back already, by hand.
    expect(await ask(bringBackDemoProjects, { as, body: { ids: removed.slice(0, 1) } })).toEqual({ broughtBack: 1 })
    expect(await ask(bringBackDemoProjects, { as, body: { ids: removed } })).toEqual({ broughtBack: removed.length - 1 })
    expect((await allProjects(db)).map(({ id }) => id)).toEqual(
      before.filter(({ id }) => id !== deleted.id).map(({ id }) => id),
    )
    expect((await call(bringBackDemoProjects, { as, body: { ids: [] } })).statusCode).toBe(400)
  })
})
