import { mkdirSync } from 'node:fs'
import path from 'node:path'
import { DatabaseSync } from '@photostructure/sqlite'

/**
 * Keeps a second process away from a data folder. The lock is SQLite's own on a file beside the data, so that the
 * operating system lifts it however this process ends.
 */
export function lockDataFolder(dataDir: string): { release(): void } {
  mkdirSync(dataDir, { recursive: true })
  const lock = new DatabaseSync(path.join(dataDir, 'running.lock'))
  try {
    lock.exec('begin exclusive')
  } catch (error) {
    lock.close()
    if (error instanceof Error && /locked|busy/i.test(error.message)) throw new DataFolderInUse(dataDir)
    throw error
  }
  return { release: () => lock.close() }
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
