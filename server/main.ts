import path from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { buildApp } from './app.ts'
import { startChores } from './chores.ts'
import { systemClock as clock } from './clock.ts'
import { ConfigError, readConfig } from './config.ts'
import { DataFolderInUse, lockDataFolder } from './data-lock.ts'
import { DatabaseUnreachable } from './database/database-away.ts'
import { openDatabase } from './database/open.ts'
import { encoderProgram } from './encoder-program.ts'
import { demoAccountCheck } from './features/admins/demo-account.ts'
import { createEncoder } from './features/images/encoder.ts'
import { encoderProcess } from './features/images/encoder-process.ts'
import { createVariants } from './features/images/variants.ts'
import { builtAssets } from './features/pages/built-assets.ts'
import { builtRenderer } from './features/pages/renderer.ts'
import { prepareAccounts } from './first-start.ts'
import { openLog } from './log.ts'
import { openMetrics } from './metrics.ts'
import { projectRoot } from './project-root.ts'
import { openStorage } from './storage/open-storage.ts'
import { welcome } from './welcome.ts'

async function start() {
  const config = readConfig(process.env)
  const log = await openLog(config)
  // With both elsewhere the folder holds nothing but files in the making, and any number of processes may run.
  const lock = config.databaseUrl && config.bucket ? undefined : lockDataFolder(config.dataDir)
  const database = await openDatabase({
    url: config.databaseUrl,
    dataDir: config.dataDir,
    mostConnections: config.databaseConnections,
    onLost: (error) => log.warn({ err: error }, 'the database dropped an idle connection'),
  })
  const storage = await openStorage(config)
  const development = process.env.NODE_ENV === 'development'
  const workshop = encoderProcess({ ...encoderProgram(development), log })
  const encoder = createEncoder(workshop)
  const variants = createVariants({ storage, encoder, clock, log })
  await prepareAccounts({ config, database, storage, clock, encoder, variants, log })

  const metrics =
    config.metricsPort === undefined
      ? undefined
      : await openMetrics({
          connections: database.connections,
          waitingPhotos: encoder.waiting,
          waitingCopies: variants.waiting,
        })

  // Comparing a password takes a while, on another thread.
  const isDemo = demoAccountCheck(database.db)()
  isDemo.catch(() => {})
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
  })
  const chores = startChores({ database, storage, clock, log })

  // Called once, by the first signal; a second one ends the process the hard way.
  const stop = async (signal: string) => {
    log.info({ signal }, 'stopping: finishing what is under way')
    app.sayGoodbye()
    await wait(config.drainSeconds * 1000)
    // Whatever still hangs then, a database that does not answer for instance, is not worth waiting for.
    setTimeout(() => process.exit(1), 30_000).unref()
    const impatience = setTimeout(() => app.server.closeAllConnections(), 3_500)
    const choresDone = chores.stop()
    await app.close()
    clearTimeout(impatience)
    await Promise.all([choresDone, variants.stop(), workshop.stop()])
    metrics?.stop()
    await database.close()
    lock?.release()
    process.exit(0)
  }
  process.once('SIGTERM', stop)
  process.once('SIGINT', stop)

  await app.listen({ port: config.port, host: config.host, listenTextResolver: (address) => `listening on ${address}` })
  if (metrics && config.metricsPort !== undefined) {
    log.info({ port: await metrics.listen(config.metricsPort, config.host) }, 'metrics are served')
  }
  if (!config.rateLimits) log.warn('RATE_LIMITS is off: anyone may send as much as they like. Only for load tests.')
  process.stdout.write(welcome({ app, config, demo: await isDemo }))
  renderer.warmUp().catch((error: unknown) => log.error({ err: error }, 'the pages cannot be rendered'))
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
  const expected = [ConfigError, DataFolderInUse, DatabaseUnreachable].some((kind) => error instanceof kind)
  process.stderr.write(`${expected ? (error as Error).message : explain(error)}\n`)
  process.exit(1)
})

function explain(error: unknown) {
  const { code, address, port } = error as { code?: string; address?: string; port?: number }
  if (code === 'EADDRINUSE')
    return `Cannot start: something else is listening on ${address}:${port}. Set PORT to another number.`
  return `Cannot start: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`
}
