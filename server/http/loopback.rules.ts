import type { IncomingMessage } from 'node:http'

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
