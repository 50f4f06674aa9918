import type { DatabaseSyncInstance } from '@photostructure/sqlite'

/**
 * Tables that say who is here at this moment, not what the site holds. No copy carries them: a session that was ended would
 * come back to life with it.
 */
export const momentaryTables = ['sessions', 'login_attempts', 'request_counts', 'upload_tickets'] as const

/** Empties them, also in a database of an older release, which does not have them all. */
export function forgetTheMoment(database: DatabaseSyncInstance) {
  const tables = database.prepare("select name from sqlite_master where type = 'table'").all() as { name: string }[]
  const present = momentaryTables.filter((table) => tables.some(({ name }) => name === table))
  for (const table of present) database.exec(`delete from ${table}`)
}
