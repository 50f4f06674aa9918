import { randomUUID } from 'node:crypto'
import { constants, createReadStream } from 'node:fs'
import { access, mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises'
import path from 'node:path'
import { Readable } from 'node:stream'
import { freeBytesAt, openFile, writeNewFile } from './disk.ts'
import { checkedName, reportBytes, type Storage } from './storage.ts'
import { openUnfinished } from './unfinished.ts'

/**
 * Storage in a folder of this machine. One that is not `ours`, as when it is only read or on a share, gets no folders from us:
 * while a share is not mounted they would be on this disk.
 */
export async function openFolder(root: string, { ours = true } = {}): Promise<Storage> {
  const incoming = await openUnfinished(path.join(root, 'incoming'), { readOnly: !ours })

  const placeOf = (name: string) => path.join(root, checkedName(name))

  /** Names a file whose bytes are on the disk already. */
  const moveTo = async (target: string, file: string, onProgress = () => {}) => {
    if (ours) await mkdir(path.dirname(target), { recursive: true })
    await rename(file, target).catch(async (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EXDEV') throw error
      // A folder, such as backups, may be on another disk.
      await write(target, newHalf(target), reportBytes(createReadStream(file, pieces), onProgress))
      await rm(file, { force: true })
    })
    // A share may be unable to; what is copied there is read back.
    if (ours) await sync(path.dirname(target))
  }

  /** A partial file never has the name of a whole one. */
  const write = async (target: string, half: string, content: Readable) => {
    try {
      await writeNewFile(half, content, { flush: true })
      await moveTo(target, half)
    } catch (error) {
      await rm(half, { force: true })
      throw error
    }
  }

  return {
    async put(name, content) {
      const target = placeOf(name)
      const half = ours ? incoming.newFile() : newHalf(target)
      await write(target, half, content instanceof Readable ? content : Readable.from([content]))
    },
    read: (name) => readFile(placeOf(name)).catch(undefinedIfMissing),
    async stream(name) {
      const file = await open(placeOf(name)).catch(undefinedIfMissing)
      if (!file) return undefined
      const { size } = await file.stat()
      return { content: file.createReadStream(pieces), bytes: size }
    },
    open: async (name) => openFile(placeOf(name)).catch(undefinedIfMissing),
    async has(name) {
      return (await stat(placeOf(name)).catch(undefinedIfMissing)) !== undefined
    },
    async list(folder) {
      const place = placeOf(folder)
      const entries = (await readdir(place, { withFileTypes: true }).catch(undefinedIfMissing)) ?? []
      const names = entries.filter((entry) => entry.isFile() && !entry.name.startsWith('.')).map((entry) => entry.name)
      const files = await Promise.all(
        names.map(async (name) => {
          // It may have been removed since.
          const facts = await stat(path.join(place, name)).catch(undefinedIfMissing)
          return facts && { name: `${folder}/${name}`, bytes: facts.size, modifiedAt: facts.mtime }
        }),
      )
      return files.filter((file) => file !== undefined)
    },
    remove: (name) => rm(placeOf(name), { force: true }),
    async move(from, to) {
      await moveTo(placeOf(to), placeOf(from)).catch(undefinedIfMissing)
    },
    newDraft() {
      const file = incoming.newFile()
      return {
        write: (content) => writeNewFile(file, content),
        open: () => openFile(file),
        async keepAs(name, onProgress) {
          const target = placeOf(name)
          await sync(file)
          await moveTo(target, file, onProgress)
        },
        drop: () => rm(file, { force: true }),
      }
    },
    async clearUnfinished(before, only) {
      if (!only) await incoming.clear(before)
      for (const folder of await readdir(root, { withFileTypes: true })) {
        if (folder.isDirectory() && [undefined, folder.name].includes(only)) {
          await clearHalves(path.join(root, folder.name), before)
        }
      }
    },
    async freeBytes(folder = '') {
      const place = path.join(root, folder)
      await access(place, constants.W_OK)
      return freeBytesAt(place)
    },
    check: () => access(root, constants.R_OK),
  }
}

const pieces = { highWaterMark: 256 * 1024 }

/** On the disk of the file it is to become. */
const newHalf = (target: string) => path.join(path.dirname(target), `.vitrina-${randomUUID()}.part`)
/** Also those of earlier releases. */
const isHalf = (name: string) => /^\.(vitrina-)?[0-9a-f-]{36}(\.part)?$/.test(name)

/** Removes partial files that a kill has left on another disk. */
async function clearHalves(folder: string, before: Date) {
  for (const name of (await readdir(folder)).filter(isHalf)) {
    const facts = await stat(path.join(folder, name)).catch(undefinedIfMissing)
    if (facts && facts.mtime < before) await rm(path.join(folder, name), { force: true })
  }
}

/** Survives a power cut; a rename does once its folder is synced. */
export async function sync(place: string) {
  const handle = await open(place, 'r')
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
