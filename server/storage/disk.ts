import { statSync } from 'node:fs'
import { rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { freeBytesAt } from './free-bytes.ts'

const megabyte = 1024 * 1024
const reserveBytes = 8 * megabyte
/** With less than this nothing is added any more. */
export const leastFree = 16 * megabyte
/** With less than this the database may be unable to delete. */
const leastForDeleting = 4 * megabyte

export type DiskReserve = {
  /** Whether something can be added. */
  hasRoom(): Promise<boolean>
  /** Gives the reserve away when the disk is so full that nothing could even be deleted. */
  makeRoomForDeleting(): Promise<void>
}

/**
 * A file that reserves space on the disk of the data folder, so that records can be deleted on a full disk. It is made again
 * as soon as it fits.
 */
export function openDiskReserve(dataDir: string): DiskReserve {
  const file = path.join(dataDir, 'reserve')
  const make = async () => {
    if (statSync(file, { throwIfNoEntry: false })?.size === reserveBytes) return
    // Another program may take the space first; the next call tries again.
    await writeFile(file, Buffer.alloc(reserveBytes), { flush: true }).catch(() => rm(file, { force: true }))
  }
  return {
    async hasRoom() {
      const free = await freeBytesAt(dataDir)
      if (free >= leastFree + reserveBytes) await make()
      return free >= leastFree
    },
    async makeRoomForDeleting() {
      if ((await freeBytesAt(dataDir)) < leastForDeleting) await rm(file, { force: true })
    },
  }
}
