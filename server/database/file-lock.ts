import { statSync, truncateSync } from 'node:fs'
import { DatabaseSync } from '@photostructure/sqlite'

export type FileLock = { release(): void }

/** A lock between processes; undefined when it is taken. It is SQLite's lock on that file: the system releases it with the process. */
export function tryFileLock(file: string): FileLock | undefined {
  try {
    return lockFile(file, 'begin exclusive')
  } catch (error) {
    if (error instanceof Error && /locked|busy/i.test(error.message)) return undefined
    throw error
  }
}

/** Shared by any number of processes; tryFileLock answers undefined as long as one holds it. */
export function shareFileLock(file: string): FileLock {
  return lockFile(file, 'begin; select 1 from sqlite_master', { timeout: 5_000 })
}

function lockFile(file: string, statement: string, { timeout = 0 } = {}): FileLock {
  // Nothing is ever written into it: content means damage, which SQLite would refuse.
  if (statSync(file, { throwIfNoEntry: false })?.size) truncateSync(file)
  const lock = new DatabaseSync(file, { timeout })
  try {
    // Without a journal file: on a full disk it could not be made.
    lock.exec('pragma journal_mode = memory')
    lock.exec(statement)
  } catch (error) {
    lock.close()
    throw error
  }
  return { release: () => lock.close() }
}
