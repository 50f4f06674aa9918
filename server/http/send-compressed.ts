import { Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Compressed } from './compressed.ts'

/** 304 for a caller that has it already, else in the best encoding the caller takes. */
export function sendCompressed(
  { headers }: FastifyRequest,
  reply: FastifyReply,
  { status, contentType, etag, bytes, ...encodings }: Compressed,
  vary = 'Accept-Encoding',
) {
  reply.header('etag', etag).header('cache-control', 'public, max-age=0, must-revalidate').header('vary', vary)
  if (matches(headers['if-none-match'], etag)) return reply.code(304).send()
  reply.code(status).type(contentType)
  const encoding = bestEncoding(headers['accept-encoding'])
  if (encoding) return reply.header('content-encoding', encoding).send(encodings[encoding])
  return reply.header('content-length', bytes).send(Readable.from([encodings.gzip]).pipe(createGunzip()))
}

function matches(ifNoneMatch: string | undefined, etag: string) {
  return ifNoneMatch === '*' || (ifNoneMatch?.split(/,\s*/).includes(etag) ?? false)
}

/** Undefined when the caller takes neither. */
function bestEncoding(accepted = ''): 'br' | 'gzip' | undefined {
  const offers = accepted.split(',').map((offer) => offer.trim())
  return (['br', 'gzip'] as const).find((encoding) =>
    offers.some((offer) => offer.split(';')[0]?.trim() === encoding && !/;\s*q=0(\.0*)?$/.test(offer)),
  )
}
