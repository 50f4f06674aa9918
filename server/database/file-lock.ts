import { statSync, truncateSync } from 'node:fs'
import { DatabaseSync } from '@photostructure/sqlite'

export type FileLock = { release(): void }

/**
 * Takes a lock between processes, or answers undefined when it is taken. The lock is SQLite's own on that file, so that the
 * operating system lifts it however this process ends.
 */
export function tryFileLock(file: string): FileLock | undefined {
  // Nothing is ever written into it; what got there by damage would not be taken for a database.
  if (statSync(file, { throwIfNoEntry: false })?.size) truncateSync(file)
  const lock = new DatabaseSync(file)
  try {
    // Without a journal beside it: on a full disk there would be no room for one.
    lock.exec('pragma journal_mode = memory')
    lock.exec('begin exclusive')
  } catch (error) {
    lock.close()
    if (error instanceof Error && /locked|busy/i.test(error.message)) return undefined
    throw error
  }
  return { release: () => lock.close() }
}
