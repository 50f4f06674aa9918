import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import Fastify from 'fastify'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { maker } from '#content/maker.ts'
import { sendContact } from '#contract/contacts.ts'
import { findProject } from '#contract/project-in-list.ts'
import { deleteProject } from '#contract/projects.admin.ts'
import { type Figures, type Period, readStatistics, switchStatistics } from '#contract/statistics.ts'
import { readConfig } from '#server/config.ts'
import type { Database } from '#server/database/open.ts'
import { aContact, aStoredProject, storeProject } from '#tests/factories.ts'
import { openTestApp, type SomeoneSignedIn, type TestApp } from '#tests/test-app.ts'
import { testClock } from '#tests/test-clock.ts'
import { databases, emptyDatabase, migratedDatabase, openTestDatabase } from '#tests/test-database.ts'
import { testLog } from '#tests/test-log.ts'
import { addSums, listSums, restoreSums, sweepStatistics } from './statistics.queries.ts'
import { addTo, type Counted } from './statistics.rules.ts'
import { openVisits } from './visits.ts'

const agents = {
  phone: 'Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 Version/17.5 Mobile/15E148 Safari/604.1',
  tablet: 'Mozilla/5.0 (Android 13; Tablet; rv:127.0) Gecko/127.0 Firefox/127.0',
  desktop: 'Mozilla/5.0 (X11; Linux x86_64; rv:127.0) Gecko/20100101 Firefox/127.0',
  robot: 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)',
} as const

type Headers = Record<string, string>

/** What a process counts, without the site around it. */
async function openCounting({ database, clock = testClock(), env = {} }: Partial<Counting> = {}) {
  const app = Fastify()
  onTestFinished(() => app.close())
  const opened = database ?? (await openTestDatabase('sqlite'))
  const config = readConfig({ PUBLIC_URL: 'https://taller.example', ...env })
  const visits = openVisits(app, { config, database: opened, clock, log: testLog().log })
  const request = (address: string, headers: Headers) =>
    ({ method: 'GET', headers: { 'user-agent': agents.desktop, ...headers }, socket: { remoteAddress: address } }) as never
  return { visits, request, clock, app, database: opened, sums: () => sumsIn(opened) }
}

type Counting = { database: Database; clock: ReturnType<typeof testClock>; env: Record<string, string> }

/** `2026-05-01 device phone`: how many. */
async function sumsIn({ db }: Database) {
  return Object.fromEntries((await listSums(db)).map(({ day, kind, name, count }) => [`${day} ${kind} ${name}`.trim(), count]))
}

function aDay(sums: [kind: Parameters<typeof addTo>[1], name: string, count: number][]) {
  const counted: Counted = new Map()
  for (const [kind, name, count] of sums) addTo(counted, kind, name, count)
  return counted
}

const read = (site: TestApp, as: SomeoneSignedIn, period: Period = 'days'): Promise<Figures> =>
  site.ask(readStatistics, { as, query: { period } })

describe.each(databases)('the sums on %s', (dialect) => {
  test('of several processes add up, stay within the limits of a day, and are not doubled by a restore', async () => {
    const place = await (dialect === 'sqlite' ? migratedDatabase(dialect) : emptyDatabase(dialect))
    const [first, second] = [await openTestDatabase(dialect, { place }), await openTestDatabase(dialect, { place })]
    const one = aDay([
      ['visits', '', 3],
      ['host', 'a.example', 2],
    ])
    const other = aDay([
      ['visits', '', 4],
      ['looks', 'x', 1],
    ])
    await addSums(first, new Map([['2026-05-01', one]]))
    await Promise.all(
      [first, second].map((database) =>
        addSums(
          database,
          new Map([
            ['2026-05-01', other],
            ['2026-05-02', one],
          ]),
        ),
      ),
    )
    const sums = {
      '2026-05-01 host a.example': 2,
      '2026-05-01 looks x': 2,
      '2026-05-01 visits': 11,
      '2026-05-02 host a.example': 4,
      '2026-05-02 visits': 6,
    }
    expect(await sumsIn(first)).toEqual(sums)

    const flood = Array.from({ length: 30 }, (_, index) => ['host', `${index}.example`, 1] as ['host', string, number])
    for (const database of [first, second]) await addSums(database, new Map([['2026-05-01', aDay(flood)]]))
    const hosts = (await listSums(first.db)).filter(({ day, kind }) => day === '2026-05-01' && kind === 'host')
    expect(hosts).toHaveLength(31)
    expect(hosts.find(({ name }) => name === '')?.count).toBe(2)

    const kept = await listSums(first.db)
    await restoreSums(first.db, kept)
    await restoreSums(first.db, kept)
    expect(await listSums(first.db)).toEqual(kept)
    await restoreSums(first.db, [
      { day: '2026-05-01', kind: 'visits', name: '', count: 5 },
      { day: '2026-05-02', kind: 'visits', name: '', count: 7 },
      { day: '2025-05-02', kind: 'looks', name: 'x', count: 1 },
    ])
    expect(await sumsIn(first)).toMatchObject({ '2026-05-01 visits': 11, '2026-05-02 visits': 7, '2025-05-02 looks x': 1 })
  })

  test('are kept for 400 days', async () => {
    const database = await openTestDatabase(dialect)
    const clock = testClock()
    await addSums(database, new Map([['2026-05-01', aDay([['visits', '', 1]])]]))
    clock.pass({ days: 400 })
    await sweepStatistics(database.db, clock, maker.timeZone)
    expect(await listSums(database.db)).toHaveLength(1)
    clock.pass({ days: 1 })
    await sweepStatistics(database.db, clock, maker.timeZone)
    expect(await listSums(database.db)).toEqual([])
  })
})

test('ten thousand visits with repeats, robots and those who ask not to be counted are counted exactly', async () => {
  const { visits, request, sums } = await openCounting({ env: { TRUST_PROXY: '1' } })
  const pages = { en: visits.ofPage('en', undefined), es: visits.ofPage('es', 'aurora') }
  const hosts = ['instagram.com', 'foro.example.com', 'www.google.com']
  const expected: Record<string, number> = {}
  const expectOne = (key: string) => {
    expected[`2026-05-01 ${key}`.trim()] = (expected[`2026-05-01 ${key}`.trim()] ?? 0) + 1
  }
  for (let visitor = 0; visitor < 10_000; visitor += 1) {
    const device = (['phone', 'phone', 'desktop', 'tablet', 'robot'] as const)[visitor % 5] ?? 'phone'
    const language = visitor % 3 === 0 ? 'es' : 'en'
    const host = hosts[visitor % 4]
    const isSilent = visitor % 10 === 1
    const from = request('127.0.0.1', {
      'user-agent': agents[device],
      'x-forwarded-for': `1.2.3.4, 10.1.${visitor >> 8}.${visitor & 255}`,
      ...(host && { referer: `https://${host}/somewhere/${visitor}` }),
      ...(isSilent && { [visitor % 20 === 1 ? 'dnt' : 'sec-gpc']: '1' }),
    })
    const repeats = 1 + (visitor % 3)
    for (let time = 0; time < repeats; time += 1) {
      pages[language](from)
      if (language === 'es' && device !== 'robot' && !isSilent) expectOne('looks aurora')
    }
    if (device === 'robot' || isSilent) continue
    for (const key of ['visits', `device ${device}`, `language ${language}`]) expectOne(key)
    if (host) expectOne(`host ${host.replace('www.', '')}`)
    if (visitor % 1_000 === 0) await visits.write()
  }
  await visits.write()
  expect(expected['2026-05-01 visits']).toBe(7_000)
  expect(await sums()).toEqual(expected)
})

test('a visitor counts once a day, by the maker’s midnight', async () => {
  // Midnight in Querétaro is six in UTC.
  const { visits, request, clock, sums } = await openCounting({ clock: testClock('2026-05-02T05:59:58.000Z') })
  const count = visits.ofPage('en', undefined)
  const visitor = request('10.0.0.1', {})
  count(visitor)
  clock.pass({ seconds: 1 })
  count(visitor)
  clock.pass({ seconds: 1 })
  count(visitor)
  clock.pass({ hours: 23, minutes: 59, seconds: 59 })
  count(visitor)
  // What the day before has not written yet is written as of that day.
  clock.pass({ seconds: 1 })
  count(visitor)
  // Set back by two hours: the day before goes on, and its salt is gone.
  clock.pass({ hours: -2 })
  count(visitor)
  await visits.write()
  const days = Object.entries(await sums()).filter(([key]) => key.endsWith('visits'))
  expect(days).toEqual([
    ['2026-05-01 visits', 1],
    ['2026-05-02 visits', 2],
    ['2026-05-03 visits', 1],
  ])
})

test('a flood of visitors, agents, hosts and headers of any kind is counted up to a limit, and adds few rows', async () => {
  const { visits, request, sums } = await openCounting()
  const count = visits.ofPage('en', undefined)
  const junk = [
    '\0',
    'https://\u{1f6a2}.example/',
    `https://${'x'.repeat(20_000)}.example/`,
    'https://[',
    '%',
    'ftp://a.example',
  ]
  for (let index = 0; index < 100_000; index += 1) {
    const referer = junk[index % 10] ?? `https://site-${index}.example/`
    count(request(`10.0.${index >> 8}.${index & 255}`, { 'user-agent': `${agents.phone} Build/${index}`, referer }))
  }
  await visits.write()
  const rows = Object.entries(await sums())
  expect(rows.length).toBeLessThan(40)
  expect(Object.fromEntries(rows)).toMatchObject({ '2026-05-01 visits': 50_000, '2026-05-01 device phone': 50_000 })
})

test('what cannot be written is kept and written later, once, and what is left is written at the end', async () => {
  let isAway = false
  const opened = await openTestDatabase('sqlite')
  const database: Database = {
    ...opened,
    exclusively: async (...work) => {
      if (isAway) throw new Error('away')
      return opened.exclusively(...work)
    },
  }
  const { visits, request, app, sums } = await openCounting({ database })
  const count = visits.ofPage('es', undefined)
  count(request('10.0.0.1', {}))
  isAway = true
  await visits.write()
  count(request('10.0.0.2', {}))
  await visits.write()
  isAway = false
  await visits.write()
  await visits.write()
  expect(await sums()).toMatchObject({ '2026-05-01 visits': 2, '2026-05-01 language es': 2 })
  count(request('10.0.0.3', {}))
  await app.close()
  expect(await sums()).toMatchObject({ '2026-05-01 visits': 3 })
})

test('sums are written once a minute', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  onTestFinished(() => void vi.useRealTimers())
  const { visits, request, sums } = await openCounting()
  visits.ofPage('en', undefined)(request('10.0.0.1', {}))
  vi.advanceTimersByTime(59_000)
  expect(await sums()).toEqual({})
  vi.advanceTimersByTime(1_000)
  await expect.poll(sums).toMatchObject({ '2026-05-01 visits': 1 })
})

test('pages, models and messages are counted by every way they can be asked for, but not for who is signed in', async () => {
  const site = await openTestApp('sqlite', { config: { rateLimits: false } })
  const maker = await site.signedIn()
  const aurora = aStoredProject({ title: 'Aurora' })
  const tug = aStoredProject({ title: 'Tug' })
  const draft = aStoredProject({ title: 'Hidden', draft: true })
  for (const project of [aurora, tug, draft]) await storeProject(site.db, project)
  await site.app.listen({ port: 0, host: '127.0.0.1' })
  const url = `http://127.0.0.1:${(site.app.server.address() as AddressInfo).port}`
  const visit = async (path: string, headers: Headers = {}, device: keyof typeof agents = 'desktop', method = 'GET') => {
    const options = { headers: { 'user-agent': agents[device], ...headers }, agent: false, method }
    const [response] = (await once(get(`${url}${path}`, options), 'response')) as [IncomingMessage]
    response.resume()
    await once(response, 'end')
    return response
  }
  // The first answers go the whole way, the others come from memory.
  for (const _ of [1, 2, 3]) {
    const { headers } = await visit('/', { referer: 'https://www.instagram.com/' })
    expect((await visit('/', { 'if-none-match': headers.etag ?? '' }, 'phone')).statusCode).toBe(304)
    await visit('/?project=aurora')
    await visit('/?project=aurora&category=ships&shown=48', {}, 'phone')
    await visit(`/?project=${aurora.id}&lang=es`, { cookie: maker.cookie })
    await visit('/', {}, 'robot')
    await visit('/', { dnt: '1' }, 'tablet')
    await visit('/?project=aurora', { 'sec-purpose': 'prefetch' }, 'tablet')
    await visit('/', {}, 'tablet', 'HEAD')
    await visit('/no-such-page', {}, 'tablet')
  }
  expect((await visit('/?project=never-was')).statusCode).toBe(404)
  await visit('/?project=hidden')
  const calling = findProject.path.replace(':id', '')
  await visit(`${calling}tug`)
  await visit(`${calling}${tug.id}`, { referer: `${url}/?project=${tug.id}` }, 'phone')
  await visit(`${calling}tug`, { referer: `${url}/` })
  await visit(`${calling}tug`, {}, 'robot')
  await visit(`${calling}tug`, { cookie: maker.cookie })
  await visit(`${calling}hidden`)
  await visit(`${calling}never-was`)

  const send = (body: object, headers: Headers = {}) =>
    site.ask(sendContact, { body: { ...aContact(), ...body }, headers: { 'user-agent': agents.desktop, ...headers } })
  await send({ message: 'Could you build one like it?', about: 'aurora' })
  await send({ message: 'Could you build one like it?', about: 'aurora' })
  await send({ message: 'And another one?', about: aurora.id })
  await send({ message: 'A tug, please.' })
  await send({ message: 'Not to be counted.', about: 'aurora' }, { dnt: '1' })
  await send({ message: 'Buy https://a.example https://b.example https://c.example https://d.example https://e.example' })

  const figures = await read(site, maker)
  expect(figures).toMatchObject({ counting: true, since: '2026-05-01', visits: 2, before: null })
  expect(figures.devices).toEqual([
    { name: 'phone', visits: 1 },
    { name: 'tablet', visits: 0 },
    { name: 'desktop', visits: 1 },
  ])
  expect(figures.languages).toEqual([{ name: 'en', visits: 2 }])
  expect(figures.hosts).toEqual([{ name: 'instagram.com', visits: 1 }])
  const models = (list: Figures['opened']) => list.map(({ project, looks, messages }) => [project.title, looks, messages])
  expect(models(figures.opened)).toEqual([
    ['Aurora', 6, 2],
    ['Tug', 2, 0],
  ])
  expect(models(figures.asked)).toEqual([['Aurora', 6, 2]])
  expect(figures.week).toMatchObject({ visits: 2, model: { looks: 6, messages: 2 } })
  expect(figures.points.at(-1)).toEqual({ from: '2026-05-01', visits: 2, before: null })
  expect(figures.points.slice(0, -1).every(({ visits }) => visits === null)).toBe(true)
  expect((await read(site, maker, 'months')).points.at(-1)).toEqual({ from: '2026-05-01', visits: 2, before: null })

  // One that is gone is in no list, and does not keep the next one out.
  await site.ask(deleteProject, { as: maker, params: { id: aurora.id } })
  expect(models((await read(site, maker)).opened)).toEqual([['Tug', 2, 0]])
})

test('turned off by an owner, all sums are deleted and nothing is counted, in no process, until it is turned on again', async () => {
  const place = await migratedDatabase('sqlite')
  const site = await openTestApp('sqlite', { place })
  const owner = await site.signedIn()
  const helper = await site.signedIn({ username: 'helper', role: 'helper' })
  const other = await openCounting({ database: await openTestDatabase('sqlite', { place }) })
  const count = other.visits.ofPage('en', randomUUID())
  const visitors = Array.from({ length: 5 }, (_, index) => other.request(`10.0.0.${index}`, {}))
  for (const visitor of visitors) count(visitor)
  await other.visits.write()
  expect((await read(site, helper)).visits).toBe(5)
  expect((await site.call(switchStatistics, { as: helper, body: { counting: false } })).json()).toMatchObject({
    code: 'owner_needed',
  })

  count(other.request('10.0.1.1', {}))
  expect(await site.ask(switchStatistics, { as: owner, body: { counting: false } })).toEqual({ counting: false })
  await other.visits.write()
  count(other.request('10.0.1.2', {}))
  await other.visits.write()
  await restoreSums(site.db, [{ day: '2026-05-01', kind: 'visits', name: '', count: 5 }])
  expect(await other.sums()).toEqual({})
  expect(await read(site, owner)).toMatchObject({ counting: false, since: null, visits: 0, opened: [] })

  await site.ask(switchStatistics, { as: owner, body: { counting: true } })
  await other.visits.write()
  count(other.request('10.0.1.3', {}))
  await other.visits.write()
  expect(await read(site, owner)).toMatchObject({ counting: true, since: '2026-05-01', visits: 1 })
})
