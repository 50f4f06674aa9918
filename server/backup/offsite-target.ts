import { spawn } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { daysBefore } from '#server/clock.ts'
import type { Elsewhere } from '#server/config.ts'
import { Problem } from '#server/http/problem.ts'
import { ownProgram } from '#server/own-program.ts'
import { openFile } from '#server/storage/disk.ts'
import type { BucketSettings } from '#server/storage/s3.ts'
import { type OpenFile, type Storage, StorageFailed } from '#server/storage/storage.ts'
import { sealedEnding, unsealedName } from './age.rules.ts'
import { backupsFolder, isBackupName, storedBackup } from './backup-names.ts'

/**
 * The second place: it looks like the storage of a site that has backups and nothing else. Only what is in its folder
 * `backups` and has the name of a backup is ever looked at.
 */
export type Place = {
  kind: Elsewhere['kind']
  /** Where copies were brought before (`hasCopies`), a folder without their folder is not taken for the place. */
  list(signal: AbortSignal, about?: { hasCopies?: boolean }): Promise<Copy[]>
  put(file: string, content: Readable, about: { bytes: number; signal: AbortSignal; hasCopies?: boolean }): Promise<void>
  read(file: string, signal: AbortSignal): Promise<Readable>
  remove(file: string, signal: AbortSignal): Promise<void>
  /** For random access; undefined when there is no such file. */
  open(file: string): Promise<OpenFile | undefined>
}

/** Nothing is asked of it yet. */
export function openPlace(elsewhere: Elsewhere): Place {
  return elsewhere.kind === 'folder' ? openFolderPlace(elsewhere.folder) : openBucketPlace(elsewhere.bucket)
}

function openBucketPlace(settings: BucketSettings): Place {
  let opened: Promise<Place> | undefined
  const place = () => {
    opened ??= loadBucketPlace(settings).catch((error: unknown) => {
      // Tried again with the next call.
      opened = undefined
      throw error
    })
    return opened
  }
  return {
    kind: 'bucket',
    list: async (...asked) => (await place()).list(...asked),
    put: async (...asked) => (await place()).put(...asked),
    read: async (...asked) => (await place()).read(...asked),
    remove: async (...asked) => (await place()).remove(...asked),
    open: async (...asked) => (await place()).open(...asked),
  }
}

async function loadBucketPlace(settings: BucketSettings): Promise<Place> {
  const { abortUploadsTo, openBucket } = await import('#server/storage/s3.ts')
  const place = placeIn(await openBucket(settings))
  return {
    ...place,
    async put(...copy) {
      // What a kill has left. Not every service answers that.
      await abortUploadsTo(settings, storedBackup('complete_backup_'), daysBefore(new Date(), 1)).catch(() => {})
      await place.put(...copy)
    },
  }
}

export function placeIn(storage: Storage): Place {
  return {
    kind: 'bucket',
    list: async () => copiesAmong(await storage.list(backupsFolder)),
    put: (file, content) => storage.put(storedBackup(file), content),
    async read(file) {
      const found = await storage.stream(storedBackup(file))
      if (!found) throw new Error(`${file} is not there.`)
      return found.content
    },
    remove: (file) => storage.remove(storedBackup(file)),
    open: (file) => storage.open(storedBackup(file)),
  }
}

/** A backup that lies elsewhere, as it lies there: it may be encrypted. */
export async function openFrom(place: Place, filename: string): Promise<OpenFile | undefined> {
  const name = unsealedName(filename)
  return (await place.open(`${name}${sealedEnding}`)) ?? place.open(name)
}

/** `file` is the name of the backup, or that and `.age`. */
export type Copy = { filename: string; file: string; bytes: number }

function copiesAmong(files: Awaited<ReturnType<Storage['list']>>): Copy[] {
  return files
    .map(({ name, bytes }) => ({ file: name.slice(storedBackup('').length), bytes }))
    .map((copy) => ({ ...copy, filename: unsealedName(copy.file) }))
    .filter(({ filename }) => isBackupName(filename))
}

const { PATH, TMPDIR } = process.env

/** A folder on another disk or on a share, which another process reads and writes. */
function openFolderPlace(folder: string): Place {
  let last: Promise<unknown> = Promise.resolve()

  async function start(signal: AbortSignal, ...args: string[]) {
    // One that does not end when it is killed waits for the share; more of them would only wait beside it.
    await last
    const { file, execArgv = [] } = ownProgram('offsite-folder')
    const options = { env: { PATH, TMPDIR }, signal, killSignal: 'SIGKILL' } as const
    const child = spawn(process.execPath, [...execArgv, file, folder, ...args], options)
    const said = text(child.stderr)
    const ended = once(child, 'close').then(async ([code]) => {
      if (code !== 0) throw new StorageFailed(new Error(await said))
    })
    last = new Promise((resolve) => child.once('error', () => child.pid ?? resolve(undefined)).once('exit', resolve))
    // Told to the one who waits for it.
    ended.catch(() => {})
    return { child, ended }
  }

  return {
    kind: 'folder',
    async list(signal, { hasCopies = false } = {}) {
      const { child, ended } = await start(signal, 'list', backupsFolder)
      const [answer] = await Promise.all([text(child.stdout), ended])
      const files: Parameters<typeof copiesAmong>[0] | null = JSON.parse(answer)
      if (!files && hasCopies) throw new Problem('elsewhere_empty')
      return copiesAmong(files ?? [])
    },
    async put(file, content, { bytes, signal, hasCopies }) {
      const { child, ended } = await start(signal, 'put', storedBackup(file), String(bytes), hasCopies ? '' : 'first')
      const [sent, kept] = await Promise.allSettled([pipeline(content, child.stdin), ended])
      // It says more than that it takes no more.
      if (kept.status === 'rejected') throw kept.reason
      if (sent.status === 'rejected') throw sent.reason
    },
    async read(file, signal) {
      const { child, ended } = await start(signal, 'read', storedBackup(file))
      const content = async function* () {
        yield* child.stdout
        await ended
      }
      return Readable.from(content(), { objectMode: false })
    },
    remove: async (file, signal) => (await start(signal, 'remove', storedBackup(file))).ended,
    // At the console, in front of a person who can end it.
    open: (file) =>
      openFile(path.join(folder, storedBackup(file))).catch((error: NodeJS.ErrnoException) => {
        if (error.code === 'ENOENT') return undefined
        throw error
      }),
  }
}
