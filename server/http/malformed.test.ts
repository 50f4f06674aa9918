import { mkdir, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { checkHealth } from '#contract/health.ts'
import { builtAssets } from '#server/features/pages/built-assets.ts'
import { seededRandom } from '#tests/random.ts'
import { listenForRaw } from '#tests/raw-request.ts'
import { temporaryFolder } from '#tests/temporary-folder.ts'
import { openTestApp } from '#tests/test-app.ts'

// A 4xx that is logged as an error fails these tests by itself: see tests/test-log.ts.

async function siteWithAssets() {
  const folder = await temporaryFolder()
  await mkdir(path.join(folder, 'assets/inner'), { recursive: true })
  await writeFile(path.join(folder, 'assets/start-C7x_9.js'), 'let a = 1')
  await writeFile(path.join(folder, 'secret.txt'), 'secret')
  return { folder, ...(await openTestApp('sqlite', { assets: builtAssets(folder) })) }
}

async function listening() {
  const site = await openTestApp('sqlite', { config: { rateLimits: false } })
  return { ...site, ...(await listenForRaw(site.app)) }
}

const statusOf = (answer: string) => Number(/^HTTP\/1\.1 (\d{3}) /.exec(answer)?.[1])
const bodyOf = (answer: string) => answer.slice(answer.indexOf('\r\n\r\n') + 4)

describe('a file of the site', () => {
  const address = '/assets/start-C7x_9.js'

  test('is sent whole, as photos are, to who asks oddly', async () => {
    const { app } = await siteWithAssets()
    for (const headers of [
      {},
      { range: 'bytes=4-4' },
      { range: 'bytes=100-' },
      { 'if-match': '"another"' },
      { 'if-unmodified-since': 'Mon, 01 Jan 2001 00:00:00 GMT' },
      { 'if-none-match': ',,"' },
    ]) {
      const response = await app.inject({ url: address, headers })
      expect([response.statusCode, response.body], JSON.stringify(headers)).toEqual([200, 'let a = 1'])
    }
  })

  test('is 404 when it was removed under our feet', async () => {
    const { app, folder } = await siteWithAssets()
    await rm(path.join(folder, address))
    expect((await app.inject({ url: address })).statusCode).toBe(404)
  })

  const unknown = [
    '/assets/',
    '/assets/inner',
    '/assets/inner/',
    '/assets/..%2fsecret.txt',
    '/assets/%2e%2e/secret.txt',
    '/assets/../secret.txt',
    '/assets/..\\secret.txt',
    '/assets/..%5csecret.txt',
    '/assets/.%00./secret.txt',
    '/assets/%00',
    '/assets/%zz',
    '/assets//secret.txt',
    '/assets/.env',
    `/assets/${'a'.repeat(300)}`,
    `/assets/${'../'.repeat(40)}etc/passwd`,
  ]

  test('that does not exist is 404 with the usual page', async () => {
    const { app } = await siteWithAssets()
    for (const url of unknown) {
      for (const encoding of ['identity', 'br, gzip']) {
        const response = await app.inject({ url, headers: { accept: 'text/html', 'accept-encoding': encoding } })
        expect([response.statusCode, response.headers['content-type']], url).toEqual([404, 'text/html; charset=utf-8'])
      }
    }
  })
})

test('no way up the folders leads anywhere, however it is written', async () => {
  const { app } = await siteWithAssets()
  const seed = Date.now() % 1e9
  const random = seededRandom(seed)
  const oneOf = (things: readonly string[]) => things[Math.floor(random() * things.length)] ?? ''
  const ups = ['..', '%2e%2e', '.%2e', '%252e%252e', '..%00', '..;', '....', '%c0%ae%c0%ae', '%uff0e%uff0e', '.']
  const slashes = ['/', '%2f', '\\', '%5c', '//', '%252f', '%c0%af', '/./']
  for (let tried = 0; tried < 1_350; tried += 1) {
    const way = Array.from({ length: 1 + Math.floor(random() * 6) }, () => oneOf(ups) + oneOf(slashes)).join('')
    const url = `${oneOf(['/assets/', '/objects/', '/', '/api/', '/assets/inner/'])}${way}${oneOf(['secret.txt', 'etc/passwd', ''])}`
    const { statusCode, body } = await app.inject({ url })
    expect(statusCode, `${url}, seed ${seed}`).toBeLessThan(500)
    expect(body === 'secret' || body.includes('root:'), `${url}, seed ${seed}`).toBe(false)
  }
})

describe('what is not HTTP', () => {
  const notHttp: [text: string, status: number][] = [
    ['NONSENSE\r\n\r\n', 400],
    ['BREW / HTTP/1.1\r\nHost: x\r\n\r\n', 400],
    ['GET nowhere HTTP/1.1\r\nHost: x\r\n\r\n', 400],
    ['GET / HTTP/1.1\r\n folded: y\r\n\r\n', 400],
    ['GET / HTTP/1.1\r\nHost: x\r\nX: a\0b\r\n\r\n', 400],
    ['POST / HTTP/1.1\r\nHost: x\r\nContent-Length: -5\r\n\r\n', 400],
    ['POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\n12345', 400],
    ['POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n', 400],
    ['POST /api/contact HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: gzip\r\n\r\n0\r\n\r\n', 400],
    ['POST /api/contact HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n\r\n', 400],
    [`GET / HTTP/1.1\r\nHost: x\r\nX: ${'a'.repeat(20_000)}\r\n\r\n`, 431],
    [`GET /${'a'.repeat(20_000)} HTTP/1.1\r\nHost: x\r\n\r\n`, 431],
  ]

  test('is refused with a sentence', async () => {
    const { sendRaw } = await listening()
    for (const [text, status] of notHttp) {
      const answer = await sendRaw(text)
      expect(statusOf(answer), text.slice(0, 100)).toBe(status)
      expect(JSON.parse(bodyOf(answer))).toEqual({
        message: expect.stringMatching(/\.$/),
        code: status === 431 ? 'headers_too_large' : 'not_http',
      })
    }
  })

  test('is no error of ours either where requests are counted by address', async () => {
    const site = await openTestApp('sqlite', { config: { rateLimits: true } })
    const { sendRaw } = await listenForRaw(site.app)
    const text = 'POST /api/contact HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n\r\n'
    expect(statusOf(await sendRaw(text))).toBe(400)
    expect((await site.call(checkHealth)).statusCode).toBe(200)
  })
})

describe('an odd request', () => {
  const end = 'Connection: close\r\n\r\n'

  const odd: [text: string, status: number][] = [
    ['GET / HTTP/1.1\r\n', 400],
    ['GET / HTTP/1.0\r\n', 200],
    ['GET / HTTP/1.1\r\nHost:\r\n', 200],
    ['GET / HTTP/1.1\r\nHost: a b/"><script>\r\n', 200],
    ['GET http://elsewhere.example/robots.txt HTTP/1.1\r\nHost: x\r\n', 200],
    ['GET http://elsewhere.example HTTP/1.1\r\nHost: x\r\n', 200],
    ['GET http:///nowhere HTTP/1.1\r\nHost: x\r\n', 404],
    ['GET //elsewhere.example/x HTTP/1.1\r\nHost: x\r\n', 404],
    ['GET * HTTP/1.1\r\nHost: x\r\n', 404],
    ['OPTIONS * HTTP/1.1\r\nHost: x\r\n', 404],
    ['OPTIONS /api/contact HTTP/1.1\r\nHost: x\r\n', 405],
    ['TRACE / HTTP/1.1\r\nHost: x\r\n', 405],
    ['PROPFIND / HTTP/1.1\r\nHost: x\r\n', 405],
    ['QUERY / HTTP/1.1\r\nHost: x\r\n', 400],
    ['GET /?lang=%E0%A4%A HTTP/1.1\r\nHost: x\r\n', 200],
    ['GET /%E0%A4%A HTTP/1.1\r\nHost: x\r\n', 404],
    ['GET / HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\n', 200],
    ['GET / HTTP/1.1\r\nHost: x\r\nExpect: the-unexpected\r\n', 417],
    ['GET /api/admin/check HTTP/1.1\r\nHost: x\r\nCookie: session=%zz; =; ;; __proto__=1; language="a\r\n', 200],
    ['GET /api/admin/check HTTP/1.1\r\nHost: x\r\nCookie: a=b\r\nCookie: session=x; session=y\r\n', 200],
    [`GET /objects/${'a'.repeat(64)} HTTP/1.1\r\nHost: x\r\nRange: bytes=5-1\r\n`, 404],
  ]

  test('is answered like any other', async () => {
    const { sendRaw } = await listening()
    for (const [text, status] of odd) expect(statusOf(await sendRaw(`${text}${end}`)), text).toBe(status)
  })

  test('that says it will go on is told to, and answered', async () => {
    const { sendRaw } = await listening()
    const expecting = 'Expect: 100-continue\r\nContent-Type: application/json\r\nContent-Length: 2'
    const answer = await sendRaw(`POST /api/contact HTTP/1.1\r\nHost: x\r\n${expecting}\r\nConnection: close\r\n\r\n{}`)
    expect(answer).toMatch(/^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 400 /)
  })

  test('that ends before its body does is no error of ours', async () => {
    const { sendAndLeave, call } = await listening()
    for (const address of ['/api/contact', '/api/admin/login', '/nowhere']) {
      await sendAndLeave(
        `POST ${address} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{"name"`,
      )
    }
    expect((await call(checkHealth)).statusCode).toBe(200)
  })
})

test('a long address is not written to the log whole', async () => {
  const site = await openTestApp('sqlite')
  const lines: { path: string }[] = []
  const { log } = site.app
  log.level = 'info'
  log.info = (line: unknown) => {
    lines.push(line as { path: string })
  }
  await site.app.inject({ url: `/${'x'.repeat(5_000)}?who=ana` })
  expect(lines).toMatchObject([{ path: `/${'x'.repeat(199)}…` }])
})
