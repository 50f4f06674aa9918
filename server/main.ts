import path from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { buildApp } from './app.ts'
import { forkedWorker } from './backup/start-worker.ts'
import { systemClock as clock } from './clock.ts'
import { readCheckedConfig } from './config.ts'
import { demoAdminCheck } from './features/accounts/passwords.ts'
import { createEncoder, encoderProcess } from './features/images/encoder.ts'
import { releaseNeeded } from './features/images/image-quarantine.ts'
import { createVariants } from './features/images/variants.ts'
import { builtAssets } from './features/pages/built-assets.ts'
import { builtRenderer, openDevelopment } from './features/pages/renderer.ts'
import { surviveRequestFaults } from './http/request-faults.ts'
import { openLog } from './log.ts'
import { createMailer } from './mail/mailer.ts'
import { openMetrics } from './metrics.ts'
import { ownProgram, projectRoot } from './own-program.ts'
import { keepFilesPrivate } from './start/data-folder.ts'
import { prepareAccounts } from './start/first-start.ts'
import { openData } from './start/open-data.ts'
import { explainFailure, welcome } from './start/terminal.ts'

async function start() {
  keepFilesPrivate()
  const config = await readCheckedConfig(process.env)
  const log = await openLog(config)
  const { readOnly, lock, storage, database } = await openData(config, log)
  const development = process.env.NODE_ENV === 'development'
  const encoder = createEncoder(encoderProcess({ ...ownProgram('encoder'), log }))
  const variants = createVariants({ storage, encoder, clock, log })
  // Before the first request, so that no photo is missing. The hourly job retries what fails.
  await releaseNeeded({ database, storage, clock, encoder }).catch((error: unknown) =>
    log.error({ err: error }, 'photos could not be brought back from quarantine'),
  )
  await prepareAccounts({ config, database, storage, clock, variants, log })

  const metrics =
    config.metricsPort === undefined
      ? undefined
      : await openMetrics({
          connections: database.connections,
          waitingImages: encoder.waiting,
          waitingVariants: variants.waiting,
        })

  const worker = forkedWorker({ config, check: database.check })
  const mailer = createMailer({ config, database, clock, log })
  const { renderer, assets } = development ? await openDevelopment(projectRoot) : await openBuild()
  const app = await buildApp({
    config,
    database,
    storage,
    clock,
    encoder,
    variants,
    log,
    onAnswered: metrics?.answered,
    development,
    renderer,
    assets,
    mailer,
    worker,
  })
  surviveRequestFaults(log)
  const demoAdminActive = demoAdminCheck(database.db)
  let jobs: { stop(): Promise<void> } | undefined
  let isStopping = false

  // Called for the first signal; a second one ends the process at once.
  const stop = async (signal: string) => {
    isStopping = true
    log.info({ signal }, 'stopping: finishing what is under way')
    app.startDraining()
    await wait(config.drainSeconds * 1000)
    const jobsDone = jobs?.stop()
    const scheduledDone = worker.endScheduled()
    const mailsDone = mailer.stop()
    const cut = await app.closeWithin(config.stopSeconds * 1000)
    if (cut.length > 0) log.error({ cut }, 'stopped before these were finished: STOP_SECONDS is over')
    // Otherwise a database that does not answer keeps the process alive.
    setTimeout(() => process.exit(1), 10_000).unref()
    await Promise.all([jobsDone, scheduledDone, mailsDone, variants.stop(), encoder.stop(), worker.stop()])
    metrics?.stop()
    const isClosed = await database.close().then(
      () => true,
      (error: unknown) => {
        log.error({ err: error }, 'closing the database failed')
        return false
      },
    )
    lock?.release()
    process.exit(isClosed && cut.length === 0 ? 0 : 1)
  }
  process.once('SIGTERM', stop)
  process.once('SIGINT', stop)

  await app.listen({ port: config.port, host: config.host, listenTextResolver: (address) => `listening on ${address}` })
  // What is loaded from here on is not needed for listening.
  const { setFlagsFromString } = await import('node:v8')
  // Room for new objects stays as small as a start needs it: a busy site would hold 50 MB more. On the command line any such
  // flag makes Node 20 compile its own library anew, 40 ms of a start.
  setFlagsFromString('--semi-space-growth-factor=1')
  // Otherwise V8 lets garbage grow to three times what is in use before it collects: a busy site would hold 70 MB more.
  setFlagsFromString('--heap-growing-percent=40')
  renderer.warmUp().catch((error: unknown) => log.error({ err: error }, 'the pages cannot be rendered'))
  const { startJobs } = await import('./jobs/run-jobs.ts')
  if (!readOnly && !isStopping) {
    mailer.start()
    jobs = startJobs({ config, database, storage, clock, encoder, log, mailer, demoAdminActive, startJob: worker.run })
  }
  if (metrics && config.metricsPort !== undefined) {
    log.info({ port: await metrics.listen(config.metricsPort, config.host) }, 'metrics are served')
  }
  if (config.databaseUrl && !config.secretKeyFile) {
    log.warn('SECRET_KEY_FILE is not set: other processes cannot read passwords that are set in the panel of this one.')
  }
  if (!config.rateLimits) log.warn('RATE_LIMITS is off: anyone may send as much as they like. Only for load tests.')
  // Last, because comparing a password takes a while. While the site is being stopped the database may be closed.
  const demo = await demoAdminActive().catch(() => undefined)
  if (demo !== undefined) process.stdout.write(welcome({ app, config, demo }))
}

async function openBuild() {
  const clientFolder = path.join(projectRoot, 'dist/client')
  return { renderer: await builtRenderer(clientFolder), assets: builtAssets(clientFolder) }
}

start().catch((error: unknown) => {
  process.stderr.write(`${explainFailure(error)}\n`)
  process.exit(1)
})
