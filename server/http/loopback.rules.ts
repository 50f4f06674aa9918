import type { IncomingHttpHeaders } from 'node:http'

/** Whether the host of an address, with or without a port, is this machine by name. */
export function isLoopbackHost(host: string) {
  return /^(localhost|127\.0\.0\.1|\[::1\])(:\d{1,5})?$/i.test(host)
}

const forwarding = /^(forwarded|via|x-real-ip|x-forwarded-.*)$/

/**
 * Whether a browser of this machine asks, and asks us directly. A proxy gives itself away by what it adds; a foreign name
 * that was made to lead here (DNS rebinding) by the host it asks for.
 */
export function isAskedFromHere(headers: IncomingHttpHeaders) {
  return isLoopbackHost(headers.host ?? '') && !Object.keys(headers).some((name) => forwarding.test(name))
}
