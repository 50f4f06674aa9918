import path from 'node:path'
import { type FileLock, tryFileLock } from '../database/file-lock.ts'

/** Keeps a second process away from a data folder. */
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
