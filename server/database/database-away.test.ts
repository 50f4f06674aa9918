import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import path from 'node:path'
import { sql } from 'kysely'
import { describe, expect, onTestFinished, test } from 'vitest'
import { checkSession } from '#contract/accounts.ts'
import { listContacts } from '#contract/contacts.admin.ts'
import { sendContact } from '#contract/contacts.ts'
import { homePage, sendFromPage, signInPage } from '#contract/pages.ts'
import { createProject } from '#contract/projects.admin.ts'
import { changeSiteDraft, publishSite, readSiteContent } from '#contract/site-content.ts'
import { aContact, aProject, aStoredProject, storeProject, storeVersion } from '#tests/factories.ts'
import { startPostgres } from '#tests/postgres.ts'
import { temporaryFolder } from '#tests/temporary-folder.ts'
import { openTestApp } from '#tests/test-app.ts'
import { emptyDatabase, openTestDatabase } from '#tests/test-database.ts'
import { isDatabaseAway } from './database-errors.ts'

const sentence = 'The site cannot answer right now. Please try again in a moment.'
const asBrowser = { headers: { accept: 'text/html,*/*' } }
const polling = { timeout: 30_000, interval: 200 }

async function ownCluster() {
  const cluster = await startPostgres()
  onTestFinished(() => cluster.stop())
  return { cluster, place: { url: cluster.urlOf('postgres'), dataDir: await temporaryFolder() } }
}

describe('while PostgreSQL restarts', () => {
  test('visitors see the page as it was, the rest is a 503 with a sentence, and then all is as before', async () => {
    const { cluster, place } = await ownCluster()
    const site = await openTestApp('postgres', { place })
    const maker = await site.signedIn()
    const tug = await site.ask(createProject, { as: maker, body: aProject({ title: 'Tug' }) })
    const before = await site.call(homePage)
    const opened = { query: { project: tug.id } }
    expect((await site.call(homePage, opened)).body).toContain('Tug')

    await cluster.restart(async () => {
      const during = await site.call(homePage)
      expect({ status: during.statusCode, etag: during.headers.etag }).toEqual({ status: 200, etag: before.headers.etag })
      expect((await site.call(homePage, opened)).statusCode).toBe(200)

      const refused = await site.call(sendContact, { body: aContact() })
      expect(refused.statusCode).toBe(503)
      expect(refused.json()).toEqual({ message: sentence, code: 'unavailable' })
      expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
      expect((await site.call(listContacts, { as: maker })).statusCode).toBe(503)
      const form = { 'content-type': 'application/x-www-form-urlencoded', ...asBrowser.headers }
      const sent = { body: new URLSearchParams(aContact({ message: 'Typed with care' })).toString(), headers: form }
      const returned = await site.call(sendFromPage, sent)
      expect([returned.statusCode, returned.headers['content-type']]).toEqual([503, 'text/html; charset=utf-8'])
      expect(returned.body).toContain('Typed with care')

      const page = await site.call(signInPage, asBrowser)
      expect({ status: page.statusCode, type: page.headers['content-type'] }).toEqual({
        status: 503,
        type: 'text/html; charset=utf-8',
      })
      expect(page.body).toContain(sentence)
      const spanish = await site.call(homePage, { ...asBrowser, query: { lang: 'es' } })
      expect(spanish.statusCode).toBe(503)
      expect(spanish.headers['retry-after']).toBeDefined()
      expect(spanish.body).toContain('El sitio no puede responder ahora.')
    })

    await expect.poll(async () => (await site.call(sendContact, { body: aContact() })).statusCode, polling).toBe(200)
    expect(await site.ask(checkSession, { as: maker })).toMatchObject({ authenticated: true })
    expect(await site.ask(listContacts, { as: maker })).toHaveLength(1)
    await site.ask(createProject, { as: maker, body: aProject({ title: 'After the restart' }) })
    expect((await site.call(homePage)).body).toContain('After the restart')
    expect(site.takeLoggedProblems().every(({ msg }) => msg === 'request failed')).toBe(true)
  })

  test('the maker’s own words are shown as they were, the draft stays as it was, and all can be published afterwards', async () => {
    const { cluster, place } = await ownCluster()
    const site = await openTestApp('postgres', { place })
    const maker = await site.signedIn()
    await storeVersion(site.db, { 'maker.brand': 'Taller Ana' })
    await expect.poll(async () => (await site.call(homePage)).body, polling).toContain('Taller Ana')
    const { revision } = await site.ask(readSiteContent, { as: maker })
    const change = { as: maker, body: { revision, changes: { 'maker.brand': 'Taller Berta' } } }
    const drafted = await site.ask(changeSiteDraft, change)
    const publish = { as: maker, body: { revision: drafted.revision } }

    await cluster.restart(async () => {
      for (const refused of [await site.call(publishSite, publish), await site.call(readSiteContent, { as: maker })]) {
        expect(refused.statusCode).toBe(503)
        expect(refused.json()).toEqual({ message: sentence, code: 'unavailable' })
      }
      const preview = await site.call(homePage, { ...asBrowser, as: maker, query: { preview: 'draft' } })
      expect([preview.statusCode, preview.headers['content-type']]).toEqual([503, 'text/html; charset=utf-8'])
      expect((await site.call(homePage)).body).toContain('Taller Ana')
      const form = { 'content-type': 'application/x-www-form-urlencoded', ...asBrowser.headers }
      const sent = { body: new URLSearchParams(aContact({ message: 'Hello' })).toString(), headers: form }
      expect((await site.call(sendFromPage, sent)).body).toContain('Taller Ana')
    })

    await expect.poll(async () => (await site.call(readSiteContent, { as: maker })).statusCode, polling).toBe(200)
    expect(await site.ask(readSiteContent, { as: maker })).toEqual(drafted)
    await site.ask(publishSite, publish)
    expect((await site.call(homePage)).body).toContain('Taller Berta')
    site.takeLoggedProblems()
  })

  test('what other processes change is shown again', async () => {
    const { cluster, place } = await ownCluster()
    const site = await openTestApp('postgres', { place })
    expect((await site.call(homePage)).statusCode).toBe(200)
    await cluster.restart()
    const other = await openTestDatabase('postgres', { place })
    await storeProject(other.db, aStoredProject({ title: 'From elsewhere' }))
    await expect.poll(async () => (await site.call(homePage)).body, polling).toContain('From elsewhere')
    await storeProject(other.db, aStoredProject({ title: 'And once more' }))
    await expect.poll(async () => (await site.call(homePage)).body, polling).toContain('And once more')
    site.takeLoggedProblems()
  })
})

/** A way to PostgreSQL that can be blocked: both sides wait and get nothing. */
async function startLine(url: string) {
  const folder = new URL(url.replace('@/', '@localhost/')).searchParams.get('host') ?? ''
  let blocked = false
  const pairs = new Set<[Socket, Socket]>()
  const server = createServer((client) => {
    const upstream = connect(path.join(folder, '.s.PGSQL.5432'))
    const pair: [Socket, Socket] = [client, upstream]
    pairs.add(pair)
    for (const [from, to] of [pair, [upstream, client]] as const) {
      from.on('data', (chunk) => blocked || to.write(chunk))
      from.on('error', () => {})
      from.on('close', () => {
        pairs.delete(pair)
        if (!blocked) to.destroy()
      })
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.close()
    for (const socket of [...pairs].flat()) socket.destroy()
  })
  const { port } = server.address() as AddressInfo
  return {
    url: `postgres://vitrina@127.0.0.1:${port}/${new URL(url.replace('@/', '@localhost/')).pathname.slice(1)}`,
    block() {
      blocked = true
    },
    /** What was on the way is lost; who calls now gets through. */
    clear() {
      blocked = false
      for (const socket of [...pairs].flat()) socket.destroy()
    },
  }
}

describe('a PostgreSQL that vanishes without a word', () => {
  test('leaves nobody waiting for long, and is found again', { timeout: 120_000 }, async () => {
    const { url = '', dataDir } = await emptyDatabase('postgres')
    const line = await startLine(url)
    const site = await openTestApp('postgres', { place: { url: line.url, dataDir }, config: { rateLimits: false } })
    await site.ask(sendContact, { body: aContact() })
    line.block()
    // PostgreSQL's own limit for a statement is of no use when its answer does not arrive.
    const refused = await site.call(sendContact, { body: aContact() })
    expect(refused.statusCode).toBe(503)
    expect(refused.json()).toMatchObject({ code: 'unavailable' })
    line.clear()
    await expect.poll(async () => (await site.call(sendContact, { body: aContact() })).statusCode, polling).toBe(200)
    site.takeLoggedProblems()
  })
})

describe('a connection that is cut', () => {
  test('in a pause of a transaction fails the transaction and nothing else', async () => {
    const place = await emptyDatabase('postgres')
    const first = await openTestDatabase('postgres', { place })
    const second = await openTestDatabase('postgres', { place })
    const failing = first.db.transaction().execute(async (tx) => {
      const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(tx)
      await sql`select pg_terminate_backend(${rows[0]?.pid})`.execute(second.db)
      await sql`select pg_sleep(0.2)`.execute(second.db)
      await storeProject(tx, aStoredProject())
    })
    const error = await failing.then(
      () => undefined,
      (cause: unknown) => cause,
    )
    expect(isDatabaseAway(error)).toBe(true)
    expect(await first.db.selectFrom('projects').selectAll().execute()).toEqual([])
  })

  test('while the content version cannot be read, the page is still up to date', async () => {
    const place = await emptyDatabase('postgres')
    const site = await openTestApp('postgres', { place })
    const writer = await openTestDatabase('postgres', { place })
    const administration = await openTestDatabase('postgres')
    const watchers = async () => {
      const { rows } = await sql<{ pid: number }>`
        select pid from pg_stat_activity
        where application_name like 'vitrina content version%' and datname = ${nameOf(place)}`.execute(administration.db)
      return rows.map(({ pid }) => pid)
    }
    await expect.poll(watchers, polling).toHaveLength(1)
    expect((await site.call(homePage)).statusCode).toBe(200)

    await sql`alter database ${sql.id(nameOf(place))} allow_connections false`.execute(administration.db)
    for (const pid of await watchers()) await sql`select pg_terminate_backend(${pid})`.execute(administration.db)
    await expect.poll(watchers, polling).toEqual([])
    for (const title of ['Unread', 'Unread as well']) {
      await storeProject(writer.db, aStoredProject({ title }))
      await expect.poll(async () => (await site.call(homePage)).body, polling).toContain(title)
    }
    await sql`alter database ${sql.id(nameOf(place))} allow_connections true`.execute(administration.db)
    await expect.poll(watchers, polling).toHaveLength(1)
  })
})

function nameOf({ url = '' }: { url?: string }) {
  return /test_[0-9a-f]+/.exec(url)?.[0] ?? ''
}
