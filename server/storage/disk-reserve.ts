import { statSync } from 'node:fs'
import { rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { freeBytesAt } from './free-bytes.ts'

const megabyte = 1024 * 1024
const reserveBytes = 8 * megabyte
/** With less than this nothing is added any more. */
export const leastFree = 16 * megabyte
/** With less than this the database may not find the room that deleting takes. */
const leastForDeleting = 4 * megabyte

export type DiskReserve = {
  /** Whether there is room to add something. */
  hasRoom(): Promise<boolean>
  /** Gives the reserve away when the disk is so full that nothing could even be deleted. */
  makeRoomForDeleting(): Promise<void>
}

/**
 * A file that holds room on the disk of the data folder: whatever else fills that disk, what is there can still be deleted.
 * It is made again as soon as there is room for it.
 */
export function openDiskReserve(dataDir: string): DiskReserve {
  const file = path.join(dataDir, 'reserve')
  const make = async () => {
    if (statSync(file, { throwIfNoEntry: false })?.size === reserveBytes) return
    // Another program may be quicker to take the room; the next look tries again.
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
