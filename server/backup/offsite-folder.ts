import { randomUUID } from 'node:crypto'
import { createReadStream, existsSync } from 'node:fs'
import { mkdir, readdir, rename, rm, stat } from 'node:fs/promises'
import path from 'node:path'
import { daysBefore } from '#server/clock.ts'
import { Problem } from '#server/http/problem.ts'
import { freeBytesAt, openFile, writeNewFile } from '#server/storage/disk.ts'
import { backupsFolder } from './backup-names.ts'
import { usualMargin } from './disk-space.ts'
import type { OffsiteTarget } from './offsite-bucket.ts'

const halfCopy = /^\.vitrina-[0-9a-f-]{36}\.part$/

/** A folder on another disk or a share. */
export function openFolderTarget(root: string): OffsiteTarget {
  const folder = path.join(root, backupsFolder)
  const placeOf = (file: string) => path.join(folder, file)

  return {
    async list({ isNew }) {
      // Never later, and never the folder above it: with a share that is not mounted, copies would go to this disk.
      if (!(await readdir(root)).includes(backupsFolder)) {
        if (!isNew) throw new Problem('elsewhere_empty')
        await mkdir(folder)
      }
      return readdir(folder)
    },
    async put(file, content, bytes) {
      // Left by processes that were killed. Those younger than a day may still be written by another site.
      for (const half of (await readdir(folder)).filter((name) => halfCopy.test(name)).map(placeOf)) {
        if ((await stat(half)).mtime < daysBefore(new Date(), 1)) await rm(half, { force: true })
      }
      const free = await freeBytesAt(folder)
      if (free < bytes + usualMargin) throw new Error(`${free} bytes are free where ${bytes} come.`)
      const part = placeOf(`.vitrina-${randomUUID()}.part`)
      try {
        await writeNewFile(part, content, { flush: true })
        await rename(part, placeOf(file))
      } finally {
        await rm(part, { force: true })
      }
    },
    read: async (file) => createReadStream(placeOf(file), { highWaterMark: 256 * 1024 }),
    remove: (file) => rm(placeOf(file), { force: true }),
    open: async (file) => (existsSync(placeOf(file)) ? openFile(placeOf(file)) : undefined),
  }
}
