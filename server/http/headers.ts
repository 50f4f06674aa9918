import type { FastifyInstance, FastifyReply } from 'fastify'
import { readAsset } from '#contract/pages.ts'
import type { Storage } from '../storage/storage.ts'

/** The site uses none of these, and an injected script cannot either. */
const permissionsPolicy = [
  'accelerometer autoplay camera display-capture encrypted-media fullscreen geolocation gyroscope hid magnetometer',
  'microphone midi payment picture-in-picture screen-wake-lock serial usb xr-spatial-tracking',
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

/** By the declared route: one address can be spelt in many ways. */
export type SecurityHeaders = (route: string) => Readonly<Record<string, string>>

/** Made once for each kind of route. */
export function securityHeaders(options: Options): SecurityHeaders {
  // Link previews and search engines load photos from other origins.
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
    // Strict-Transport-Security is left to the proxy that has the certificate.
  }
  // Only pages of the site itself load answers of calls.
  const onCalls = { ...onDocuments, 'cross-origin-resource-policy': 'same-origin' }
  const onPages = { ...onDocuments, 'permissions-policy': permissionsPolicy }
  return (route) => {
    if (route.startsWith('/api/')) return onCalls
    // A document policy has no effect on a script, and is longer than some scripts.
    return route === readAsset.path ? onFiles : onPages
  }
}

/** Only Vite's development client needs inline scripts. */
function contentPolicy({ development, direct, inPageScript }: Options) {
  const photosAt = direct?.publicUrl ? [new URL(direct.publicUrl).origin] : []
  const uploadsTo = direct ? [direct.uploadOrigin] : []
  const directives = {
    'default-src': ["'self'"],
    'script-src': development ? ["'self'", "'unsafe-inline'"] : ["'self'", inPageScript],
    // Photo placeholders and the dialog's scroll lock are inline styles.
    'style-src': ["'self'", "'unsafe-inline'"],
    // Photos of older sites are https:, placeholders data:, previews of chosen files blob:.
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

/** For the preview, which the panel shows in a frame. */
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
