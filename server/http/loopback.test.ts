import { describe, expect, test } from 'vitest'
import { isFromThisMachine, isLoopbackHost } from './own-address.ts'

test.each(['localhost', 'LOCALHOST:3000', '127.0.0.1', '127.0.0.1:8080', '[::1]', '[::1]:3000'])('%s is this machine', (host) =>
  expect(isLoopbackHost(host)).toBe(true),
)

test.each([
  ...['', 'example.com', 'localhost.example.com', 'evil-localhost', '127.0.0.1.nip.io', '127.0.0.10'],
  ...['192.168.1.5:3000', '[::2]', '0.0.0.0', 'localhost:3000@example.com', 'localhost, example.com'],
])('"%s" is not this machine', (host) => expect(isLoopbackHost(host)).toBe(false))

describe('a request', () => {
  const host = 'localhost:3000'
  const httpVersion = '1.1'

  test('without a host is not from here', () => expect(isFromThisMachine({ httpVersion, headers: {} })).toBe(false))
  test('that no proxy has passed on is from here', () =>
    expect(isFromThisMachine({ httpVersion, headers: { host, accept: '*/*' } })).toBe(true))

  test.each([
    'forwarded',
    'via',
    'x-real-ip',
    'x-forwarded-for',
    'x-forwarded-proto',
    'x-forwarded-host',
    'x-forwarded-anything',
    'cf-connecting-ip',
    'true-client-ip',
    'x-original-host',
  ])('with %s was passed on by a proxy', (name) =>
    expect(isFromThisMachine({ httpVersion, headers: { host, [name]: '' } })).toBe(false),
  )

  test('in the HTTP that proxies speak and browsers do not was passed on', () =>
    expect(isFromThisMachine({ httpVersion: '1.0', headers: { host } })).toBe(false))
})
