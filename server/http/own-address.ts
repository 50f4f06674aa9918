import type { IncomingMessage } from 'node:http'
import type { FastifyRequest } from 'fastify'
import { parseUrl } from '#contract/web-address.ts'

/**
 * Each proxy appends the address of its caller to `X-Forwarded-For`: entries before the last `proxies` ones were written by the
 * visitor. A plain number does not make Fastify trust any.
 */
export function trustedHops(proxies: number) {
  return proxies > 0 && ((_address: string, hop: number) => hop < proxies)
}

/** The same address as `request.ip`, for requests that Fastify does not see. */
export function visitorAddress({ headers, socket }: IncomingMessage, proxies: number) {
  const forwarded = proxies > 0 ? headers['x-forwarded-for'] : undefined
  const hops = typeof forwarded === 'string' ? forwarded.split(',') : []
  return (hops.at(-proxies) ?? hops[0])?.trim() ?? socket.remoteAddress ?? ''
}

/** The address by which the site was called, such as https://example.com; undefined where the Host header is none. */
export function calledAs(request: FastifyRequest) {
  const host = [request.host, request.headers.host].find((name) => name !== undefined && isHost(name))
  return host && `${protocolOf(request)}://${host.toLowerCase()}`
}

/** A trusted proxy may pass any text on as the protocol. */
export function protocolOf({ protocol }: FastifyRequest) {
  return protocol === 'https' ? 'https' : 'http'
}

const name = /^[a-z\d_-]+(\.[a-z\d_-]+)*\.?(:\d{1,5})?$/i
const ipv6 = /^\[[\da-f:.]+\](:\d{1,5})?$/i

/** A host name or an IP address, with or without a port. */
export function isHost(text: string) {
  return text.length <= 260 && (name.test(text) || ipv6.test(text)) && parseUrl(`http://${text}`) !== undefined
}

/** Whether a host, with or without a port, is this machine. */
export function isLoopbackHost(host: string) {
  return /^(localhost|127\.0\.0\.1|\[::1\])(:\d{1,5})?$/i.test(host)
}

const forwarding =
  /^(forwarded|via|x-real-ip|x-forwarded.*|x-original-.*|x-client-ip|x-cluster-client-ip|true-client-ip|(cf|fastly|x-envoy|x-amzn)-.*)$/

/**
 * Whether the request comes from a browser on this machine, directly. A proxy is recognised by the headers it adds, or by
 * HTTP/1.0, which nginx uses by default and no browser does; DNS rebinding by the Host header. A proxy that forwards TCP
 * cannot be recognised.
 */
export function isFromThisMachine({ headers, httpVersion }: Pick<IncomingMessage, 'headers' | 'httpVersion'>) {
  const isForwarded = httpVersion === '1.0' || Object.keys(headers).some((name) => forwarding.test(name))
  return isLoopbackHost(headers.host ?? '') && !isForwarded
}
