import type { FastifyInstance } from 'fastify'
import type { DiskReserve } from '#server/storage/disk.ts'
import { Problem } from './problem.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Answered on a full disk as well: without signing in nothing can be deleted. */
    onFullDisk?: boolean
  }
}

/** On a disk that is nearly full nothing is added any more, so that what is there can still be read and deleted. */
export function refuseOnFullDisk(app: FastifyInstance, reserve: DiskReserve) {
  app.addHook('preHandler', async ({ method, routeOptions }) => {
    if (method !== 'POST' && method !== 'PUT' && method !== 'DELETE') return
    if (method === 'DELETE' || routeOptions.config.onFullDisk) return reserve.makeRoomForDeleting()
    if (!(await reserve.hasRoom())) throw new Problem('disk_full')
  })
}
