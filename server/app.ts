import { maxHeaderSize } from 'node:http'
import cookie from '@fastify/cookie'
import Fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify'
import { uploadMinutes } from '#contract/images.ts'
import { backupRoutes } from './backup/backup.routes.ts'
import { findWorking, hasBackupFault, readBackupJobs } from './backup/backup-jobs.ts'
import { backupParts } from './backup/backup-parts.ts'
import type { Clock } from './clock.ts'
import type { Config } from './config.ts'
import type { Database } from './database/open.ts'
import { slice } from './database/slices.ts'
import { adminRoutes } from './features/accounts/accounts.routes.ts'
import { demoAdminCheck } from './features/accounts/demo-admin.ts'
import { createContactMails, noMails } from './features/contacts/contact-mails.ts'
import { readEnds } from './features/contacts/contacts.admin.queries.ts'
import { adminContactRoutes } from './features/contacts/contacts.admin.routes.ts'
import { countByState, countContacts } from './features/contacts/contacts.queries.ts'
import { contactRoutes, contactsOfVisitor } from './features/contacts/contacts.routes.ts'
import { createReceiver } from './features/contacts/receive-contact.ts'
import { sweepPhotos } from './features/contacts/sweep-contacts.ts'
import { createVisitorPhotos, photosOfVisitor } from './features/contacts/visitor-photos.ts'
import { eventRoutes } from './features/events/events.routes.ts'
import { firstStepRoutes } from './features/first-steps/first-steps.routes.ts'
import type { Encoder } from './features/images/encoder.ts'
import { createHiddenImages } from './features/images/hidden-images.ts'
import { findImage } from './features/images/images.queries.ts'
import { imageRoutes } from './features/images/images.routes.ts'
import { uploadRoutes } from './features/images/uploads.routes.ts'
import type { Variants } from './features/images/variants.ts'
import { overviewRoutes } from './features/overview/overview.routes.ts'
import { inPageScript } from './features/pages/in-page-script.ts'
import { pageRoutes } from './features/pages/pages.routes.ts'
import type { Renderer } from './features/pages/renderer.ts'
import * as projects from './features/projects/projects.queries.ts'
import { projectRoutes } from './features/projects/projects.routes.ts'
import { takeOutOfTrash } from './features/projects/trash.queries.ts'
import { countUnchanged, putUnchangedIntoTrash } from './features/projects/unchanged.queries.ts'
import { openOwnSite } from './features/site-content/own-site.ts'
import { findPreview } from './features/site-content/site-content.queries.ts'
import { siteContentRoutes } from './features/site-content/site-content.routes.ts'
import { limitSlowBodies } from './http/body-deadline.ts'
import { answerClientError } from './http/client-error.ts'
import { drainBeforeClosing } from './http/draining.ts'
import { answerErrors } from './http/errors.ts'
import { refuseOnFullDisk } from './http/full-disk.ts'
import { securityHeaders, setSecurityHeaders } from './http/headers.ts'
import { healthRoutes } from './http/health.ts'
import { answerUnknownCalls, rememberRoutes, routable } from './http/not-found.ts'
import { describeCalls } from './http/openapi.ts'
import { refuseForeignOrigins } from './http/origin.ts'
import { trustedHops } from './http/own-address.ts'
import { watchForProxies } from './http/proxy-signs.ts'
import { createPublished } from './http/published.ts'
import { createReadyAnswers, type ReadyAnswers } from './http/ready-answers.ts'
import { countRequests } from './http/request-counts.ts'
import { followConnections } from './http/request-faults.ts'
import { type Answered, logRequests, requestId } from './http/request-log.ts'
import { keepSessions } from './http/sessions.ts'
import { zodCompilers } from './http/zod-compilers.ts'
import type { Mailer } from './mail/mailer.ts'
import { mailRoutes } from './mail/mails.routes.ts'
import { readRunningTime } from './running-time.ts'
import { leastFree, openDiskReserve } from './storage/disk-reserve.ts'
import type { Storage } from './storage/storage.ts'

export type Parts = {
  config: Config
  database: Database
  storage: Storage
  clock: Clock
  encoder: Encoder
  variants: Variants
  renderer: Renderer
  log: FastifyBaseLogger
  /** Serves scripts and styles: from the built folder, or from Vite while developing. */
  assets(app: FastifyInstance, ready: ReadyAnswers): Promise<void>
  /** Called after every answer. */
  onAnswered?: ((answered: Answered) => void) | undefined
  /** Sends mails; none are without it. */
  mailer?: Mailer | undefined
  development?: boolean
}

export async function buildApp(parts: Parts) {
  const { config, database, storage, clock, encoder, variants, renderer, log, assets, onAnswered } = parts
  const { development = false, mailer } = parts
  const { db } = database
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
    // Otherwise Fastify itself answers an address it cannot decode or finds too long, past everything below.
    rewriteUrl: routable,
    clientErrorHandler: answerClientError,
    routerOptions: { maxParamLength: maxHeaderSize },
    // Idle visitors do not keep the process from ending; requests under way are finished first.
    forceCloseConnections: 'idle',
    // Requests over connections that are still open while the site is stopping are served.
    return503OnClosing: false,
    schemaController: { compilersFactory: zodCompilers },
  })
  // Fastify reads plain text by itself; every call here takes JSON.
  app.removeContentTypeParser('text/plain')
  rememberRoutes(app)
  followConnections(app)
  answerErrors(app)
  const proxySigns = watchForProxies(app, config.trustProxy)
  logRequests(app, onAnswered)
  drainBeforeClosing(app)
  limitSlowBodies(app, { idleTimeout: 60_000, timeout: uploadMinutes * 60_000 })
  setSecurityHeaders(app, headersFor)
  await app.register(cookie)
  countRequests(app, { db, clock, on: config.rateLimits })
  refuseForeignOrigins(app, config.publicUrl)
  const demoAdminActive = demoAdminCheck(db)
  keepSessions(app, { db, clock, publicUrl: config.publicUrl, demoAdminActive })
  describeCalls(app)

  const published = createPublished({ ready, keep: !development })
  const hidden = createHiddenImages(db)
  const content = await database.watchContent(() => {
    published.contentChanged()
    void hidden.refresh()
  }, published.contentUnknown)
  await hidden.refresh()
  app.addHook('onClose', () => content.stop())
  // The maker sees a change with the answer to it; other processes within a second.
  app.addHook('onSend', async ({ admin, method }, { statusCode }) => {
    if (!admin || method === 'GET' || statusCode >= 400) return
    await content.check()
    await hidden.refresh()
  })
  // Only the built-in database shares the disk of the data folder.
  const reserve = config.databaseUrl ? undefined : openDiskReserve(config.dataDir)
  if (reserve) refuseOnFullDisk(app, reserve)
  healthRoutes(app, {
    describeBackups: async () => {
      const { safe, shortfalls } = await backups.readStatus()
      return { safeAsOf: safe?.at ?? null, shortfalls }
    },
    answers: () => Promise.all([database.check(), storage.check()]),
    hasRoom: async () => (!reserve || (await reserve.hasRoom())) && (await storage.freeBytes()) >= leastFree,
  })
  projectRoutes(app, { database, clock, published })
  const ownSite = openOwnSite({ db, clock, onChange: published.contentChanged })
  siteContentRoutes(app, { database, clock, published, readOwn: ownSite.read, preparePhoto: variants.prepareForSite })
  const findAbout = (name: string) => projects.findAbout(db, name)
  const mails = mailer ? createContactMails({ mailer, clock, publicUrl: config.publicUrl }) : noMails
  const receive = createReceiver({ database, clock, mails, findProject: findAbout, hasLimits: config.rateLimits })
  const photos = createVisitorPhotos({
    database,
    storage,
    clock,
    prepare: encoder.prepareVisitors,
    hasLimits: config.rateLimits,
  })
  contactRoutes(app, {
    db,
    receive,
    photos,
    sweepPhotos: () => sweepPhotos({ database, storage, clock }, { most: slice }),
  })
  adminContactRoutes(app, { database, clock, mails, photos })
  mailRoutes(app, { database, clock, mailer, publicUrl: config.publicUrl })
  adminRoutes(app, { database, clock, publicUrl: config.publicUrl })
  imageRoutes(app, { db, storage, variants, ready, hidden })
  uploadRoutes(app, { database, storage, clock, encoder, variants })
  const hasOwner = async () => !(await demoAdminActive())
  const backups = backupParts({ config, database, storage, clock, encoder, variants, log, hasOwner })
  await backupRoutes(app, { config, database, storage, clock, log, backups })
  eventRoutes(app, {
    db,
    clock,
    readContacts: () => Promise.all([countByState(db), readEnds(db)]),
    readBackups: () => Promise.all([readBackupJobs(db), findWorking(database)]),
  })
  const countAllProjects = () => projects.countProjects(db, { drafts: true })
  firstStepRoutes(app, {
    db,
    hasMail: mailer !== undefined,
    hasOwner,
    countProjects: async () => (await countAllProjects()).all,
    isStored: async (hash) => (await findImage(db, hash)) !== undefined,
    listBackups: async () => (await backups.openBackups()).list(),
    demoProjects: {
      count: async () => countUnchanged(db, await demoProjects()),
      remove: async () => putUnchangedIntoTrash(db, await demoProjects(), clock.now().toISOString()),
      bringBack: (ids) => takeOutOfTrash(db, ids),
    },
  })
  overviewRoutes(app, {
    countProjects: countAllProjects,
    countContacts: () => countContacts(db),
    listWarnings: async () => [
      ...((await demoAdminActive()) ? (['demo_account'] as const) : []),
      ...((await hasBackupFault(db, { isCopied: config.offsite !== undefined })) ? (['backup_failed'] as const) : []),
      ...((await readRunningTime(db, clock)).hasJumped ? (['clock_jumped'] as const) : []),
      ...proxySigns.list(),
    ],
    publicUrl: config.publicUrl,
  })
  const { answerUnknownPage } = pageRoutes(app, {
    published,
    clock,
    renderer,
    publicUrl: config.publicUrl,
    eachProject: () => projects.eachInSitemap(db),
    readShowcase: (category, shown) => projects.readShowcase(db, category, shown),
    nameProject: (name) => projects.nameProject(db, name),
    findAbout,
    inbox: {
      receive,
      receivePhoto: photos.receive,
      limits: { contacts: contactsOfVisitor, photos: photosOfVisitor },
    },
    readOwn: ownSite.read,
    readOwnOrLast: ownSite.readOrLast,
    readPreview: (preview) => findPreview(db, preview),
    findInList: (id, category) => projects.findInList(db, id, category),
    demoAdminActive,
  })
  await assets(app, ready)
  answerUnknownCalls(app, { answerUnknownPage, headersFor })
  await app.ready()
  return app
}

/** Only a site with first steps needs them. */
async function demoProjects() {
  return (await import('#demo/projects.ts')).demoProjects
}
