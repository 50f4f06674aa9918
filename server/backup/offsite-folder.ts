import { randomUUID } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { mkdir, readdir, rename, rm, stat } from 'node:fs/promises'
import path from 'node:path'
import { daysBefore } from '#server/clock.ts'
import { freeBytesAt, openFile, writeNewFile } from '#server/storage/disk.ts'
import { sync } from '#server/storage/folder.ts'
import { checkedName } from '#server/storage/storage.ts'
import { backupsFolder, storedBackup } from './backup-names.ts'
import { usualMargin } from './disk-space.ts'
import type { OffsiteTarget } from './offsite-bucket.ts'

/** A folder on another disk or a share. */
export function openFolderTarget(root: string): OffsiteTarget {
  const folder = path.join(root, backupsFolder)
  const placeOf = (file: string) => path.join(root, checkedName(storedBackup(file)))
  const isThere = async () => (await readdir(root)).includes(backupsFolder)

  return {
    list: async () => ((await isThere()) ? readdir(folder) : undefined),
    async put(file, content, { bytes, isFirst }) {
      // Never for later ones, and never the folder above it: with a share that is not mounted, copies would go to this disk.
      if (isFirst && !(await isThere())) await mkdir(folder)
      await removeHalfCopies(folder)
      const free = await freeBytesAt(folder)
      if (free < bytes + usualMargin) throw new Error(`${free} bytes are free where ${bytes} come.`)
      const part = path.join(folder, `.vitrina-${randomUUID()}.part`)
      try {
        await writeNewFile(part, content, { flush: true })
        const { size } = await stat(part)
        if (size !== bytes) throw new Error(`${size} bytes came where ${bytes} were announced.`)
        await rename(part, placeOf(file))
      } catch (error) {
        await rm(part, { force: true })
        throw error
      }
      // Not every share can; the copy is read back anyway.
      await sync(folder).catch(() => {})
    },
    read: async (file) => createReadStream(placeOf(file), { highWaterMark: 256 * 1024 }),
    remove: (file) => rm(placeOf(file), { force: true }),
    open: (file) =>
      openFile(placeOf(file)).catch((error: NodeJS.ErrnoException) => {
        if (error.code === 'ENOENT') return undefined
        throw error
      }),
  }
}

/** Left by processes that were killed. Those younger than a day may still be written by another site. */
async function removeHalfCopies(folder: string) {
  const before = daysBefore(new Date(), 1)
  for (const name of (await readdir(folder)).filter((each) => /^\.vitrina-[0-9a-f-]{36}\.part$/.test(each))) {
    const facts = await stat(path.join(folder, name)).catch(() => undefined)
    if (facts && facts.mtime < before) await rm(path.join(folder, name), { force: true })
  }
}
