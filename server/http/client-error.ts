import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import { type ProblemCode, type ProblemReply, problems } from '#contract/problems.ts'

const codes: Readonly<Record<string, ProblemCode>> = {
  ERR_HTTP_REQUEST_TIMEOUT: 'request_timeout',
  HPE_HEADER_OVERFLOW: 'headers_too_large',
}

/** Answers what cannot be read as HTTP, and so never becomes a request, in the form of all other answers. */
export function answerClientError({ code = '' }: { code?: string }, socket: Socket) {
  if (code === 'ECONNRESET' || socket.destroyed) return
  if (socket.writable) socket.write(refusal(codes[code] ?? 'not_http'))
  socket.destroy()
}

function refusal(code: ProblemCode) {
  const [status, message] = problems[code]
  const body = JSON.stringify({ message, code } satisfies ProblemReply)
  return [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Cache-Control: no-store',
    'X-Content-Type-Options: nosniff',
    'Connection: close',
    '',
    body,
  ].join('\r\n')
}
