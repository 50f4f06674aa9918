import { rm } from 'node:fs/promises'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { checkSession, signOut } from '#contract/accounts.ts'
import { listContacts } from '#contract/contacts.admin.ts'
import { sendContact } from '#contract/contacts.ts'
import { categories } from '#contract/first-visit.ts'
import { checkHealth, checkReadiness } from '#contract/health.ts'
import { describeApi, homePage, robots } from '#contract/pages.ts'
import { createProject } from '#contract/projects.admin.ts'
import { listProjects } from '#contract/projects.ts'
import { aContact, aProject } from '#tests/factories.ts'
import { openTestApp } from '#tests/test-app.ts'
import { databases } from '#tests/test-database.ts'

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

const tooLong = 'a'.repeat(101)

describe('a call to nowhere', () => {
  test('answers 404 as a sentence', async () => {
    const { app } = await openTestApp('sqlite')
    for (const url of [
      '/api/nothing',
      '/api/',
      '/api/admin',
      '/api/projects/1/photos',
      '/api/admin/projects/',
      '/api/%zz',
      '/objects/%zz',
      `/objects/${tooLong}`,
    ]) {
      const response = await app.inject({ url, headers: { accept: 'text/html' } })
      expect(response.statusCode, url).toBe(404)
      expect(response.json()).toEqual({ message: 'There is nothing at this address.', code: 'not_found' })
      expect(response.headers['cache-control']).toBe('no-store')
    }
  })

  test('asks for a session first where others do', async () => {
    const site = await openTestApp('sqlite')
    const { cookie } = await site.signedIn()
    const code = async (method: 'DELETE' | 'GET', url: string, headers = {}) =>
      (await site.app.inject({ method, url, headers })).json().code
    for (const part of ['1', tooLong, '%zz']) {
      expect(await code('DELETE', `/api/contacts/${part}`)).toBe('sign_in_required')
      expect(await code('DELETE', `/api/contacts/${part}`, { cookie })).toBe('not_found')
      expect(await code('GET', `/api/admin/backup/download/${part}`)).toBe('sign_in_required')
      expect(await code('GET', `/api/admin/backup/download/${part}`, { cookie })).toMatch(/not_found$/)
    }
  })

  test('with a method that is not served there answers 405 and the ones that do', async () => {
    const { app } = await openTestApp('sqlite')
    const allowed = async (method: 'DELETE' | 'PATCH' | 'POST', url: string) => {
      const response = await app.inject({ method, url })
      expect(response.statusCode).toBe(405)
      expect(response.json()).toEqual({
        message: 'This address does not accept that kind of request.',
        code: 'method_not_allowed',
      })
      return String(response.headers.allow).split(', ').toSorted()
    }
    expect(await allowed('DELETE', listProjects.path)).toEqual(['GET', 'HEAD'])
    expect(await allowed('PATCH', '/api/admin/projects/1')).toEqual(['DELETE', 'PUT'])
    expect(await allowed('POST', '/api/openapi.json?x=1')).toEqual(['GET', 'HEAD'])
    expect(await allowed('POST', robots.path)).toEqual(['GET', 'HEAD'])
  })

  test('a dot in an address stands for itself', async () => {
    const { app } = await openTestApp('sqlite')
    expect((await app.inject({ method: 'POST', url: '/api/openapi-json' })).statusCode).toBe(404)
  })
})

describe('a body that cannot be taken', () => {
  const json = { 'content-type': 'application/json' }

  test('broken JSON is 400 with a sentence', async () => {
    const site = await openTestApp('sqlite', { config: { rateLimits: false } })
    for (const payload of ['{"name": ', 'not json', '']) {
      const response = await site.app.inject({ method: 'POST', url: sendContact.path, headers: json, payload })
      expect(response.statusCode, payload).toBe(400)
      expect(response.json()).toEqual({
        message: 'That could not be read as JSON. Nothing was changed.',
        code: 'invalid_input',
        details: { reason: 'not_json' },
      })
    }
  })

  test('JSON that is no object is 400', async () => {
    const site = await openTestApp('sqlite', { config: { rateLimits: false } })
    for (const payload of ['null', '[]', '"text"', '7']) {
      const response = await site.app.inject({ method: 'POST', url: sendContact.path, headers: json, payload })
      expect(response.statusCode, payload).toBe(400)
      expect(response.json()).toMatchObject({ code: 'invalid_input', message: expect.stringMatching(/\w/) })
    }
  })

  test('a body that is too large is 413', async () => {
    const site = await openTestApp('sqlite')
    const response = await site.call(sendContact, { body: aContact({ message: 'x'.repeat(300_000) }) })
    expect(response.statusCode).toBe(413)
    expect(response.json()).toEqual({ message: 'That is too much to send at once.', code: 'body_too_large' })
  })

  test('a body that is not JSON is 415', async () => {
    const site = await openTestApp('sqlite', { config: { rateLimits: false } })
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x']) {
      const headers = { 'content-type': type }
      const response = await site.app.inject({ method: 'POST', url: sendContact.path, headers, payload: 'name=Ana' })
      expect(response.statusCode, type).toBe(415)
      expect(response.json()).toEqual({ message: 'This address accepts only JSON.', code: 'unsupported_media_type' })
    }
  })

  test('a body meant to poison objects is refused', async () => {
    const site = await openTestApp('sqlite')
    const payload = '{"__proto__": {"isAdmin": true}, "name": "x"}'
    const response = await site.app.inject({ method: 'POST', url: sendContact.path, headers: json, payload })
    expect(response.statusCode).toBe(400)
  })
})

describe('every answer', () => {
  test('protects the visitor', async () => {
    const { app } = await openTestApp('sqlite')
    for (const url of [homePage.path, listProjects.path, '/api/nothing', '/nowhere', '/%zz', `/objects/${tooLong}`]) {
      const { headers } = await app.inject({ url })
      expect(headers['x-request-id']).toMatch(uuid)
      const policy = Object.fromEntries(
        String(headers['content-security-policy'])
          .split(';')
          .map((directive) => directive.trim().split(' '))
          .map(([name, ...sources]) => [name, sources]),
      )
      expect(policy, url).toMatchObject({
        'script-src': ["'self'", expect.stringMatching(/^'sha256-.{43}='$/)],
        'default-src': ["'self'"],
        'object-src': ["'none'"],
        'base-uri': ["'none'"],
        'frame-ancestors': ["'none'"],
      })
      expect(headers['x-content-type-options']).toBe('nosniff')
      expect(headers['referrer-policy']).toBe('strict-origin-when-cross-origin')
      expect(headers).not.toHaveProperty('x-powered-by')
    }
  })

  test('on a page takes no permission it does not use', async () => {
    const { app } = await openTestApp('sqlite')
    for (const url of [homePage.path, '/nowhere', '/admin/login']) {
      const { headers } = await app.inject({ url })
      const denied = String(headers['permissions-policy']).split(', ')
      expect(denied).toEqual(expect.arrayContaining(['camera=()', 'microphone=()', 'geolocation=()', 'payment=()', 'usb=()']))
    }
  })

  test('of a call is for our own pages only, and a photo is for all', async () => {
    const { app } = await openTestApp('sqlite')
    const policyAt = async (url: string) => (await app.inject({ url })).headers['cross-origin-resource-policy']
    expect(await policyAt(listProjects.path)).toBe('same-origin')
    expect(await policyAt('/api/nothing')).toBe('same-origin')
    expect(await policyAt(`/objects/${'0'.repeat(64)}`)).toBe('cross-origin')
  })

  test('to signing out takes from the browser what it has kept of the pages', async () => {
    const site = await openTestApp('sqlite')
    expect((await site.call(signOut, { as: await site.signedIn() })).headers['clear-site-data']).toBe('"cache"')
  })

  test('carries an id of its own, and never one a stranger made up', async () => {
    const { app } = await openTestApp('sqlite')
    const headers = { 'x-request-id': 'made-up' }
    const ids = [await app.inject({ url: '/', headers }), await app.inject({ url: '/api/nothing', headers })].map(
      (response) => response.headers['x-request-id'],
    )
    expect(ids).toEqual([expect.stringMatching(uuid), expect.stringMatching(uuid)])
    expect(ids[0]).not.toBe(ids[1])
  })

  test('carries the id a trusted proxy gave it, when it is one', async () => {
    const { app } = await openTestApp('sqlite', { config: { trustProxy: 1 } })
    const idFor = async (given: string) =>
      (await app.inject({ url: '/', headers: { 'x-request-id': given } })).headers['x-request-id']
    expect(await idFor('edge-42')).toBe('edge-42')
    expect(await idFor('two words')).toMatch(uuid)
  })
})

describe('when something breaks', () => {
  test('the visitor gets a sentence without the cause, and the log gets the cause with the request’s id', async () => {
    const site = await openTestApp('sqlite')
    await site.db.schema.alterTable('contactMessages').renameTo('gone').execute()
    const response = await site.call(sendContact, { body: aContact() })
    expect(response.statusCode).toBe(500)
    expect(response.json()).toEqual({
      message: 'Something went wrong on our side. Nothing was changed.',
      code: 'unexpected',
    })
    expect(site.takeLoggedProblems()).toMatchObject([
      { reqId: response.headers['x-request-id'], err: { message: expect.stringContaining('contact_messages') } },
    ])
  })

  test('how the backups are is told only to who is signed in', async () => {
    const site = await openTestApp('sqlite')
    const as = await site.signedIn()
    const backups = { safeAsOf: null, shortfalls: expect.arrayContaining(['nothing_yet']) }
    expect((await site.call(checkHealth, { as })).json()).toEqual({ status: 'ok', backups })
    expect((await site.call(checkHealth)).json()).toEqual({ status: 'ok' })
  })

  test('health and readiness are 503 when nothing can be stored', async () => {
    const site = await openTestApp('sqlite')
    await rm(path.join(site.dataDir, 'files'), { recursive: true })
    for (const endpoint of [checkHealth, checkReadiness]) {
      expect((await site.call(endpoint)).statusCode).toBe(503)
      expect(site.takeLoggedProblems()).toMatchObject([{ err: { message: expect.stringContaining('ENOENT') } }])
    }
  })
})

describe.each(databases)('when something breaks on %s', (dialect) => {
  test('health and readiness are 200 while all is well, and 503 when the database is gone', async () => {
    const site = await openTestApp(dialect)
    const both = () => Promise.all([site.call(checkHealth), site.call(checkReadiness)])
    for (const response of await both()) {
      expect([response.statusCode, response.json()]).toEqual([200, { status: 'ok' }])
      expect(response.headers['cache-control']).toBe('no-store')
    }
    await site.database.close()
    for (const response of await both()) {
      expect(response.statusCode).toBe(503)
      expect(response.json()).toEqual({
        message: 'The site cannot answer right now. Please try again in a moment.',
        code: 'unavailable',
      })
      expect(Number(response.headers['retry-after'])).toBeGreaterThan(0)
    }
    expect(site.takeLoggedProblems()).toHaveLength(2)
  })
})

describe('a site that is about to be stopped', () => {
  test('sends load balancers away first, and serves everybody who comes all the same', async () => {
    const site = await openTestApp('sqlite')
    site.app.startDraining()
    const response = await site.call(checkReadiness)
    expect(response.statusCode).toBe(503)
    expect(response.json()).toMatchObject({ code: 'unavailable' })
    expect((await site.call(checkHealth)).statusCode).toBe(200)
    await site.ask(sendContact, { body: aContact() })
  })
})

describe('a request from another website', () => {
  const host = 'models.example'

  test('changes nothing', async () => {
    const site = await openTestApp('sqlite')
    const maker = await site.signedIn()
    for (const foreign of [
      { origin: 'https://evil.example' },
      { origin: 'https://models.example.evil.example' },
      { origin: 'null' },
      { origin: 'https://models.example:8443' },
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
      { origin: `https://${host}`, 'sec-fetch-site': 'cross-site' },
    ]) {
      const headers = { host, ...foreign }
      const response = await site.call(createProject, { as: maker, body: aProject(), headers })
      expect(response.statusCode, JSON.stringify(foreign)).toBe(403)
      expect(response.json()).toEqual({
        message: 'This request came from another website and was refused.',
        code: 'foreign_origin',
      })
      expect((await site.call(sendContact, { body: aContact(), headers })).statusCode).toBe(403)
      expect((await site.call(signOut, { as: maker, headers })).statusCode).toBe(403)
    }
    expect(await site.ask(listProjects)).toEqual([])
    expect(await site.ask(listContacts, { as: maker })).toEqual([])
  })

  test('is told from our own, which pass', async () => {
    const site = await openTestApp('sqlite')
    for (const own of [
      {},
      { origin: `http://${host}` },
      { origin: `https://${host}`, 'sec-fetch-site': 'same-origin' },
      { 'sec-fetch-site': 'none' },
    ]) {
      await site.ask(sendContact, { body: aContact(), headers: { host, ...own } })
    }
  })

  test('is told from our own by the public address too, whatever host the proxy passes on', async () => {
    const site = await openTestApp('sqlite', { config: { publicUrl: 'https://models.example' } })
    const headers = { host: '127.0.0.1:3000', origin: 'https://models.example' }
    await site.ask(sendContact, { body: aContact(), headers })
  })

  const origins = [
    ['http', 'http://models.example', undefined, true],
    ['http', 'https://models.example', undefined, true],
    ['https', 'https://models.example', undefined, true],
    ['https', 'http://models.example', undefined, false],
    ['http', 'http://models.example', 'https://models.example', false],
    ['http', 'https://models.example', 'https://models.example', true],
    ['http', 'https://models.example', 'http://models.example', true],
    ['http', 'ftp://models.example', undefined, false],
    ['http', 'https://models.example/', undefined, false],
    ['http', 'https://ana@models.example', undefined, false],
  ] as const

  test('is told from our own by the scheme of the call and by PUBLIC_URL', async () => {
    for (const [proto, origin, publicUrl, isOurs] of origins) {
      const site = await openTestApp('sqlite', { config: { trustProxy: 1, publicUrl } })
      const headers = { host, origin, 'x-forwarded-proto': proto }
      const { statusCode } = await site.call(sendContact, { body: aContact(), headers })
      expect(statusCode, [proto, origin, publicUrl].join(' ')).toBe(isOurs ? 200 : 403)
    }
  })

  test('may read what everybody may read', async () => {
    const site = await openTestApp('sqlite')
    const headers = { host, origin: 'https://elsewhere.example', 'sec-fetch-site': 'cross-site' }
    await site.ask(listProjects, { headers })
    await site.ask(checkSession, { headers })
  })
})

type Operation = Partial<Record<'security' | 'summary' | 'parameters' | 'requestBody' | 'responses', unknown>>
type Description = {
  openapi: string
  paths: Record<string, Record<string, Operation>>
  components: { responses: Record<string, unknown> }
}

describe('the description of the API', () => {
  test('lists every call and who may make it', async () => {
    const site = await openTestApp('sqlite')
    const response = await site.call(describeApi)
    expect(response.headers['content-type']).toBe('application/json; charset=utf-8')
    const { openapi, paths } = response.json<Description>()
    expect(openapi).toMatch(/^3\.1/)
    const described = Object.entries(paths).flatMap(([url, calls]) => Object.keys(calls).map((method) => `${method} ${url}`))
    const served = site.app.registeredRoutes
      .filter(({ method, url }) => url.startsWith('/api/') && method !== 'HEAD')
      .map(({ method, url }) => `${method.toLowerCase()} ${url.replace(/:(\w+)/g, '{$1}')}`)
    expect(served.length).toBeGreaterThan(10)
    expect(described).toEqual(expect.arrayContaining(served))
    expect(paths['/api/admin/projects']?.post?.security).toEqual([{ session: [] }])
    expect(paths['/api/projects']?.get?.security).toBeUndefined()
    expect(Object.keys(paths['/api/projects']?.get?.responses ?? {})).toContain('200')
  })

  test('tells what a call takes: in its address, behind it, and in its body', async () => {
    const site = await openTestApp('sqlite')
    const { paths, components } = (await site.call(describeApi)).json<Description>()
    expect(paths['/api/contacts/{id}']?.delete?.parameters).toEqual([
      { name: 'id', in: 'path', required: true, schema: expect.objectContaining({ format: 'uuid' }) },
    ])
    expect(paths['/api/projects']?.get?.parameters).toContainEqual({
      name: 'category',
      in: 'query',
      required: false,
      schema: expect.objectContaining({ enum: [...categories] }),
    })
    const contact = paths['/api/contact']?.post?.requestBody
    expect(contact).toMatchObject({
      required: true,
      content: { 'application/json': { schema: { required: ['name', 'email', 'message'], additionalProperties: false } } },
    })
    expect(paths['/api/objects/upload']?.post?.requestBody).toMatchObject({ required: false })
    expect(paths['/api/contact']?.post?.responses).toMatchObject({ default: { $ref: '#/components/responses/Problem' } })
    expect(components.responses.Problem).toMatchObject({
      content: { 'application/json': { schema: { required: ['message', 'code'] } } },
    })
  })
})
