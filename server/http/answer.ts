import type { IncomingHttpHeaders } from 'node:http'
import type { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'

/** All of an answer but its body: made once, for every caller who gets the same. */
export type Head = {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  /** As server/http/ready-answers.ts sends it, once it has. */
  raw?: string[]
}

export type Answer<Body extends Buffer | Readable = Buffer> = { head: Head; body: Body | undefined }

export function sendAnswer(reply: FastifyReply, { head, body }: Answer<Buffer | Readable>) {
  return reply.code(head.status).headers(head.headers).send(body)
}

type Content = { etag: string; bytes: number; contentType: string; encoding?: string; others: Readonly<Record<string, string>> }

/** For addresses that name their content, so that what they answer never changes. */
export function immutableHeads({ etag, bytes, contentType, encoding, others }: Content) {
  const shared = { etag, 'cache-control': 'public, max-age=31536000, immutable', ...others }
  const whole = {
    ...shared,
    'content-type': contentType,
    'content-length': String(bytes),
    ...(encoding && { 'content-encoding': encoding }),
  }
  return { whole: { status: 200, headers: whole }, known: { status: 304, headers: shared } }
}

/** 304 for a caller that has it already. */
export function immutableAnswer<Body extends Buffer | Readable>(
  headers: IncomingHttpHeaders,
  heads: ReturnType<typeof immutableHeads>,
  body: Body,
): Answer<Body> {
  if (!isKnown(headers, heads.known.headers.etag)) return { head: heads.whole, body }
  if (!Buffer.isBuffer(body)) body.destroy()
  return { head: heads.known, body: undefined }
}

/** Whether the caller has this version already, also by a tag that a proxy has made weak. */
export function isKnown({ 'if-none-match': known }: IncomingHttpHeaders, etag: string) {
  if (known === undefined) return false
  return known === etag || known === '*' || known.split(/,\s*/).map(unweakened).includes(unweakened(etag))
}

function unweakened(etag: string) {
  return etag.replace(/^W\//, '')
}
