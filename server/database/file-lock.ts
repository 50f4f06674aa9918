import { statSync, truncateSync } from 'node:fs'
import { DatabaseSync } from '@photostructure/sqlite'

export type FileLock = { release(): void }

/** A lock between processes; undefined when it is taken. It is SQLite's lock on that file: the system releases it with the process. */
export function tryFileLock(file: string): FileLock | undefined {
  // Nothing is ever written into it: content can only be damage, which SQLite would refuse.
  if (statSync(file, { throwIfNoEntry: false })?.size) truncateSync(file)
  const lock = new DatabaseSync(file)
  try {
    // Without a journal file: on a full disk it could not be made.
    lock.exec('pragma journal_mode = memory')
    lock.exec('begin exclusive')
  } catch (error) {
    lock.close()
    if (error instanceof Error && /locked|busy/i.test(error.message)) return undefined
    throw error
  }
  return { release: () => lock.close() }
}
