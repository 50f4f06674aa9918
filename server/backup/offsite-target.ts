import { spawn } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { daysBefore } from '#server/clock.ts'
import type { OffsiteSettings } from '#server/config.ts'
import { Problem } from '#server/http/problem.ts'
import { ownProgram } from '#server/own-program.ts'
import { openFile } from '#server/storage/disk.ts'
import type { BucketSettings } from '#server/storage/s3.ts'
import { type OpenFile, type Storage, StorageFailed } from '#server/storage/storage.ts'
import { decryptedName, encryptedEnding } from './age.rules.ts'
import { backupsFolder, isBackupName, storedBackup } from './backup-names.ts'

/** A folder or a bucket outside of the site. Only files with the name of a backup in its folder `backups` are ever touched. */
export type OffsiteTarget = {
  kind: OffsiteSettings['kind']
  /** With `hasCopies` a folder without `backups` is refused: it may be a mount point without its share. */
  list(signal: AbortSignal, about?: { hasCopies?: boolean }): Promise<Copy[]>
  put(file: string, content: Readable, about: { bytes: number; signal: AbortSignal; hasCopies?: boolean }): Promise<void>
  read(file: string, signal: AbortSignal): Promise<Readable>
  remove(file: string, signal: AbortSignal): Promise<void>
  /** For random access; undefined when there is no such file. */
  open(file: string): Promise<OpenFile | undefined>
}

/** Does not reach for it yet. */
export function openTarget(settings: OffsiteSettings): OffsiteTarget {
  return settings.kind === 'folder' ? openFolderTarget(settings.folder) : openBucketTarget(settings.bucket)
}

function openBucketTarget(settings: BucketSettings): OffsiteTarget {
  let opened: Promise<OffsiteTarget> | undefined
  const target = () => {
    opened ??= loadBucketTarget(settings).catch((error: unknown) => {
      opened = undefined
      throw error
    })
    return opened
  }
  return {
    kind: 'bucket',
    list: async (...args) => (await target()).list(...args),
    put: async (...args) => (await target()).put(...args),
    read: async (...args) => (await target()).read(...args),
    remove: async (...args) => (await target()).remove(...args),
    open: async (...args) => (await target()).open(...args),
  }
}

async function loadBucketTarget(settings: BucketSettings): Promise<OffsiteTarget> {
  const { abortUploadsTo, openBucket } = await import('#server/storage/s3.ts')
  const target = targetIn(await openBucket(settings))
  return {
    ...target,
    async put(...copy) {
      // Half uploads of a process that was killed. Not every service lists them.
      await abortUploadsTo(settings, storedBackup('complete_backup_'), daysBefore(new Date(), 1)).catch(() => {})
      await target.put(...copy)
    },
  }
}

export function targetIn(storage: Storage): OffsiteTarget {
  return {
    kind: 'bucket',
    list: async () => copiesAmong(await storage.list(backupsFolder)),
    put: (file, content) => storage.put(storedBackup(file), content),
    async read(file) {
      const stored = await storage.stream(storedBackup(file))
      if (!stored) throw new Error(`${file} is not there.`)
      return stored.content
    },
    remove: (file) => storage.remove(storedBackup(file)),
    open: (file) => storage.open(storedBackup(file)),
  }
}

/** The copy of a backup, which may be encrypted. */
export async function openCopy(target: OffsiteTarget, filename: string): Promise<OpenFile | undefined> {
  const name = decryptedName(filename)
  return (await target.open(`${name}${encryptedEnding}`)) ?? target.open(name)
}

/** `file` is the name of the backup, or that and `.age`. */
export type Copy = { filename: string; file: string; bytes: number }

function copiesAmong(files: Awaited<ReturnType<Storage['list']>>): Copy[] {
  return files
    .map(({ name, bytes }) => ({ file: name.slice(storedBackup('').length), bytes }))
    .map((copy) => ({ ...copy, filename: decryptedName(copy.file) }))
    .filter(({ filename }) => isBackupName(filename))
}

const { PATH, TMPDIR } = process.env

/** A folder on another disk or a share. Another process reads and writes it. */
function openFolderTarget(folder: string): OffsiteTarget {
  let last: Promise<unknown> = Promise.resolve()

  async function start(signal: AbortSignal, ...args: string[]) {
    // A process that waits for a share does not end when it is killed: starting more would pile them up.
    await last
    const { file, execArgv = [] } = ownProgram('offsite-folder')
    const options = { env: { PATH, TMPDIR }, signal, killSignal: 'SIGKILL' } as const
    const child = spawn(process.execPath, [...execArgv, file, folder, ...args], options)
    const message = text(child.stderr)
    const ended = once(child, 'close').then(async ([code]) => {
      if (code !== 0) throw new StorageFailed(new Error(await message))
    })
    last = new Promise((resolve) => child.once('error', () => child.pid ?? resolve(undefined)).once('exit', resolve))
    // Handled where `ended` is awaited.
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
      // The reason of the process says more than the broken pipe.
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
    // In this process: only the console calls it, where Ctrl+C ends a share that hangs.
    open: (file) =>
      openFile(path.join(folder, storedBackup(file))).catch((error: NodeJS.ErrnoException) => {
        if (error.code === 'ENOENT') return undefined
        throw error
      }),
  }
}
