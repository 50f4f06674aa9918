import { accessSync, chmodSync, constants, existsSync, mkdirSync, readdirSync, statSync } from 'node:fs'
import path from 'node:path'
import { type FileLock, tryFileLock } from '../database/file-lock.ts'

/** The data folder cannot be used; the message says why and what to do. */
export class DataFolderUnusable extends Error {
  constructor(message: string) {
    super(`Cannot start: ${message} Nothing was changed.`)
    this.name = 'DataFolderUnusable'
  }
}

/** `unwritable` is the place that cannot be written to: with `readOnly` nothing can be changed, otherwise only backups fail. */
type DataFolder = { readOnly: boolean; unwritable?: string | undefined }

/**
 * Makes the data folder where there is none, and checks that it can be written to. A read-only disk still serves visitors;
 * files of another account would fail one by one later, so the start is refused.
 */
export function prepareDataFolder(dataDir: string): DataFolder {
  try {
    mkdirSync(dataDir, { recursive: true })
    if (!statSync(dataDir).isDirectory()) throw Object.assign(new Error(), { code: 'ENOTDIR' })
    closeFolder(dataDir)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code !== 'EROFS') throw new DataFolderUnusable(reasons[code ?? '']?.(dataDir) ?? `${dataDir}: ${String(error)}.`)
  }
  for (const place of placesIn(dataDir)) {
    const code = whyNotWritable(place)
    if (code === 'EROFS') return { readOnly: true, unwritable: place }
    if (code && code !== 'ENOENT') throw new DataFolderUnusable(reasons[code]?.(place) ?? `${place} cannot be used (${code}).`)
  }
  // May be another disk than the rest.
  const backups = path.join(dataDir, 'files/backups')
  const isWritable = [undefined, 'ENOENT'].includes(whyNotWritable(backups))
  return { readOnly: false, unwritable: isWritable ? undefined : backups }
}

function* placesIn(dataDir: string) {
  yield dataDir
  yield* entries.map((name) => path.join(dataDir, name))
  for (const folder of [dataDir, path.join(dataDir, 'files')].filter((each) => existsSync(each))) {
    yield* readdirSync(folder).flatMap((name) => (name.endsWith('.lock') ? [path.join(folder, name)] : []))
  }
}

/** What the site writes to, apart from locks and backups. */
const entries = [
  ...['vitrina.sqlite', 'vitrina.sqlite-wal', 'vitrina.sqlite-shm'],
  ...['reserve', 'unfinished', 'before-update', 'set-aside', 'files', 'files/site-id'],
  ...['objects', 'variants', 'inquiry-photos', 'aside', 'restores', 'uploads', 'incoming'].map((name) => `files/${name}`),
]

const reasons: Record<string, (place: string) => string> = {
  ENOTDIR: (place) => `DATA_DIR is ${place}, which is a file and not a folder. Name a folder.`,
  EEXIST: (place) => `DATA_DIR is ${place}, which is a file and not a folder. Name a folder.`,
  EACCES: ofAnotherAccount,
  EPERM: ofAnotherAccount,
  ENOSPC: (place) => `there is no room left on the disk of ${place}. Free some room.`,
}

function ofAnotherAccount(place: string) {
  const account = process.getuid?.() ?? 'this account'
  return `${place} belongs to another account and cannot be written to by this one (${account}). Give it to this account (chown -R), or start the site as its owner.`
}

function whyNotWritable(place: string) {
  try {
    accessSync(place, constants.R_OK | constants.W_OK)
    return undefined
  } catch (error) {
    return (error as NodeJS.ErrnoException).code
  }
}

/** Two processes on one data folder would damage each other's files. */
export function lockDataFolder(dataDir: string): FileLock {
  const lock = tryFileLock(path.join(dataDir, 'running.lock'))
  if (!lock) throw new DataFolderInUse(dataDir)
  return lock
}

export class DataFolderInUse extends Error {
  constructor(dataDir: string) {
    super(
      `Cannot start: another process is using ${dataDir}.\n` +
        'Stop it first, or give this one a folder of its own with DATA_DIR. Nothing was changed.',
    )
    this.name = 'DataFolderInUse'
  }
}

/** Called first by every program, so that other accounts of the machine cannot read its files. */
export function keepFilesPrivate() {
  process.umask(0o077)
}

const forOthers = 0o077
/** Folders that every account may write to, such as /tmp, are left open. */
const sticky = 0o1000

/** Earlier releases left the folder readable by other accounts. */
function closeFolder(folder: string) {
  try {
    const { mode, uid } = statSync(folder)
    const isOwn = uid === process.getuid?.() && (mode & sticky) === 0
    if (isOwn && (mode & forOthers) !== 0) chmodSync(folder, 0o700)
  } catch {
    // A read-only disk, or a file system without permissions.
  }
}
