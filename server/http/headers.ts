import helmet from '@fastify/helmet'
import type { FastifyInstance } from 'fastify'
import type { Storage } from '../storage/storage.ts'

/** Not used here: an injected script could not use them either. */
const permissionsPolicy = [
  'accelerometer autoplay camera display-capture encrypted-media fullscreen geolocation gyroscope hid magnetometer',
  'microphone midi payment picture-in-picture publickey-credentials-get screen-wake-lock serial usb xr-spatial-tracking',
]
  .flatMap((features) => features.split(' '))
  .map((feature) => `${feature}=()`)
  .join(', ')

type Circumstances = {
  development: boolean
  direct: Storage['direct']
  /** The hash of the script that stands in the page: no other can. */
  inPageScript: string
}

/** What every answer says about what a browser may do with it. Vite's development client needs inline scripts; nothing else does. */
export async function setSecurityHeaders(app: FastifyInstance, { development, direct, inPageScript }: Circumstances) {
  const photosAt = direct?.publicUrl ? [new URL(direct.publicUrl).origin] : []
  const uploadsTo = direct ? [direct.uploadOrigin] : []
  await app.register(helmet, {
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
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
      },
    },
    referrerPolicy: { policy: 'strict-origin-when-cross-origin' },
    xFrameOptions: { action: 'deny' },
    // Photos are looked at from link previews and search engines.
    crossOriginResourcePolicy: { policy: 'cross-origin' },
    // Only meaningful over https, where the proxy that holds the certificate sets it with the owner's choice of duration.
    strictTransportSecurity: false,
  })
  app.addHook('onRequest', async (request, reply) => {
    // What a call answers is for our own pages. Other sites cannot read it, and have no reason to load it either.
    if (request.url.startsWith('/api/')) reply.header('cross-origin-resource-policy', 'same-origin')
    else reply.header('permissions-policy', permissionsPolicy)
  })
}
