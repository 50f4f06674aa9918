import { createWriteStream, statSync } from 'node:fs'
import { open, rm, statfs, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { OpenFile } from './storage.ts'

const megabyte = 1024 * 1024
const reserveBytes = 8 * megabyte
/** With less than this nothing is added. */
export const leastFree = 16 * megabyte
/** With less than this the database may be unable to delete. */
const leastForDeleting = 4 * megabyte

export type DiskReserve = {
  /** Whether something can be added. */
  hasRoom(): Promise<boolean>
  /** Removes the reserve when the disk is too full for deleting. */
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

/** Free space of the disk under a folder. */
export async function freeBytesAt(folder: string) {
  return (await roomAt(folder)).free
}

/** The same with how many files it has room for; undefined where the file system has no limit. */
export async function roomAt(folder: string) {
  const { bavail, bsize, files, ffree } = await statfs(folder)
  return { free: bavail * bsize, inodes: files > 0 ? ffree : undefined }
}

/** A file of this machine. */
export async function openFile(file: string): Promise<OpenFile> {
  const handle = await open(file, 'r')
  const { size } = await handle.stat()
  return {
    bytes: size,
    file,
    async read(start, bytes) {
      const { buffer, bytesRead } = await handle.read(Buffer.allocUnsafeSlow(bytes), 0, bytes, start)
      if (bytesRead !== bytes) throw new Error(`The file ends before ${start + bytes}.`)
      return buffer
    },
    close: () => handle.close(),
  }
}

type Content = Readable | (() => AsyncIterable<string>)

/** Resolves when the file is closed, also after a failure: removed before it is opened, it would be created again. */
export async function writeNewFile(place: string, content: Content, options: { flush?: boolean; mode?: number } = {}) {
  const file = createWriteStream(place, { flags: 'wx', ...options })
  const closed = new Promise<void>((resolve) => file.once('close', resolve))
  await pipeline(content, file).finally(() => closed)
}
