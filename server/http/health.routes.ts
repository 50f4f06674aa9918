import type { FastifyInstance } from 'fastify'
import { type BackupHealth, checkHealth, checkReadiness } from '#contract/health.ts'
import { type DiskReserve, leastFree, openDiskReserve } from '#server/storage/disk.ts'
import { withTimeout } from '../clock.ts'
import type { Site } from '../site.ts'
import { sendProblem } from './errors.ts'
import { asDiskProblem, Problem } from './problem.ts'
import { serve } from './serve.ts'

/** Shorter than load balancers and monitors wait. */
const timeout = 4_000

type Parts = Pick<Site, 'config' | 'database' | 'storage' | 'clock' | 'demoAdminActive'>

/** Whether the site works, for monitors and load balancers; and refuses what a full disk cannot take. */
export function healthRoutes(app: FastifyInstance, site: Parts) {
  const { config, database, storage } = site
  // Only the built-in database shares the disk of the data folder.
  const reserve = config.databaseUrl ? undefined : openDiskReserve(config.dataDir)
  if (reserve) refuseOnFullDisk(app, reserve)

  const answers = () => Promise.all([database.check(), storage.check()])

  async function hasRoom() {
    return (!reserve || (await reserve.hasRoom())) && (await storage.freeBytes()) >= leastFree
  }

  async function describeBackups(): Promise<BackupHealth> {
    const { readStatus } = await import('#server/backup/status.ts')
    const { lastGood, warnings } = await readStatus(site)
    return { safeAsOf: lastGood?.at ?? null, shortfalls: warnings }
  }

  async function checkInTime(check: () => Promise<unknown>) {
    const done = check().then(() => true)
    try {
      if (!(await withTimeout(timeout, done, false))) throw new Error('The database or the storage did not answer in time.')
    } catch (error) {
      const cause = asDiskProblem(error)
      throw cause instanceof Problem ? cause : new Problem('unavailable', { cause })
    }
    return { status: 'ok' as const }
  }

  serve(app, checkHealth, async ({ request, reply }) => {
    reply.header('cache-control', 'no-store')
    const health = await checkInTime(async () => {
      await answers()
      if (!(await hasRoom())) throw new Problem('disk_full')
    })
    // Failed backups do not make the site unhealthy: a monitor would take it offline.
    const isOwner = (await app.sessions.find(request, reply))?.role === 'owner'
    const described =
      isOwner && (await withTimeout<BackupHealth | undefined>(timeout, describeBackups(), undefined).catch(() => undefined))
    return { ...health, ...(described && { backups: described }) }
  })

  // Ready on a full disk too: visitors only read.
  serve(app, checkReadiness, async ({ reply }) => {
    reply.header('cache-control', 'no-store')
    // Sent and not thrown, because every few seconds it would be logged as a failure.
    if (app.isDraining()) return sendProblem(reply, new Problem('unavailable'))
    return checkInTime(answers)
  })
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Served on a full disk too, as signing in, without which nothing can be deleted. */
    onFullDisk?: boolean
  }
}

/** On a nearly full disk nothing is added, so that reading and deleting still work. */
function refuseOnFullDisk(app: FastifyInstance, reserve: DiskReserve) {
  app.addHook('preHandler', async ({ method, routeOptions }) => {
    if (method !== 'POST' && method !== 'PUT' && method !== 'DELETE') return
    if (method === 'DELETE' || routeOptions.config.onFullDisk) return reserve.makeRoomForDeleting()
    if (!(await reserve.hasRoom())) throw new Problem('disk_full')
  })
}
