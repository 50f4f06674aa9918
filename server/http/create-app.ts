import { maxHeaderSize } from 'node:http'
import cookie from '@fastify/cookie'
import Fastify, { type FastifyInstance, LogController } from 'fastify'
import { uploadMinutes } from '#contract/images.ts'
import type { SiteParts } from '../site.ts'
import { limitSlowBodies } from './body-limits.ts'
import { drainBeforeClosing } from './draining.ts'
import { answerClientError, answerErrors } from './errors.ts'
import { securityHeaders, setSecurityHeaders } from './headers.ts'
import { rememberRoutes, routable } from './not-found.ts'
import { refuseForeignOrigins } from './origin.ts'
import { trustedHops } from './own-address.ts'
import { watchForProxies } from './proxy-signs.ts'
import { createReadyAnswers } from './published.ts'
import { countRequests } from './request-counts.ts'
import { followConnections } from './request-faults.ts'
import { type Answered, logRequests, requestId } from './request-log.ts'
import { describeCalls, zodCompilers } from './serve.ts'

type Parts = Pick<SiteParts, 'config' | 'database' | 'storage' | 'clock' | 'log' | 'development'> & {
  inPageScript: string
  /** Called after every answer. */
  onAnswered?: ((answered: Answered) => void) | undefined
}

/** Fastify with what every request passes before and after its route. */
export async function createApp({ config, database, storage, clock, log, development = false, ...parts }: Parts) {
  const { inPageScript, onAnswered } = parts
  const logsAll = log.level === 'debug' || log.level === 'trace'
  const headersFor = securityHeaders({ development, direct: storage.direct, inPageScript })
  const idOf = requestId(config.trustProxy)
  const ready = createReadyAnswers({
    requestId: idOf,
    securityHeaders: headersFor,
    isOff: () => logsAll || app.isDraining(),
    follow: (response) => app.follow(response),
    onAnswered,
  })
  const app: FastifyInstance = Fastify({
    serverFactory: ready.serverFactory,
    loggerInstance: log,
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: idOf,
    trustProxy: trustedHops(config.trustProxy),
    bodyLimit: 256 * 1024,
    // Otherwise Fastify itself answers an address it cannot decode or finds too long, past the hooks below.
    rewriteUrl: routable,
    clientErrorHandler: answerClientError,
    routerOptions: { maxParamLength: maxHeaderSize },
    // Idle connections do not keep the process from ending; requests under way are finished first.
    forceCloseConnections: 'idle',
    // Requests over connections that are still open while the site is stopping are served.
    return503OnClosing: false,
    schemaController: { compilersFactory: zodCompilers },
  })
  // Fastify parses plain text by default; every call takes JSON.
  app.removeContentTypeParser('text/plain')
  rememberRoutes(app)
  followConnections(app)
  answerErrors(app)
  watchForProxies(app, config.trustProxy)
  logRequests(app, onAnswered)
  drainBeforeClosing(app)
  limitSlowBodies(app, { idleTimeout: 60_000, timeout: uploadMinutes * 60_000 })
  setSecurityHeaders(app, headersFor)
  // Called and not registered: that would compare versions at every start.
  cookie(app, {}, () => {})
  countRequests(app, { db: database.db, clock, on: config.rateLimits })
  refuseForeignOrigins(app, config)
  describeCalls(app)
  return { app, ready, headersFor }
}
