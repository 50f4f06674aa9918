import { scheduler } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { checkSession, listAdmins } from '#contract/accounts.ts'
import { createCompleteBackup, downloadBackup, exportData, listBackups, restoreComplete } from '#contract/backups.ts'
import { listContacts } from '#contract/contacts.admin.ts'
import type { AnyEndpoint } from '#contract/endpoint.ts'
import { variantAddress } from '#contract/first-visit.ts'
import { checkReadiness } from '#contract/health.ts'
import { finalizeUpload, requestUpload } from '#contract/images.ts'
import { createProject, deleteProject } from '#contract/projects.admin.ts'
import { listProjects } from '#contract/projects.ts'
import { changeSiteDraft, publishSite, readSiteContent, type SiteContent, setSiteOpened } from '#contract/site-content.ts'
import { formWith } from '../backups.ts'
import type { BuiltSite } from '../built-site.ts'
import { signInAt } from '../calls.ts'
import { aProject } from '../factories.ts'
import { aGrainyPhoto } from '../photos.ts'
import { startPostgres } from '../postgres.ts'
import { newSeed, rounds, seededRandom } from '../random.ts'
import { startRoundRobin } from '../round-robin.ts'
import { environmentOf } from '../s3.ts'
import { temporaryFolder } from '../temporary-folder.ts'
import { testBucket } from '../test-storage.ts'
import { ownerAccount, startSite } from './site.ts'
import { startVisitors } from './visitors.ts'

const polling = { timeout: 120_000, interval: 50 }
const kills = rounds(1)

/** What every process is told, and all it needs. */
async function settingsOf(databaseUrl: string) {
  return {
    DATABASE_URL: databaseUrl,
    // One folder for all: nothing is kept in it.
    DATA_DIR: await temporaryFolder(),
    ...environmentOf(await testBucket()),
    PUBLIC_URL: 'http://models.example',
    RATE_LIMITS: 'off',
  }
}

type Sent = { body?: unknown; params?: Record<string, string> }

async function signedIn(url: string) {
  const cookie = await signInAt(url, ownerAccount)

  const call = (at: string, endpoint: AnyEndpoint, { body, params = {} }: Sent = {}) =>
    fetch(
      new URL(
        endpoint.path.replace(/:(\w+)/g, (_, name: string) => params[name] ?? ''),
        at,
      ),
      {
        method: endpoint.method,
        headers: { cookie, ...(body !== undefined && { 'content-type': 'application/json' }) },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      },
    )
  return {
    call,
    /** A call that must succeed. */
    async ask<T>(at: string, endpoint: AnyEndpoint, sent: Sent = {}): Promise<T> {
      const response = await call(at, endpoint, sent)
      if (response.status !== 200) throw new Error(`${endpoint.path} answered ${response.status}: ${await response.text()}`)
      return (await response.json()) as T
    },
    restore(at: string, archive: Buffer) {
      const { headers, body } = formWith(archive)
      return fetch(new URL(restoreComplete.path, at), {
        method: 'POST',
        headers: { cookie, ...headers },
        body: new Uint8Array(body),
      })
    },
    async put(address: string, photo: Buffer) {
      const response = await fetch(address, {
        method: 'PUT',
        headers: { 'content-type': 'image/jpeg', cookie },
        body: new Uint8Array(photo),
      })
      expect(response.status).toBe(200)
    },
  }
}

type Maker = Awaited<ReturnType<typeof signedIn>>

const titlesAt = async (url: string) =>
  ((await (await fetch(new URL(listProjects.path, url))).json()) as { title: string }[]).map(({ title }) => title).toSorted()

const pageAt = async (url: string) => (await fetch(url)).text()

/** Adds a model: the address for its photo from one, the bytes through the next, the verdict by the third. */
async function addModel(maker: Maker, [first, second, third]: [string, string, string], title: string) {
  const { uploadURL } = await maker.ask<{ uploadURL: string }>(first, requestUpload)
  await maker.put(uploadURL.replace(new URL(first).origin, new URL(second).origin), await aGrainyPhoto())
  const { objectPath } = await maker.ask<{ objectPath: string }>(third, finalizeUpload, { body: { imageURL: uploadURL } })
  const body = aProject({ title, imageUrl: objectPath })
  const { id } = await maker.ask<{ id: string }>(first, createProject, { body })
  return { id, objectPath }
}

/** The same straight to the bucket, as browsers do. */
async function addModelDirectly(maker: Maker, [first, second]: [string, string], title: string) {
  const photo = await aGrainyPhoto()
  const announced = { bytes: photo.length, contentType: 'image/jpeg' }
  const { uploadURL } = await maker.ask<{ uploadURL: string }>(first, requestUpload, { body: announced })
  expect(new URL(uploadURL).origin).not.toBe(new URL(first).origin)
  await maker.put(uploadURL, photo)
  const { objectPath } = await maker.ask<{ objectPath: string }>(second, finalizeUpload, { body: { imageURL: uploadURL } })
  const { id } = await maker.ask<{ id: string }>(second, createProject, { body: aProject({ title, imageUrl: objectPath }) })
  return { id, objectPath }
}

test('three processes that begin at once on an empty database are one site, though one is killed now and then and PostgreSQL restarts', {
  timeout: 120_000 + kills * 30_000,
}, async () => {
  const cluster = await startPostgres()
  onTestFinished(() => cluster.stop())
  const settings = await settingsOf(cluster.urlOf('postgres'))
  const sites = await Promise.all([1, 2, 3].map(() => startSite(settings)))
  const upstreams = sites.map(({ url }) => url)
  const [a = '', b = '', c = ''] = upstreams

  // There is one account, and it is known everywhere.
  const maker = await signedIn(a)
  await maker.ask(a, setSiteOpened, { body: { opened: true } })
  expect(await maker.ask<unknown[]>(b, listAdmins)).toHaveLength(1)
  expect(await maker.ask(c, checkSession)).toMatchObject({ authenticated: true })

  const tug = await addModel(maker, [a, b, c], 'Tug')
  const galleon = await addModelDirectly(maker, [b, c], 'Galleon')
  for (const url of upstreams) {
    await expect.poll(() => pageAt(url), polling).toContain('Galleon')
    for (const { objectPath } of [tug, galleon]) {
      expect((await fetch(new URL(variantAddress(objectPath, 480, 'webp'), url))).status).toBe(200)
    }
  }
  const { revision } = await maker.ask<SiteContent>(a, readSiteContent)
  const changes = { 'maker.brand': 'Taller Ana' }
  const drafted = await maker.ask<SiteContent>(b, changeSiteDraft, { body: { revision, changes } })
  await maker.ask(c, publishSite, { body: { revision: drafted.revision } })
  for (const url of upstreams) await expect.poll(() => pageAt(url), polling).toContain('Taller Ana')
  // One worker at a time in all of them: the others are told to wait, or come after it.
  const exported = await Promise.all(upstreams.map(async (url) => (await maker.call(url, exportData)).status))
  expect(exported).toContain(200)
  expect(exported.filter((status) => status !== 200 && status !== 409)).toEqual([])

  const { filename } = await maker.ask<{ filename: string }>(a, createCompleteBackup)
  expect((await maker.ask<{ backups: string[] }>(b, listBackups)).backups).toContain(filename)
  const archive = Buffer.from(await (await maker.call(c, downloadBackup, { params: { filename } })).arrayBuffer())

  const balancer = await startRoundRobin(upstreams)
  onTestFinished(() => balancer.stop())
  let databaseAway = false
  const visitors = startVisitors(balancer.url, () => databaseAway)
  onTestFinished(() => visitors.stop())
  const killed: string[] = []

  async function replace(victim: BuiltSite) {
    killed.push(victim.url)
    await victim.kill()
    const next = await startSite(settings)
    sites[sites.indexOf(victim)] = next
    upstreams[upstreams.indexOf(victim.url)] = next.url
  }
  const seed = newSeed()
  const random = seededRandom(seed)
  const first = Math.floor(random() * 2)
  const someone = () => sites[Math.floor(random() * sites.length)] as BuiltSite

  // Each round one process restores what was deleted while another one is killed, or the same one.
  for (let round = 0; round < kills; round += 1) {
    const [restorer, another] = sites as [BuiltSite, BuiltSite]
    const victim = (first + round) % 2 === 0 ? another : restorer
    const { url } = restorer
    await maker.ask(someone().url, deleteProject, { params: { id: tug.id } })
    const restoring = maker.restore(url, archive).then(
      ({ status }) => status,
      () => undefined,
    )
    await scheduler.wait(random() * 1_000)
    await replace(victim)
    const status = await restoring
    // One that was killed in the middle has not answered; another does it then.
    if (victim === restorer && status !== 200) {
      await expect.poll(async () => (await maker.restore(someone().url, archive)).status, polling).toBe(200)
    } else expect(status, `TEST_SEED=${seed}, round ${round}`).toBe(200)
    for (const site of sites) await expect.poll(() => titlesAt(site.url), polling).toEqual(['Galleon', 'Tug'])
  }

  for (const { url } of sites) await expect.poll(() => pageAt(url), polling).toContain('Tug')
  const before = visitors.counts()
  databaseAway = true
  await cluster.restart(async () => {
    const refused = await maker.call(someone().url, listContacts)
    expect(refused.status).toBe(503)
    expect(await refused.json()).toMatchObject({ code: 'unavailable', message: expect.stringMatching(/try again/) })
    expect((await fetch(new URL(checkReadiness.path, someone().url))).status).toBe(503)
    // The page is still in the cache, and served from there.
    for (const { url } of sites) expect((await fetch(url)).status).toBe(200)
  })
  for (const { url } of sites) {
    await expect.poll(async () => (await fetch(new URL(checkReadiness.path, url))).status, polling).toBe(200)
  }
  databaseAway = false
  await expect.poll(() => visitors.counts().written, polling).toBeGreaterThan(before.written + 5)
  await addModel(maker, [someone().url, someone().url, someone().url], 'After the restart')
  for (const { url } of sites) await expect.poll(() => pageAt(url), polling).toContain('After the restart')

  await visitors.stop()
  const { failed, read } = visitors.counts()
  expect(read).toBeGreaterThan(50)
  expect(visitors.wrong).toEqual([])
  // Only requests under way in a process that was killed have failed.
  expect(balancer.failures.filter((upstream) => !killed.includes(upstream))).toEqual([])
  expect(failed).toBeLessThanOrEqual(balancer.failures.length)

  const stored = new Set((await maker.ask<{ name: string }[]>(balancer.url, listContacts)).map(({ name }) => name))
  expect(visitors.acknowledged.length).toBeGreaterThan(10)
  expect(visitors.acknowledged.filter((name) => !stored.has(name))).toEqual([])
  expect(await titlesAt(balancer.url)).toEqual(['After the restart', 'Galleon', 'Tug'])
  for (const { objectPath } of [tug, galleon]) {
    expect((await fetch(new URL(objectPath, balancer.url))).status).toBe(200)
  }
  for (const { output } of sites) expect(output.stderr).toBe('')
})
