import type { Socket } from 'node:net'
import { PassThrough } from 'node:stream'
import { expect, test } from 'vitest'
import { answerClientError } from './errors.ts'

function answerTo(code: string) {
  const socket = new PassThrough()
  answerClientError({ code }, socket as unknown as Socket)
  return { text: String(socket.read() ?? ''), isOpen: !socket.destroyed }
}

test.each([
  ['ERR_HTTP_REQUEST_TIMEOUT', 'HTTP/1.1 408 Request Timeout', 'request_timeout'],
  ['HPE_HEADER_OVERFLOW', 'HTTP/1.1 431 Request Header Fields Too Large', 'headers_too_large'],
  ['HPE_INVALID_METHOD', 'HTTP/1.1 400 Bad Request', 'not_http'],
])('%s is answered with %j, and the connection ends', (code, status, problem) => {
  const { text, isOpen } = answerTo(code)
  expect(text.split('\r\n')[0]).toBe(status)
  expect(text).toContain(`"code":"${problem}"`)
  expect(isOpen).toBe(false)
})

test('a connection that is gone is answered nothing', () => {
  expect(answerTo('ECONNRESET').text).toBe('')
})
