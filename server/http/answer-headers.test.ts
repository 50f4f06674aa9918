import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { mkdir, writeFile } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { brotliCompressSync } from 'node:zlib'
import type { FastifyRequest } from 'fastify'
import { expect, onTestFinished, test } from 'vitest'
import { variantAddress } from '#contract/image-addresses.ts'
import { createProject } from '#contract/projects.admin.ts'
import { listProjects } from '#contract/projects.ts'
import { storeImage } from '#server/features/images/store-image.ts'
import { builtAssets } from '#server/features/pages/built-assets.ts'
import { inPageScript } from '#server/features/pages/in-page-script.ts'
import { aProject } from '#tests/factories.ts'
import { aPhoto } from '#tests/photos.ts'
import { temporaryFolder } from '#tests/temporary-folder.ts'
import { openTestApp } from '#tests/test-app.ts'

const onEveryAnswer = {
  'content-security-policy':
    `default-src 'self';script-src 'self' ${inPageScript};style-src 'self' 'unsafe-inline';img-src 'self' https: data: blob:;` +
    "font-src 'self';connect-src 'self';object-src 'none';base-uri 'none';form-action 'self';frame-ancestors 'none'",
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'origin-agent-cluster': '?1',
  'referrer-policy': 'strict-origin-when-cross-origin',
  'x-content-type-options': 'nosniff',
  'x-dns-prefetch-control': 'off',
  'x-download-options': 'noopen',
  'x-frame-options': 'DENY',
  'x-permitted-cross-domain-policies': 'none',
  'x-request-id': expect.stringMatching(/^[\da-f-]{36}$/),
  'x-xss-protection': '0',
}

const onPages = {
  ...onEveryAnswer,
  'cross-origin-resource-policy': 'cross-origin',
  'permissions-policy':
    'accelerometer=(), autoplay=(), camera=(), display-capture=(), encrypted-media=(), fullscreen=(), geolocation=(), ' +
    'gyroscope=(), hid=(), magnetometer=(), microphone=(), midi=(), payment=(), picture-in-picture=(), ' +
    'publickey-credentials-get=(), screen-wake-lock=(), serial=(), usb=(), xr-spatial-tracking=()',
}

const json = { 'content-type': 'application/json; charset=utf-8' }
const html = { 'content-type': 'text/html; charset=utf-8' }
const shared = { 'cache-control': 'public, max-age=0, must-revalidate', etag: expect.stringMatching(/^W\/"[\w-]{27}"$/) }
const length = { 'content-length': expect.stringMatching(/^\d+$/) }
const forPages = { vary: 'Accept-Encoding, Cookie' }
const forCalls = { vary: 'Accept-Encoding' }
const forGood = { 'cache-control': 'public, max-age=31536000, immutable' }
const onPhotos = { ...onPages, ...forGood, etag: expect.stringMatching(/^"[\w.-]+"$/) }

/** A policy for documents is of no use there, and longer than many a script. */
const onScripts = {
  ...forGood,
  ...length,
  'content-type': 'text/javascript; charset=utf-8',
  'cross-origin-resource-policy': 'cross-origin',
  etag: expect.stringMatching(/^"start-C7x_9\.js(\.br)?"$/),
  vary: 'Accept-Encoding',
  'x-content-type-options': 'nosniff',
  'x-request-id': onEveryAnswer['x-request-id'],
}

async function openSite() {
  const folder = await temporaryFolder()
  await mkdir(path.join(folder, 'assets'))
  await writeFile(path.join(folder, 'assets/start-C7x_9.js'), 'let a = 1')
  await writeFile(path.join(folder, 'assets/start-C7x_9.js.br'), brotliCompressSync('let a = 1'))
  const site = await openTestApp('sqlite', { assets: builtAssets(folder) })
  const hash = await storeImage(site, async () => aPhoto())
  site.variants.prepare(hash)
  await site.variants.settled()
  // What the maker does is seen at once, and with it the photo, which else would be noticed in the middle of a test.
  await site.ask(createProject, { as: await site.signedIn(), body: aProject() })
  await site.app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = site.app.server.address() as AddressInfo

  /** All that comes with an answer but its body. */
  async function ask(address: string, { method = 'GET', ...headers }: Record<string, string> = {}) {
    const given = { 'accept-encoding': 'identity', ...headers }
    const response = await fetch(`http://127.0.0.1:${port}${address}`, { method, headers: given, redirect: 'manual' })
    await response.arrayBuffer()
    // Those of node:http itself.
    const { connection: _connection, 'keep-alive': _keepAlive, date: _date, ...ours } = Object.fromEntries(response.headers)
    return { status: response.status, headers: ours as Record<string, string> }
  }
  return { ask, photo: `/objects/${hash}` }
}

/** The addresses that Fastify has been asked for, as Fastify says itself. */
function watchTheWholeWay() {
  const addresses: string[] = []
  const note = (message: unknown) => void addresses.push((message as { request: FastifyRequest }).request.url)
  subscribe('tracing:fastify.request.handler:start', note)
  onTestFinished(() => void unsubscribe('tracing:fastify.request.handler:start', note))
  return addresses
}

const br = { 'accept-encoding': 'gzip, br' }
const gzip = { 'accept-encoding': 'gzip' }

test('every kind of answer carries its headers and no others, made for the caller or lying ready', async () => {
  const { ask, photo } = await openSite()
  const compressed = { ...html, ...shared, ...forPages, ...length }
  const kinds: [kind: string, address: string, sent: Record<string, string>, status: number, headers: object][] = [
    ['the page', '/', br, 200, { ...onPages, ...compressed, 'content-encoding': 'br' }],
    ['the page for an old browser', '/', gzip, 200, { ...onPages, ...compressed, 'content-encoding': 'gzip' }],
    ['the page as it is', '/', {}, 200, { ...onPages, ...compressed }],
    [
      'the page in Spanish',
      '/',
      { ...br, cookie: 'language=es' },
      200,
      { ...onPages, ...compressed, 'content-encoding': 'br' },
    ],
    ['the page and no body', '/', { ...br, method: 'HEAD' }, 200, { ...onPages, ...compressed, 'content-encoding': 'br' }],
    [
      'the models',
      listProjects.path,
      br,
      200,
      { ...onEveryAnswer, ...json, ...shared, ...forCalls, ...length, 'content-encoding': 'br' },
    ],
    [
      'a refused call',
      `${listProjects.path}?category=x`,
      br,
      400,
      { ...onEveryAnswer, ...json, ...length, 'cache-control': 'no-store' },
    ],
    [
      'a call that needs a session',
      '/api/contacts',
      br,
      401,
      { ...onEveryAnswer, ...json, ...length, 'cache-control': 'no-store' },
    ],
    ['a call to nowhere', '/api/nothing', br, 404, { ...onEveryAnswer, ...json, ...length, 'cache-control': 'no-store' }],
    [
      'a call by another method',
      '/api/projects',
      { method: 'DELETE' },
      405,
      { ...onEveryAnswer, ...json, ...length, 'cache-control': 'no-store', allow: expect.any(String) },
    ],
    ['a page to nowhere', '/nowhere', br, 404, { ...onPages, ...compressed, 'content-encoding': 'br' }],
    ['the sign-in page', '/admin/login', br, 200, { ...onPages, ...html, ...length, 'cache-control': 'no-store' }],
    [
      'the panel',
      '/admin',
      br,
      302,
      { ...onPages, 'content-length': '0', 'cache-control': 'no-store', location: '/admin/login' },
    ],
    [
      'a photo',
      photo,
      {},
      200,
      { ...onPhotos, ...length, 'content-type': 'image/jpeg', 'content-security-policy': "default-src 'none'; sandbox" },
    ],
    [
      'a copy of a photo',
      variantAddress(photo, 480, 'avif'),
      {},
      200,
      { ...onPhotos, ...length, 'content-type': 'image/avif', 'content-security-policy': "default-src 'none'; sandbox" },
    ],
    [
      'robots.txt',
      '/robots.txt',
      br,
      200,
      { ...onPages, ...shared, ...forCalls, ...length, 'content-type': 'text/plain; charset=utf-8', 'content-encoding': 'br' },
    ],
    [
      'the sitemap',
      '/sitemap.xml',
      br,
      200,
      {
        ...onPages,
        ...shared,
        ...forCalls,
        ...length,
        'content-type': 'application/xml; charset=utf-8',
        'content-encoding': 'br',
      },
    ],
    [
      'security.txt',
      '/.well-known/security.txt',
      br,
      200,
      { ...onPages, ...length, 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'public, max-age=3600' },
    ],
    ['the state of health', '/healthz', br, 200, { ...onPages, ...json, ...length, 'cache-control': 'no-store' }],
    ['a script that is not there', '/assets/nope', br, 404, { ...onPages, ...compressed, 'content-encoding': 'br' }],
    ['a script', '/assets/start-C7x_9.js', br, 200, { ...onScripts, 'content-encoding': 'br' }],
    ['a script as it is', '/assets/start-C7x_9.js', {}, 200, onScripts],
  ]
  for (const [kind, address, sent, status, headers] of kinds) {
    for (const time of ['first', 'second']) {
      const answer = await ask(address, sent)
      expect(answer, `${kind}, the ${time} time`).toEqual({ status, headers })
      const { etag } = answer.headers
      if (!etag || sent.method) continue
      const again = await ask(address, { ...sent, 'if-none-match': `"other", ${etag}` })
      const {
        'content-length': _length,
        'content-type': _type,
        'content-encoding': _encoding,
        ...kept
      } = headers as Record<string, unknown>
      expect(again, `${kind}, unchanged, the ${time} time`).toEqual({ status: 304, headers: kept })
    }
  }
})

test('pages, lists, small photos and scripts are answered from memory from the second time on, with the same headers however they are spelt', async () => {
  const { ask, photo } = await openSite()
  const wholeWay = watchTheWholeWay()
  const ready = [
    '/',
    listProjects.path,
    '/robots.txt',
    '/sitemap.xml',
    '/assets/start-C7x_9.js',
    variantAddress(photo, 480, 'avif'),
  ]
  for (const address of ready) {
    const first = await ask(address, br)
    const { 'x-request-id': _id, ...headers } = first.headers
    // The router reads this as the same address.
    const spelt = address.replace(/[a-z]/, (letter) => `%${letter.charCodeAt(0).toString(16)}`)
    for (const other of [spelt, spelt, address]) expect((await ask(other, br)).headers).toMatchObject(headers)
  }
  expect(wholeWay.filter((address) => ready.includes(address))).toEqual(ready)
  // Longer than any that the site writes: not worth its memory.
  const long = `/robots.txt?${'x'.repeat(300)}`
  for (const _ of [1, 2, 3]) await ask(long, br)
  expect(wholeWay.filter((address) => address === long)).toHaveLength(3)
})
