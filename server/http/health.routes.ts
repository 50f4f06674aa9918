import type { FastifyInstance } from 'fastify'
import { type BackupHealth, checkHealth, checkReadiness } from '#contract/health.ts'
import { type DiskReserve, leastFree, openDiskReserve } from '#server/storage/disk-reserve.ts'
import { withTimeout } from '../clock.ts'
import type { Site } from '../site.ts'
import { sendProblem } from './errors.ts'
import { asDiskProblem, Problem } from './problem.ts'
import { serve } from './serve.ts'

/** Load balancers and monitors do not wait long for an answer. */
const timeout = 4_000

type Parts = Pick<Site, 'config' | 'database' | 'storage' | 'backups'>

/** Whether the site works, for monitors and load balancers; and refuses what a full disk cannot take. */
export function healthRoutes(app: FastifyInstance, { config, database, storage, backups }: Parts) {
  // Only the built-in database shares the disk of the data folder.
  const reserve = config.databaseUrl ? undefined : openDiskReserve(config.dataDir)
  if (reserve) refuseOnFullDisk(app, reserve)

  const answers = () => Promise.all([database.check(), storage.check()])

  async function hasRoom() {
    return (!reserve || (await reserve.hasRoom())) && (await storage.freeBytes()) >= leastFree
  }

  async function describeBackups(): Promise<BackupHealth> {
    const { safe, shortfalls } = await backups.readState()
    return { safeAsOf: safe?.at ?? null, shortfalls }
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
    // A site whose backups fail serves its visitors all the same: no monitor is to take it away from them.
    const isSignedIn = (await app.sessions.find(request, reply)) !== undefined
    const described =
      isSignedIn && (await withTimeout<BackupHealth | undefined>(timeout, describeBackups(), undefined).catch(() => undefined))
    return { ...health, ...(described && { backups: described }) }
  })

  // A full disk is no reason to send visitors elsewhere: they only read.
  serve(app, checkReadiness, async ({ reply }) => {
    reply.header('cache-control', 'no-store')
    // Called every few seconds: not thrown, so that it is not logged as a failure each time.
    if (app.isDraining()) return sendProblem(reply, new Problem('unavailable'))
    return checkInTime(answers)
  })
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Answered on a full disk as well: without signing in nothing can be deleted. */
    onFullDisk?: boolean
  }
}

/** On a disk that is nearly full nothing is added any more, so that what is there can still be read and deleted. */
function refuseOnFullDisk(app: FastifyInstance, reserve: DiskReserve) {
  app.addHook('preHandler', async ({ method, routeOptions }) => {
    if (method !== 'POST' && method !== 'PUT' && method !== 'DELETE') return
    if (method === 'DELETE' || routeOptions.config.onFullDisk) return reserve.makeRoomForDeleting()
    if (!(await reserve.hasRoom())) throw new Problem('disk_full')
  })
}
