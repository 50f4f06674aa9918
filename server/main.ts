import path from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import type { FastifyBaseLogger } from 'fastify'
import { buildApp } from './app.ts'
import { keepBeforeUpdate } from './backup/backup-parts.ts'
import { startBackupSchedule } from './backup/schedule.ts'
import { startChores } from './chores.ts'
import { systemClock as clock } from './clock.ts'
import { type Config, ConfigError, readConfig } from './config.ts'
import { DataFolderUnusable, prepareDataFolder } from './data-folder.ts'
import { DataFolderInUse, lockDataFolder } from './data-lock.ts'
import { DatabaseUnreachable } from './database/database-away.ts'
import { DatabaseUnusable } from './database/database-unusable.ts'
import { openDatabase } from './database/open.ts'
import { demoAdminCheck } from './features/accounts/demo-admin.ts'
import { bringBackWanted } from './features/images/aside.ts'
import { createEncoder, encoderProcess } from './features/images/encoder.ts'
import { createVariants } from './features/images/variants.ts'
import { builtAssets } from './features/pages/built-assets.ts'
import { builtRenderer } from './features/pages/renderer.ts'
import { prepareAccounts } from './first-start.ts'
import { asDiskProblem } from './http/disk-problem.ts'
import { Problem } from './http/problem.ts'
import { surviveRequestFaults } from './http/request-faults.ts'
import { openLog } from './log.ts'
import { CannotStart, isEmptySite, refuseFirstStart, withCures } from './lost-database.ts'
import { createMailer } from './mail/mailer.ts'
import { openMetrics } from './metrics.ts'
import { ownProgram } from './own-program.ts'
import { keepFilesPrivate } from './private-files.ts'
import { projectRoot } from './project-root.ts'
import { claimStorage, StorageOfAnotherSite } from './site-id.ts'
import { openDiskReserve } from './storage/disk-reserve.ts'
import { openStorage } from './storage/open-storage.ts'
import type { Storage } from './storage/storage.ts'
import { openUnfinished } from './storage/unfinished.ts'
import { welcome } from './welcome.ts'

async function start() {
  keepFilesPrivate()
  const config = readConfig(process.env)
  const log = await openLog(config)
  // With both elsewhere nothing is kept in the folder, and any number of processes may run.
  const isElsewhere = config.databaseUrl !== undefined && config.bucket !== undefined
  const { readOnly, unwritable } = isElsewhere ? { readOnly: false, unwritable: undefined } : prepareDataFolder(config.dataDir)
  if (unwritable) {
    const left = readOnly ? 'the site is shown and nothing can be changed' : 'no backup can be made, and the rest works'
    log.warn({ folder: unwritable }, `the disk cannot be written to: ${left}`)
  }
  const lock = isElsewhere || readOnly ? undefined : lockDataFolder(config.dataDir)
  if (!isElsewhere && !readOnly) await openDiskReserve(config.dataDir).makeRoomForDeleting()
  const storage = await openStorage(config, { readOnly })
  const database = await openSiteDatabase({ config, storage, log, readOnly })
  await claimStorage({
    db: database.db,
    storage,
    log,
    mayClaim: async () => {
      if (await isEmptySite(database.db)) await refuseFirstStart({ config, storage })
    },
  }).catch((error: unknown) => withCuresFor(error, { config, storage }))
  if (!config.databaseUrl && !readOnly) (await openUnfinished(path.join(config.dataDir, 'unfinished'))).release()
  const development = process.env.NODE_ENV === 'development'
  const encoder = createEncoder(encoderProcess({ ...ownProgram('encoder'), log }))
  const variants = createVariants({ storage, encoder, clock, log })
  // Before the first request. What fails here is tried again every hour.
  await bringBackWanted({ database, storage, clock, encoder }).catch((error: unknown) =>
    log.error({ err: error }, 'photos that were set aside could not be brought back'),
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

  const mailer = config.mail && createMailer({ settings: config.mail, database, clock, log })
  const { renderer, assets } = development ? await fromSources() : await fromBuild()
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
  })
  surviveRequestFaults(log)
  const { publicUrl } = config
  const chores = readOnly ? undefined : startChores({ database, storage, clock, encoder, log, mailer, publicUrl })
  const backupSchedule = readOnly
    ? undefined
    : startBackupSchedule({ ...app.backups, database, storage, clock, log, mailer, publicUrl })

  // For the first signal; a second one ends the process at once.
  const stop = async (signal: string) => {
    log.info({ signal }, 'stopping: finishing what is under way')
    app.startDraining()
    await wait(config.drainSeconds * 1000)
    const choresDone = chores?.stop()
    const scheduleDone = backupSchedule?.stop()
    const mailsDone = mailer?.stop()
    const cut = await app.closeWithin(config.stopSeconds * 1000)
    if (cut.length > 0) log.error({ cut }, 'stopped before these were finished: STOP_SECONDS is over')
    // Not waited for: a database that does not answer, for instance.
    setTimeout(() => process.exit(1), 10_000).unref()
    await Promise.all([choresDone, scheduleDone, mailsDone, variants.stop(), encoder.stop()])
    metrics?.stop()
    const isClosed = await database.close().then(
      () => true,
      (error: unknown) => {
        log.error({ err: error }, 'the database could not be closed well')
        return false
      },
    )
    lock?.release()
    process.exit(isClosed && cut.length === 0 ? 0 : 1)
  }
  process.once('SIGTERM', stop)
  process.once('SIGINT', stop)

  await app.listen({ port: config.port, host: config.host, listenTextResolver: (address) => `listening on ${address}` })
  // Room for new objects stays as small as a start needs it: a busy site would hold 50 MB more. On the command line any such
  // flag makes Node 20 compile its own library anew, 40 ms of a start.
  setFlagsFromString('--semi-space-growth-factor=1')
  // Otherwise V8 lets garbage grow to three times what is in use before it collects: a busy site would hold 70 MB more.
  setFlagsFromString('--heap-growing-percent=40')
  if (!readOnly) mailer?.start()
  if (metrics && config.metricsPort !== undefined) {
    log.info({ port: await metrics.listen(config.metricsPort, config.host) }, 'metrics are served')
  }
  if (!config.rateLimits) log.warn('RATE_LIMITS is off: anyone may send as much as they like. Only for load tests.')
  renderer.warmUp().catch((error: unknown) => log.error({ err: error }, 'the pages cannot be rendered'))
  // Comparing a password takes a while, and the site answers already. One that is being stopped has nobody to welcome.
  const demo = await demoAdminCheck(database.db)().catch(() => undefined)
  if (demo !== undefined) process.stdout.write(welcome({ app, config, demo }))
}

type DatabaseParts = { config: Config; storage: Storage; log: FastifyBaseLogger; readOnly: boolean }

/** On a disk so full that the built-in database cannot be opened for writing, visitors are shown what is there. */
async function openSiteDatabase({ config, storage, log, readOnly }: DatabaseParts) {
  const open = (settings: { readOnly: boolean }) =>
    openDatabase({
      url: config.databaseUrl,
      dataDir: config.dataDir,
      maxConnections: config.databaseConnections,
      onLost: (error) => log.warn({ err: error }, 'the database dropped an idle connection'),
      onOlder: (processes) =>
        log.warn(
          { processes },
          'processes of an older release use this database: stop them, what is saved through them may be refused',
        ),
      onNew: () => refuseFirstStart({ config, storage }),
      beforeUpdate: (dump) => keepBeforeUpdate({ storage, clock, log }, dump),
      ...settings,
    })
  try {
    return await open({ readOnly }).catch(async (error: unknown) => {
      const problem = asDiskProblem(error)
      if (readOnly || !(problem instanceof Problem) || config.databaseUrl) throw error
      const shown = await open({ readOnly: true }).catch(() => {
        throw error
      })
      log.error(
        { err: error },
        'the disk is full: the site is shown, and nothing can be changed until there is room and a restart',
      )
      return shown
    })
  } catch (error) {
    return withCuresFor(error, { config, storage })
  }
}

async function withCuresFor(error: unknown, parts: { config: Config; storage: Storage }): Promise<never> {
  throw error instanceof DatabaseUnusable ? await withCures(error, parts) : error
}

async function fromBuild() {
  const clientFolder = path.join(projectRoot, 'dist/client')
  return { renderer: await builtRenderer(clientFolder), assets: builtAssets(clientFolder) }
}

async function fromSources() {
  const { openDevelopment } = await import('./features/pages/development.ts')
  return openDevelopment(projectRoot)
}

start().catch((error: unknown) => {
  process.stderr.write(`${explain(error)}\n`)
  process.exit(1)
})

const expected = [ConfigError, CannotStart, DataFolderInUse, DataFolderUnusable, DatabaseUnreachable, StorageOfAnotherSite]

function explain(thrown: unknown) {
  const error = asDiskProblem(thrown)
  if (expected.some((kind) => error instanceof kind)) return (error as Error).message
  // Its own sentence says that nothing was changed, and the tables may be by now.
  if (error instanceof Problem && error.code === 'disk_full')
    return 'Cannot start: there is not enough room on the disk of the server. Free some room and start again.'
  if (error instanceof Problem) return `Cannot start: ${error.message}`
  const { code, address, port } = error as { code?: string; address?: string; port?: number }
  if (code === 'EADDRINUSE')
    return `Cannot start: something else is listening on ${address}:${port}. Set PORT to another number.`
  return `Cannot start: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`
}
