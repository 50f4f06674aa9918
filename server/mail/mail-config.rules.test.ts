import { describe, expect, test } from 'vitest'
import { protectionOf, readSmtpUrl } from './mail-config.rules.ts'

describe('the address of a mail server', () => {
  test.each([
    ['smtps://smtp.example.com', { host: 'smtp.example.com', port: 465, secure: true }],
    ['SMTP://smtp.example.com', { host: 'smtp.example.com', port: 587, secure: false }],
    ['smtp://localhost:25', { host: 'localhost', port: 25, secure: false }],
    ['smtp://[::1]:2525/', { host: '::1', port: 2525, secure: false }],
  ])('%s', (url, server) => {
    expect(readSmtpUrl(url)).toEqual({ ...server, credentials: undefined })
  })

  test('has credentials as a URL writes them', () => {
    expect(readSmtpUrl('smtps://ana%40example.com:p%40ss%2Fw%3Ard%25@smtp.example.com')).toMatchObject({
      credentials: { user: 'ana@example.com', pass: 'p@ss/w:rd%' },
    })
  })

  test.each([
    ['smtp.example.com:587', 'must begin with smtp:// or smtps://'],
    ['https://smtp.example.com', 'must begin with smtp:// or smtps://'],
    ['smtp://', 'cannot be read'],
    ['smtps://ana:se#cret@smtp.example.com', 'cannot be read'],
    ['smtps://ana:se/cret@smtp.example.com', 'cannot be read'],
    ['smtps://ana:100%@smtp.example.com', 'with %40 for @'],
    ['smtps://smtp.example.com?pool=true', 'cannot be read'],
    ['smtps://ana@smtp.example.com', 'has a user and no password'],
    ['smtps://:secret@smtp.example.com', 'has a password and no user'],
    ['smtps://smtp.example.com:587', 'has smtps:// with port 587, where encryption begins later. Write smtp:// instead'],
    ['smtp://smtp.example.com:465', 'has smtp:// with port 465, which is encrypted from the start. Write smtps:// instead'],
  ])('%s is refused with its cure, and without what it says', (url, fault) => {
    const read = readSmtpUrl(url)
    expect(read).toEqual({ fault: expect.stringContaining(fault) })
    expect(JSON.stringify(read)).not.toMatch(/cret|100%@|ana/)
  })

  test.each([
    ['smtps://smtp.example.com', false, true],
    ['smtps://ana:secret@smtp.example.com', false, true],
    ['smtp://ana:secret@smtp.example.com', true, true],
    ['smtp://relay.example.com', false, false],
    ['smtp://ana:secret@localhost', false, false],
    ['smtp://ana:secret@[::1]', false, false],
  ])('%s must be encrypted: %s; its certificate is looked at: %s', (url, requireTLS, rejectUnauthorized) => {
    const server = readSmtpUrl(url)
    if ('fault' in server) throw new Error(server.fault)
    expect(protectionOf(server)).toEqual({ requireTLS, tls: { rejectUnauthorized } })
  })
})
