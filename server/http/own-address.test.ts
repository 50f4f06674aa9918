import Fastify from 'fastify'
import { describe, expect, test } from 'vitest'
import { calledAs, isHost, trustedHops } from './own-address.ts'

/** What the site makes of a request from the address of a proxy. */
async function seen(proxies: number, headers: Record<string, string>) {
  const app = Fastify({ trustProxy: trustedHops(proxies) })
  app.get('/', (request) => ({ ip: request.ip, called: calledAs(request) ?? null }))
  const response = await app.inject({ url: '/', remoteAddress: '10.0.0.1', headers: { host: 'models.example', ...headers } })
  return response.json<{ ip: string; called: string | null }>()
}

describe('the address of a visitor', () => {
  // What nginx's usual line makes of it: the visitor's own claim, and behind it what the proxy saw.
  const appended = { 'x-forwarded-for': '1.1.1.1, 203.0.113.7' }

  test('is what the proxy has added, and not what the visitor wrote before it', async () => {
    expect((await seen(1, appended)).ip).toBe('203.0.113.7')
  })

  test('is what the proxy has set', async () => {
    expect((await seen(1, { 'x-forwarded-for': '203.0.113.7' })).ip).toBe('203.0.113.7')
  })

  test('behind two proxies is what the first of them has added', async () => {
    const headers = { 'x-forwarded-for': '1.1.1.1, 203.0.113.7, 10.0.0.2' }
    expect((await seen(2, headers)).ip).toBe('203.0.113.7')
  })

  test('is that of the connection when no proxy is trusted, or it says nothing', async () => {
    expect((await seen(0, appended)).ip).toBe('10.0.0.1')
    expect((await seen(1, {})).ip).toBe('10.0.0.1')
  })
})

describe('the name the site is called by', () => {
  test.each([
    ['is the host', 0, {}, 'http://models.example'],
    ['is not what a visitor claims without a proxy', 0, { 'x-forwarded-host': 'evil.example' }, 'http://models.example'],
    ['is not https because a visitor claims so', 0, { 'x-forwarded-proto': 'https' }, 'http://models.example'],
    [
      'is what a trusted proxy says',
      1,
      { 'x-forwarded-host': 'shown.example:8443', 'x-forwarded-proto': 'https' },
      'https://shown.example:8443',
    ],
    [
      'is what the nearest proxy has added, and not what stood before',
      1,
      { 'x-forwarded-host': 'evil.example, shown.example', 'x-forwarded-proto': 'javascript, https' },
      'https://shown.example',
    ],
    ['is the host where the proxy passes on nonsense', 1, { 'x-forwarded-host': 'a"><script>' }, 'http://models.example'],
    ['is on http where the proxy passes on another scheme', 1, { 'x-forwarded-proto': 'javascript' }, 'http://models.example'],
    ['is written in small letters', 0, { host: 'Models.Example' }, 'http://models.example'],
    ['is not known from nonsense', 0, { host: 'a b' }, null],
  ])('%s', async (_, proxies, headers: Record<string, string>, called) => {
    expect((await seen(proxies, headers)).called).toBe(called)
  })
})

test.each(['models.example', 'localhost:3000', '127.0.0.1', '[::1]:3000', 'a_b.example', 'models.example.'])(
  '%s is a host',
  (text) => {
    expect(isHost(text)).toBe(true)
  },
)

test.each([
  '',
  'a b',
  'a/b',
  'a?b',
  'a#b',
  'ana@models.example',
  'a"b',
  "a'b",
  'a<b',
  'a\\b',
  'a:b',
  'a:99999',
  'a..b',
  '[::1',
  '[:::]',
  'ä.example',
  'a\n',
  `${'a'.repeat(300)}.example`,
])('%j is no host', (text) => {
  expect(isHost(text)).toBe(false)
})
