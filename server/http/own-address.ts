import type { FastifyRequest } from 'fastify'

/**
 * Each proxy adds the address it was called from to the end of `X-Forwarded-For`: what stands before the last so many
 * entries was written by the visitor. Fastify takes a mere number for trusting none.
 */
export function trustedHops(proxies: number) {
  return proxies > 0 && ((_address: string, hop: number) => hop < proxies)
}

/** The site as the caller knows it, such as https://example.com; undefined when what the caller said is no address. */
export function calledAs(request: FastifyRequest) {
  const host = [request.host, request.headers.host].find((name) => name !== undefined && isHost(name))
  return host && `${protocolOf(request)}://${host.toLowerCase()}`
}

/** A trusted proxy says how it was called. What it passes on unread may be anything. */
export function protocolOf({ protocol }: FastifyRequest) {
  return protocol === 'https' ? 'https' : 'http'
}

const name = /^[a-z\d_-]+(\.[a-z\d_-]+)*\.?(:\d{1,5})?$/i
const ipv6 = /^\[[\da-f:.]+\](:\d{1,5})?$/i

/** A name or an address, with or without a port, and nothing else. */
export function isHost(text: string) {
  return text.length <= 260 && (name.test(text) || ipv6.test(text)) && URL.canParse(`http://${text}`)
}
