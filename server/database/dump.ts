import type { DatabaseSyncInstance } from '@photostructure/sqlite'
/** Why a database could not be copied into a file. */
export type DumpFault = 'missing' | 'older' | 'slow' | 'broken'

export class DumpFailed extends Error {
  constructor(
    readonly fault: DumpFault,
    message: string,
  ) {
    super(message)
    this.name = 'DumpFailed'
  }
}

/**
 * Who is here at the moment and what is on its way, not what the site holds. No copy carries them: a session that was ended
 * would be valid again, and a mail that was sent would be sent again.
 */
export const transientTables = ['sessions', 'login_attempts', 'request_counts', 'upload_tickets', 'outbox'] as const

/** Also in a database of an older release, which does not have them all. */
export function clearTransientTables(database: DatabaseSyncInstance) {
  const tables = database.prepare("select name from sqlite_master where type = 'table'").all() as { name: string }[]
  const present = transientTables.filter((table) => tables.some(({ name }) => name === table))
  for (const table of present) database.exec(`delete from ${table}`)
}
