import type { Readable } from 'node:stream'
import type { CompiledQuery, Transaction } from 'kysely'
import type { ContentChanged, ContentWatch } from './content-version.ts'
import type { Dialect } from './dialect.ts'
import type { MigrationRules } from './migrate.ts'
import { openSqliteDatabase } from './open-sqlite.ts'
import type { DumpOptions } from './postgres-dump.ts'
import type { Db, Tables } from './tables.ts'

export type Database = {
  db: Db
  dialect: Dialect
  /** A transaction that no other process enters under the same name at the same time. */
  exclusively<T>(
    name: string,
    work: (tx: Transaction<Tables>) => Promise<T>,
    options?: { withoutTimeout?: boolean },
  ): Promise<T>
  /** Does the work under a lock of that name; undefined when another process holds it. The work may take long. */
  unlessBusy<T>(name: string, work: () => Promise<T>): Promise<{ done: T } | undefined>
  /** Everything the work reads is of the same moment, even if it takes long. */
  snapshot<T>(work: (tx: Transaction<Tables>) => Promise<T>): Promise<T>
  /** Calls back within a second after any process has changed what visitors see; `unknown` when that cannot be read. */
  watchContent(changed: ContentChanged, unknown: () => void): Promise<ContentWatch>
  /** Writes a copy of the database without its transient tables; fails with DumpFailed when the copy is not complete. */
  dump(write: (content: Readable) => Promise<void>): Promise<void>
  /** An empty database of the same kind, in that folder or on the same server. It is removed when it is closed. */
  openTemporary(folder: string): Promise<Database>
  /** Fails when what visitors are shown cannot be read, or the built-in database's file is damaged, removed or replaced. */
  check(): Promise<void>
  /** Moves the last writes into the main file of the built-in database, and empties the one beside it. */
  checkpoint(): Promise<void>
  /** Its size, and the time of PostgreSQL's machine; undefined for the built-in database, which has no other than ours. */
  measure(): Promise<{ bytes: number; now: Date | undefined }>
  /**
   * Reads every page of the built-in database, in one go: for the backup worker and the console, because a large one would stop
   * the site for seconds. PostgreSQL checks its pages itself, where it was set up to, and is asked what it has found.
   */
  findDamage(): Promise<string | null>
  /** Undefined for the built-in database, which has no pool. */
  connections(): Connections | undefined
  close(): Promise<void>
}

export type Connections = { open: number; idle: number; waiting: number; max: number }

export type OpenOptions = {
  dataDir: string
  /** How many connections to PostgreSQL there may be at once. */
  maxConnections?: number
  /** Called for idle connections the server has dropped. */
  onLost?: (error: Error) => void
  /** Called before the tables are changed where processes of an older release use the same PostgreSQL database. */
  onOlder?: ((processes: number) => void) | undefined
  pgDump?: DumpOptions
  /** Called after every statement. */
  onStatement?: (statement: CompiledQuery) => void
  /** Called before an update changes the tables on PostgreSQL. Of the built-in database a copy is kept in any case. */
  beforeUpdate?: (dump: Database['dump']) => Promise<void>
  /** The built-in database, on a disk that cannot be written to. */
  readOnly?: boolean
  /** Without reading every page of the built-in database first: the site has done that when it started. */
  unchecked?: boolean
} & Pick<MigrationRules, 'asGuest' | 'onNew'>

/** Opens the database the settings name and brings its tables up to date. */
export async function openDatabase({ url, ...options }: OpenOptions & { url?: string | undefined }): Promise<Database> {
  if (!url) return openSqliteDatabase(options)
  // Loading pg takes a tenth of a second.
  const { openPostgresDatabase } = await import('./open-postgres.ts')
  return openPostgresDatabase(url, options)
}
