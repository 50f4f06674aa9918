import { createHash } from 'node:crypto'
import { expect } from 'vitest'
import { variantAddress } from '#contract/first-visit.ts'
import { listProjects } from '#contract/projects.ts'
import { inPageScript } from '#server/features/pages/renderer.ts'

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
    'screen-wake-lock=(), serial=(), usb=(), xr-spatial-tracking=()',
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
  etag: expect.stringMatching(/^"[\w-]+\.js(\.br)?"$/),
  vary: 'Accept-Encoding',
  'x-content-type-options': 'nosniff',
  'x-request-id': onEveryAnswer['x-request-id'],
}

export const br = { 'accept-encoding': 'gzip, br' }
const gzip = { 'accept-encoding': 'gzip' }

type Kind = [kind: string, address: string, sent: Record<string, string>, status: number, headers: object]

const photoKinds = (photo: string): Kind[] => [
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
]

/** All that comes with an answer but its body. */
export async function askFor(url: string, address: string, { method = 'GET', ...headers }: Record<string, string> = {}) {
  const given = { 'accept-encoding': 'identity', ...headers }
  const response = await fetch(new URL(address, url), { method, headers: given, redirect: 'manual' })
  await response.arrayBuffer()
  // Those of node:http itself.
  const { connection: _connection, 'keep-alive': _keepAlive, date: _date, ...ours } = Object.fromEntries(response.headers)
  return { status: response.status, headers: ours as Record<string, string> }
}

/** Every kind of answer carries its headers and no others, made for the caller or lying ready. */
export async function checkHeaders(url: string, { script, photo }: { script: string; photo?: string }) {
  const ask = (address: string, sent?: Record<string, string>) => askFor(url, address, sent)
  const compressed = { ...html, ...shared, ...forPages, ...length }
  const kinds: Kind[] = [
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
    ['an address that cannot be decoded', '/%', br, 404, { ...onPages, ...compressed, 'content-encoding': 'br' }],
    ['a page to nowhere', '/nowhere', br, 404, { ...onPages, ...compressed, 'content-encoding': 'br' }],
    ['the sign-in page', '/admin/login', br, 200, { ...onPages, ...html, ...length, 'cache-control': 'no-store' }],
    [
      'the panel',
      '/admin',
      br,
      302,
      { ...onPages, 'content-length': '0', 'cache-control': 'no-store', location: '/admin/login' },
    ],
    ...(photo ? photoKinds(photo) : []),
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
    ['a script', script, br, 200, { ...onScripts, 'content-encoding': 'br' }],
    ['a script as it is', script, {}, 200, onScripts],
  ]
  const inPage = await scriptInPage(url)
  for (const [kind, address, sent, status, declared] of kinds) {
    const policy = (declared as Record<string, unknown>)['content-security-policy']
    // The build shortens the script that stands in the page.
    const built = typeof policy === 'string' && { 'content-security-policy': policy.replace(inPageScript, inPage) }
    const headers = { ...declared, ...built }
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
}

async function scriptInPage(url: string) {
  const page = await (await fetch(url)).text()
  const script = /<script>(.*?)<\/script>/s.exec(page)?.[1] ?? ''
  return `'sha256-${createHash('sha256').update(script).digest('base64')}'`
}
