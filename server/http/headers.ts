import type { FastifyInstance, FastifyReply } from 'fastify'
import { readAsset } from '#contract/pages.ts'
import type { Storage } from '../storage/storage.ts'

/** Not used here: an injected script could not use them either. */
const permissionsPolicy = [
  'accelerometer autoplay camera display-capture encrypted-media fullscreen geolocation gyroscope hid magnetometer',
  'microphone midi payment picture-in-picture publickey-credentials-get screen-wake-lock serial usb xr-spatial-tracking',
]
  .flatMap((features) => features.split(' '))
  .map((feature) => `${feature}=()`)
  .join(', ')

type Options = {
  development: boolean
  direct: Storage['direct']
  /** The hash of the only script inside a page: no other inline script runs. */
  inPageScript: string
}

/** By the route as it is declared: an address can be spelt in many ways. */
export type SecurityHeaders = (route: string) => Readonly<Record<string, string>>

/** What an answer says about what a browser may do with it: made once for each kind of address. */
export function securityHeaders(options: Options): SecurityHeaders {
  // Photos are looked at from link previews and search engines.
  const onFiles = { 'x-content-type-options': 'nosniff', 'cross-origin-resource-policy': 'cross-origin' }
  const onDocuments = {
    ...onFiles,
    'content-security-policy': contentPolicy(options),
    'cross-origin-opener-policy': 'same-origin',
    'origin-agent-cluster': '?1',
    'referrer-policy': 'strict-origin-when-cross-origin',
    'x-dns-prefetch-control': 'off',
    'x-download-options': 'noopen',
    'x-frame-options': 'DENY',
    'x-permitted-cross-domain-policies': 'none',
    'x-xss-protection': '0',
    // Strict-Transport-Security is for the proxy that holds the certificate, with the owner's choice of duration.
  }
  // What a call answers is for our own pages. Other sites cannot read it, and have no reason to load it either.
  const onCalls = { ...onDocuments, 'cross-origin-resource-policy': 'same-origin' }
  const onPages = { ...onDocuments, 'permissions-policy': permissionsPolicy }
  return (route) => {
    if (route.startsWith('/api/')) return onCalls
    // A policy for documents is of no use on a script, and many times as long as some.
    return route === readAsset.path ? onFiles : onPages
  }
}

/** Vite's development client needs inline scripts; nothing else does. */
function contentPolicy({ development, direct, inPageScript }: Options) {
  const photosAt = direct?.publicUrl ? [new URL(direct.publicUrl).origin] : []
  const uploadsTo = direct ? [direct.uploadOrigin] : []
  const directives = {
    'default-src': ["'self'"],
    'script-src': development ? ["'self'", "'unsafe-inline'"] : ["'self'", inPageScript],
    // Placeholders of photos and the dialog's scroll lock are styles set in place; no style can run code.
    'style-src': ["'self'", "'unsafe-inline'"],
    // Old sites keep their photos at https: addresses; placeholders are data:, previews of a chosen file blob:.
    'img-src': ["'self'", 'https:', 'data:', 'blob:', ...photosAt],
    'font-src': ["'self'"],
    'connect-src': development ? ["'self'", 'ws:', ...uploadsTo] : ["'self'", ...uploadsTo],
    'object-src': ["'none'"],
    'base-uri': ["'none'"],
    'form-action': ["'self'"],
    'frame-ancestors': ["'none'"],
  }
  return Object.entries(directives)
    .map(([name, sources]) => [name, ...sources].join(' '))
    .join(';')
}

/** For this answer alone: the panel shows it in a frame of its own. */
export function allowOwnFrame(reply: FastifyReply) {
  const policy = String(reply.getHeader('content-security-policy'))
  reply.header('content-security-policy', policy.replace("frame-ancestors 'none'", "frame-ancestors 'self'"))
  return reply.header('x-frame-options', 'SAMEORIGIN')
}

export function setSecurityHeaders(app: FastifyInstance, headersFor: SecurityHeaders) {
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers(headersFor(request.routeOptions.url ?? request.url))
    done()
  })
}
