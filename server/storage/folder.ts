import { randomUUID } from 'node:crypto'
import { constants, createReadStream, createWriteStream } from 'node:fs'
import { access, mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises'
import path from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Storage } from './storage.ts'

const safeName = /^[a-z0-9][a-z0-9_.TZ-]*(\/[a-z0-9][a-z0-9_.TZ-]*)*$/

/** Storage in a folder of this machine. */
export async function openFolder(root: string): Promise<Storage> {
  const incoming = path.join(root, 'incoming')
  await mkdir(incoming, { recursive: true })
  // What a stopped process left half-written was never part of the site.
  for (const leftover of await readdir(incoming)) await rm(path.join(incoming, leftover), { force: true })

  const placeOf = (name: string) => {
    if (!safeName.test(name)) throw new Error(`Not a name for a stored file: ${name}`)
    return path.join(root, name)
  }

  return {
    async put(name, content) {
      const target = placeOf(name)
      const half = path.join(incoming, randomUUID())
      try {
        await pipeline(
          content instanceof Readable ? content : Readable.from([content]),
          createWriteStream(half, { flush: true }),
        )
        await mkdir(path.dirname(target), { recursive: true })
        await rename(half, target)
        await syncFolder(path.dirname(target))
      } catch (error) {
        await rm(half, { force: true })
        throw error
      }
    },
    read: (name) => readFile(placeOf(name)).catch(undefinedIfMissing),
    async stream(name) {
      const place = placeOf(name)
      const facts = await stat(place).catch(undefinedIfMissing)
      return facts && { content: createReadStream(place), bytes: facts.size }
    },
    async has(name) {
      return (await stat(placeOf(name)).catch(undefinedIfMissing)) !== undefined
    },
    async list(folder) {
      const place = placeOf(folder)
      const entries = (await readdir(place, { withFileTypes: true }).catch(undefinedIfMissing)) ?? []
      const files = entries.filter((entry) => entry.isFile())
      return Promise.all(
        files.map(async ({ name }) => {
          const facts = await stat(path.join(place, name))
          return { name: `${folder}/${name}`, bytes: facts.size, modifiedAt: facts.mtime }
        }),
      )
    },
    remove: (name) => rm(placeOf(name), { force: true }),
    check: () => access(incoming, constants.W_OK),
  }
}

/** A rename is only safe from a power cut once its folder is on the disk too. */
async function syncFolder(folder: string) {
  const handle = await open(folder, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

function undefinedIfMissing(error: NodeJS.ErrnoException) {
  if (error.code === 'ENOENT') return undefined
  throw error
}
