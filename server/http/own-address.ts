import type { IncomingMessage } from 'node:http'
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

/** Whether the host of an address, with or without a port, is this machine by name. */
export function isLoopbackHost(host: string) {
  return /^(localhost|127\.0\.0\.1|\[::1\])(:\d{1,5})?$/i.test(host)
}

const forwarding =
  /^(forwarded|via|x-real-ip|x-forwarded.*|x-original-.*|x-client-ip|x-cluster-client-ip|true-client-ip|(cf|fastly|x-envoy|x-amzn)-.*)$/

/**
 * Whether a browser of this machine asks, and asks us directly. A proxy gives itself away by what it adds, or, as nginx does
 * unless told otherwise, by an HTTP no browser speaks any more; a foreign name that was made to lead here (DNS rebinding) by
 * the host it asks for. What passes on bytes unread cannot be noticed.
 */
export function isAskedFromHere({ headers, httpVersion }: Pick<IncomingMessage, 'headers' | 'httpVersion'>) {
  const isPassedOn = httpVersion === '1.0' || Object.keys(headers).some((name) => forwarding.test(name))
  return isLoopbackHost(headers.host ?? '') && !isPassedOn
}
