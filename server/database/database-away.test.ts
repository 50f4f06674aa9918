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
import { migratedDatabase, openTestDatabase } from '#tests/test-database.ts'
import { isDatabaseAway } from './database-errors.ts'

const sentence = 'The site cannot answer right now. Please try again in a moment.'
const asBrowser = { headers: { accept: 'text/html,*/*' } }
const polling = { timeout: 30_000, interval: 200 }

describe('while PostgreSQL restarts', () => {
  test('visitors see the page as it was, the rest is a 503 with a sentence, and then all is as before', async () => {
    const cluster = await startPostgres()
    onTestFinished(() => cluster.stop())
    const place = { url: cluster.urlOf('postgres'), dataDir: await temporaryFolder() }
    const site = await openTestApp('postgres', { place })
    const maker = await site.signedIn()
    const homeBody = async () => (await site.call(homePage)).body
    await storeVersion(site.db, { 'maker.brand': 'Taller Ana' })
    const tug = await site.ask(createProject, { as: maker, body: aProject({ title: 'Tug' }) })
    await expect.poll(homeBody, polling).toContain('Taller Ana')
    const before = await site.call(homePage)
    const opened = { query: { project: tug.id } }
    expect((await site.call(homePage, opened)).body).toContain('Tug')
    const { revision } = await site.ask(readSiteContent, { as: maker })
    const change = { as: maker, body: { revision, changes: { 'maker.brand': 'Taller Berta' } } }
    const drafted = await site.ask(changeSiteDraft, change)
    const publish = { as: maker, body: { revision: drafted.revision } }

    await cluster.restart(async () => {
      const during = await site.call(homePage)
      expect({ status: during.statusCode, etag: during.headers.etag }).toEqual({ status: 200, etag: before.headers.etag })
      expect((await site.call(homePage, opened)).statusCode).toBe(200)

      for (const refused of [
        await site.call(sendContact, { body: aContact() }),
        await site.call(listContacts, { as: maker }),
        await site.call(publishSite, publish),
        await site.call(readSiteContent, { as: maker }),
      ]) {
        expect(refused.statusCode).toBe(503)
        expect(refused.json()).toEqual({ message: sentence, code: 'unavailable' })
        expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
      }
      const form = { 'content-type': 'application/x-www-form-urlencoded', ...asBrowser.headers }
      const sent = { body: new URLSearchParams(aContact({ message: 'Typed with care' })).toString(), headers: form }
      const returned = await site.call(sendFromPage, sent)
      expect([returned.statusCode, returned.headers['content-type']]).toEqual([503, 'text/html; charset=utf-8'])
      for (const text of ['Typed with care', 'Taller Ana']) expect(returned.body).toContain(text)

      const preview = { ...asBrowser, as: maker, query: { preview: 'draft' } }
      for (const page of [await site.call(signInPage, asBrowser), await site.call(homePage, preview)]) {
        expect([page.statusCode, page.headers['content-type']]).toEqual([503, 'text/html; charset=utf-8'])
        expect(page.body).toContain(sentence)
      }
      const spanish = await site.call(homePage, { ...asBrowser, query: { lang: 'es' } })
      expect(spanish.statusCode).toBe(503)
      expect(spanish.headers['retry-after']).toBeDefined()
      expect(spanish.body).toContain('El sitio no puede responder ahora.')
    })

    await expect.poll(async () => (await site.call(sendContact, { body: aContact() })).statusCode, polling).toBe(200)
    expect(await site.ask(checkSession, { as: maker })).toMatchObject({ authenticated: true })
    expect(await site.ask(listContacts, { as: maker })).toHaveLength(1)
    expect(await site.ask(readSiteContent, { as: maker })).toEqual(drafted)
    await site.ask(publishSite, publish)
    await site.ask(createProject, { as: maker, body: aProject({ title: 'After the restart' }) })
    for (const text of ['After the restart', 'Taller Berta']) expect(await homeBody()).toContain(text)
    expect(site.takeLoggedProblems().every(({ msg }) => msg === 'request failed')).toBe(true)

    // What other processes change is shown again.
    const other = await openTestDatabase('postgres', { place })
    for (const title of ['From elsewhere', 'And once more']) {
      await storeProject(other.db, aStoredProject({ title }))
      await expect.poll(homeBody, polling).toContain(title)
    }
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
  test('keeps no request waiting for long, and is found again', { timeout: 120_000 }, async () => {
    const { url = '', dataDir } = await migratedDatabase('postgres')
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
    const place = await migratedDatabase('postgres')
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
    const place = await migratedDatabase('postgres')
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
