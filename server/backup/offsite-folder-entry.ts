import { randomUUID } from 'node:crypto'
import { mkdir, readdir, rename, rm, stat } from 'node:fs/promises'
import path from 'node:path'
import { pipeline } from 'node:stream/promises'
import { daysBefore } from '#server/clock.ts'
import { freeBytesAt, writeNewFile } from '#server/storage/disk.ts'
import { openFolder, sync } from '#server/storage/folder.ts'
import { checkedName } from '#server/storage/storage.ts'
import { usualMargin } from './disk-space.ts'

// A process of its own that can be killed: a share that is away blocks the threads that read it, and the site could neither
// read its own files nor end.
const [root = '', command = '', name = '', bytes = '', isFirst = ''] = process.argv.slice(2)
const half = /^\.vitrina-[0-9a-f-]{36}\.part$/

const commands: Record<string, () => Promise<void>> = {
  /** Prints null where there is no folder of that name. */
  async list() {
    const isThere = (await readdir(root)).includes(name)
    const storage = await openFolder(root, { readOnly: true })
    process.stdout.write(JSON.stringify(isThere ? await storage.list(name) : null))
  },

  /** Whole or not at all: a sender that is killed has sent less than it announced. */
  async put() {
    const target = path.join(root, checkedName(name))
    const folder = path.dirname(target)
    // Only for the first copy, and never the folder above it: with a share that is not mounted, copies would go to this disk.
    if (isFirst)
      await mkdir(folder).catch((error: NodeJS.ErrnoException) => {
        if (error.code !== 'EEXIST') throw error
      })
    await removeHalfCopies(folder)
    const free = await freeBytesAt(folder)
    if (free < Number(bytes) + usualMargin) throw new Error(`${free} bytes are free where ${bytes} come.`)
    const part = path.join(folder, `.vitrina-${randomUUID()}.part`)
    try {
      await writeNewFile(part, process.stdin, { flush: true })
      const { size } = await stat(part)
      if (size !== Number(bytes)) throw new Error(`${size} bytes came where ${bytes} were announced.`)
      await rename(part, target)
    } catch (error) {
      await rm(part, { force: true })
      throw error
    }
    // Not every share can; the copy is read back anyway.
    await sync(folder).catch(() => {})
  },

  async read() {
    const stored = await (await openFolder(root, { readOnly: true })).stream(name)
    if (!stored) throw new Error(`${name} is not there.`)
    await pipeline(stored.content, process.stdout)
  },

  async remove() {
    await rm(path.join(root, checkedName(name)), { force: true })
  },
}

/** Left by processes that were killed. Those younger than a day may still be written by another process. */
async function removeHalfCopies(folder: string) {
  const before = daysBefore(new Date(), 1)
  for (const name of (await readdir(folder)).filter((each) => half.test(each))) {
    const facts = await stat(path.join(folder, name)).catch(() => undefined)
    if (facts && facts.mtime < before) await rm(path.join(folder, name), { force: true })
  }
}

try {
  await commands[command]?.()
} catch (error) {
  process.stderr.write(String(error))
  process.exitCode = 1
}
