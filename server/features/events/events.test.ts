import { describe, expect, onTestFinished, test } from 'vitest'
import { changePassword, deleteAdmin, signOut } from '#contract/accounts.ts'
import { sendContact } from '#contract/contacts.ts'
import { topics, watchChanges } from '#contract/overview.ts'
import { createProject } from '#contract/projects.admin.ts'
import { updateBackupState } from '#server/backup/backup-state.ts'
import { aContact, aProject } from '#tests/factories.ts'
import { openTestApp, type TestApp } from '#tests/test-app.ts'
import { databases, migratedDatabase } from '#tests/test-database.ts'

const polling = { timeout: 30_000, interval: 50 }

/** A site that answers over the network: a stream has no end to be injected. */
async function listening(site: TestApp) {
  const url = await site.app.listen({ port: 0, host: '127.0.0.1' })
  return async ({ cookie }: { cookie: string }) => {
    const leaving = new AbortController()
    onTestFinished(() => leaving.abort())
    const headers = { cookie, 'accept-encoding': 'br, gzip' }
    const {
      status,
      headers: answered,
      body,
    } = await fetch(new URL(watchChanges.path, url), { headers, signal: leaving.signal })
    let text = ''
    const read = async () => {
      for await (const piece of body ?? []) text += Buffer.from(piece).toString()
      return 'ended'
    }
    const ended = read().catch(() => 'cut')
    return { status, headers: answered, text: () => text, ended, leave: () => leaving.abort() }
  }
}

describe.each(databases)('the events of an open panel on %s', (dialect) => {
  test('name what any process has changed, and tell nothing of it', async () => {
    const place = await migratedDatabase(dialect)
    const [here, there] = [await openTestApp(dialect, { place }), await openTestApp(dialect, { place })]
    const maker = await here.signedIn()
    const panel = await (await listening(here))(maker)
    for (const site of [here, there]) {
      const before = panel.text().length
      await site.ask(sendContact, { body: aContact({ name: site === here ? 'Inés' : 'Luis' }) })
      await site.ask(createProject, { as: maker, body: aProject() })
      await updateBackupState(site.db, { keepDaily: site === here ? 3 : 4 })
      for (const topic of topics) {
        await expect.poll(() => panel.text().slice(before), polling).toContain(`data: ${topic}\n\n`)
      }
    }
    expect(panel.text()).toMatch(/^retry: 5000\n\n(data: (contacts|content|backups)\n\n|:\n\n)+$/)
  })
})

describe('the stream of events', () => {
  test('is kept by nothing on the way', async () => {
    const site = await openTestApp('sqlite')
    const panel = await (await listening(site))(await site.signedIn())
    expect(panel.status).toBe(200)
    expect(Object.fromEntries(panel.headers)).toMatchObject({
      'content-type': 'text/event-stream',
      'cache-control': 'no-store',
      'x-accel-buffering': 'no',
      'x-content-type-options': 'nosniff',
    })
    expect(panel.headers.get('content-encoding')).toBeNull()
    const head = await site.app.inject({
      method: 'HEAD',
      url: watchChanges.path,
      headers: { cookie: (await site.signedIn({ username: 'other' })).cookie },
    })
    expect([head.statusCode, head.headers['content-type']]).toEqual([200, 'text/event-stream'])
  })

  test('ends with its session, and no other does', async () => {
    const site = await openTestApp('sqlite')
    const open = await listening(site)
    const maker = await site.signedIn()
    const stays = await open(maker)
    const helper = await site.signedIn({ username: 'helper' })
    const gone = await site.signedIn({ username: 'gone' })
    const secondOfHelper = await site.signIn(helper)
    const [signsOut, hasNewPassword, isDeleted] = [
      await open(await site.signIn(maker)),
      await open(secondOfHelper),
      await open(gone),
    ]
    const leaving = await site.signIn(maker)
    const left = await open(leaving)
    await site.ask(signOut, { as: leaving })
    await site.ask(changePassword, { as: helper, body: { currentPassword: helper.password, newPassword: 'another long one' } })
    await site.ask(deleteAdmin, { as: maker, params: { id: gone.adminId } })
    expect(await Promise.all([left.ended, hasNewPassword.ended, isDeleted.ended])).toEqual(['ended', 'ended', 'ended'])
    site.clock.pass({ days: 8 })
    expect(await Promise.all([stays.ended, signsOut.ended])).toEqual(['ended', 'ended'])
  })

  test('is open three times for a session, and a fourth is told not to try again until one is closed', async () => {
    const site = await openTestApp('sqlite')
    const open = await listening(site)
    const maker = await site.signedIn()
    const panels = [await open(maker), await open(maker), await open(maker)]
    expect(panels.map(({ status }) => status)).toEqual([200, 200, 200])
    expect((await open(maker)).status).toBe(204)
    expect((await open(await site.signIn(maker))).status).toBe(200)
    panels[0]?.leave()
    await expect.poll(async () => (await open(maker)).status, polling).toBe(200)
  })
})
