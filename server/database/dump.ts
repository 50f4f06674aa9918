import type { DatabaseSyncInstance } from '@photostructure/sqlite'
import type { ProblemCode } from '#contract/problems.ts'

/** A database could not be copied into a file. */
export class DumpFailed extends Error {
  constructor(
    readonly code: ProblemCode,
    message: string,
  ) {
    super(message)
    this.name = 'DumpFailed'
  }
}

/** Left out of every copy: otherwise a session that was ended would be valid again, and a mail that was sent be sent again. */
export const transientTables = ['sessions', 'login_attempts', 'request_counts', 'upload_tickets', 'tokens', 'outbox'] as const

/** Also in a database of an older release, which does not have them all. */
export function clearTransientTables(database: DatabaseSyncInstance) {
  const tables = database.prepare("select name from sqlite_master where type = 'table'").all() as { name: string }[]
  const present = transientTables.filter((table) => tables.some(({ name }) => name === table))
  for (const table of present) database.exec(`delete from ${table}`)
}
