import { randomUUID } from 'node:crypto'
import { mkdir, readdir, rename, rm, stat } from 'node:fs/promises'
import path from 'node:path'
import { pipeline } from 'node:stream/promises'
import { daysBefore } from '#server/clock.ts'
import { freeBytesAt, writeNewFile } from '#server/storage/disk.ts'
import { openFolder, sync } from '#server/storage/folder.ts'
import { checkedName } from '#server/storage/storage.ts'
import { usualMargin } from './disk-space.ts'

// A process of its own: a share that is away holds on to whoever asks for it, and would keep the site from reading its own
// files, and from ending. It can be killed.
const [root = '', command = '', name = '', bytes = '', isFirst = ''] = process.argv.slice(2)
const half = /^\.vitrina-[0-9a-f-]{36}\.part$/

const commands: Record<string, () => Promise<void>> = {
  /** Answers null when there is no folder of that name. */
  async list() {
    const isThere = (await readdir(root)).includes(name)
    const storage = await openFolder(root, { readOnly: true })
    process.stdout.write(JSON.stringify(isThere ? await storage.list(name) : null))
  },

  /** Whole or not at all: when the one who sends it is killed, less comes than was announced. */
  async put() {
    const target = path.join(root, checkedName(name))
    const folder = path.dirname(target)
    // Only for the first copy, and not the folder above it: a share that is not mounted must not be replaced by a folder of
    // this disk.
    if (isFirst)
      await mkdir(folder).catch((error: NodeJS.ErrnoException) => {
        if (error.code !== 'EEXIST') throw error
      })
    await clearHalves(folder)
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
    // Not every share knows how to; that it is there is seen when it is read again.
    await sync(folder).catch(() => {})
  },

  async read() {
    const found = await (await openFolder(root, { readOnly: true })).stream(name)
    if (!found) throw new Error(`${name} is not there.`)
    await pipeline(found.content, process.stdout)
  },

  async remove() {
    await rm(path.join(root, checkedName(name)), { force: true })
  },
}

/** What a kill has left a day ago or longer; younger ones may be another process's. */
async function clearHalves(folder: string) {
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
