import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { gunzipSync } from 'node:zlib'
import { expect, onTestFinished, test } from 'vitest'
import { languageKey } from '#contract/languages.ts'
import { createProject } from '#contract/projects.admin.ts'
import { listProjects } from '#contract/projects.ts'
import { aProject, aStoredProject, storeProject } from '#tests/factories.ts'
import { openTestApp } from '#tests/test-app.ts'
import { createReadyAnswers } from './published.ts'
import type { Answered } from './request-log.ts'

type Headers = Record<string, string>

async function read(url: string, headers: Headers = {}) {
  const [response] = (await once(get(url, { headers, agent: false }), 'response')) as [IncomingMessage]
  return { status: response.statusCode, headers: response.headers, body: await buffer(response) }
}

/** Ready answers in front of a handler that says what it was asked for. */
async function open({ isOff = false } = {}) {
  const answered: Answered[] = []
  const ready = createReadyAnswers({
    requestId: () => 'the id',
    securityHeaders: (route) => ({ 'x-for': route }),
    isOff: () => isOff,
    follow: () => {},
    onAnswered: (each) => answered.push(each),
  })
  const wholeWay: string[] = []
  const server = ready.serverFactory(
    (request, response) => {
      wholeWay.push(`${request.method} ${request.url}`)
      request.resume()
      response.end('made')
    },
    { keepAliveTimeout: 72_000 },
  )
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const remember = (path: string, headers: Headers, source: Parameters<typeof ready.remember>[1]) =>
    ready.remember({ raw: { url: path, headers }, routeOptions: { url: '/route' } } as never, source)
  return { url, remember, wholeWay, answered, server }
}

const head = { status: 200, headers: { etag: '"1"', 'content-length': '5' } }

test('an address that lies ready is answered without the whole way, with its headers and the id of the request', async () => {
  const { url, remember, wholeWay, answered, server } = await open()
  remember('/', {}, () => ({ head, body: Buffer.from('ready') }))
  const { status, headers, body } = await read(`${url}/`)
  expect([status, String(body)]).toEqual([200, 'ready'])
  expect(headers).toMatchObject({ 'x-for': '/route', etag: '"1"', 'content-length': '5', 'x-request-id': 'the id' })
  expect(wholeWay).toEqual([])
  await expect.poll(() => answered).toEqual([{ method: 'GET', route: '/route', status: 200, seconds: expect.any(Number) }])
  expect(server.keepAliveTimeout).toBe(72_000)
})

test('what is not in memory any more, and every other address, method or language, takes the whole way', async () => {
  const { url, remember, wholeWay } = await open()
  remember('/', {}, () => ({ head, body: Buffer.from('ready') }))
  remember('/gone', {}, () => undefined)
  await read(`${url}/gone`)
  await read(`${url}/?x`)
  await read(`${url}/`, { cookie: `${languageKey}=es` })
  await read(`${url}/`, { 'transfer-encoding': 'chunked' })
  await fetch(`${url}/`, { method: 'HEAD' })
  await fetch(`${url}/`, { method: 'POST', body: 'x' })
  expect(wholeWay).toEqual(['GET /gone', 'GET /?x', 'GET /', 'GET /', 'HEAD /', 'POST /'])
})

test('while it is off everything takes the whole way', async () => {
  const { url, remember, wholeWay } = await open({ isOff: true })
  remember('/', {}, () => ({ head, body: Buffer.from('ready') }))
  expect(String((await read(`${url}/`)).body)).toBe('made')
  expect(wholeWay).toEqual(['GET /'])
})

test('a visitor is never sent what was ready before the maker changed it, in no language and no encoding', async () => {
  const site = await openTestApp('sqlite')
  await site.app.listen({ port: 0, host: '127.0.0.1' })
  const url = `http://127.0.0.1:${(site.app.server.address() as AddressInfo).port}`
  const maker = await site.signedIn()
  const callers: Headers[] = [
    {},
    { 'accept-encoding': 'gzip' },
    { 'accept-encoding': 'gzip', cookie: `${languageKey}=es` },
    { cookie: `${languageKey}=es; other=1` },
  ]
  for (const title of ['Frigate', 'Diver', 'Scout']) {
    await site.ask(createProject, {
      as: maker,
      body: aProject({ title, translations: { es: { title: `${title} en español` } } }),
    })
    for (const address of ['/', listProjects.path]) {
      for (const headers of callers) {
        for (let time = 0; time < 3; time += 1) {
          const answer = await read(url + address, headers)
          const text = String(answer.headers['content-encoding'] ? gunzipSync(answer.body) : answer.body)
          expect(text).toContain(title)
          if (address === '/') expect(text).toContain(`<html lang="${headers.cookie ? 'es' : 'en'}">`)
        }
      }
    }
  }
})

test('a shared link to a model that was deleted opens it again once it has come back', async () => {
  const site = await openTestApp('sqlite')
  await site.app.listen({ port: 0, host: '127.0.0.1' })
  const url = `http://127.0.0.1:${(site.app.server.address() as AddressInfo).port}`
  const maker = await site.signedIn()
  const project = aStoredProject({ title: 'Galleon' })
  const link = `${url}/?project=${project.id}`
  for (const _ of [1, 2]) expect(String((await read(link)).body)).not.toContain('<title>Galleon')
  await storeProject(site.db, project)
  await site.ask(createProject, { as: maker, body: aProject() })
  await read(url)
  expect(String((await read(link)).body)).toContain('<title>Galleon')
})
