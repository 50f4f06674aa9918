import { statSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import { DatabaseSync, type DatabaseSyncInstance, type StatementSyncInstance } from '@photostructure/sqlite'
import {
  type Dialect,
  SqliteAdapter,
  type SqliteDatabase,
  SqliteDialect,
  SqliteIntrospector,
  SqliteQueryCompiler,
  type SqliteStatement,
} from 'kysely'
import { DatabaseUnusable, sqliteFault } from './database-errors.ts'
import { ReadingBesideDriver, untilUnlocked } from './sqlite-driver.ts'

/**
 * Opens the built-in database: every acknowledged write is on the disk before the answer leaves (WAL, synchronous=FULL), and
 * right after it in the main file as well. So that file alone is a whole copy, and a lost or damaged `-wal` costs nothing.
 */
export function openSqlite(file: string, { readOnly = false } = {}) {
  const database = connect(file, readOnly ? 'immutable' : 'read-write')
  if (!readOnly) {
    database.exec('pragma journal_mode = wal')
    database.exec('pragma synchronous = full')
    database.exec('pragma wal_autocheckpoint = 1')
    // The driver waits instead.
    database.exec('pragma busy_timeout = 0')
  }
  const guard = guardFile(file)
  const moveIntoMainFile = database.prepare(readOnly ? 'select 0 as busy' : 'pragma wal_checkpoint(truncate)')
  /** Whether it must be repeated: another process was reading or writing. */
  const checkpoint = () =>
    guard.watch(() => {
      try {
        return (moveIntoMainFile.get() as { busy: number }).busy === 1
      } catch (error) {
        // A transaction of this process, which checkpoints at its end; or the disk is full.
        if (!['in transaction', 'full', 'locked'].includes(sqliteFault(error) ?? '')) throw error
        return sqliteFault(error) === 'locked'
      }
    })
  // This library never finalizes prepared statements: closing alone would not empty the -wal.
  const writer = adapt(database, guard, checkpoint)
  const openReader = (timeout = 0) =>
    adapt(connect(file, readOnly ? 'immutable' : 'read-only', timeout), guard, () => {}, 'begin')
  return {
    dialect: dialectOf(writer, openReader()),
    checkpoint,
    /** For long reads: another connection, made when it is first used, and never by the site itself. */
    reader: new SqliteDialect({ database: async () => openReader(lockTimeout) }),
    /** Fails after damage was noticed, when the file was removed or replaced, or when one of the queries fails. */
    check: (queries: readonly string[]) =>
      untilUnlocked(() => {
        guard.beforeWrite()
        // Pages in memory would hide damage in the file.
        database.exec('pragma shrink_memory')
        // On the connection itself: through Kysely it would wait for the end of a long transaction.
        for (const query of queries) writer.prepare(query).all([])
      }),
  }
}

/** In milliseconds, while a process starts or only reads. */
const lockTimeout = 5_000

/** A disk that cannot be written to takes no -wal and no -shm, so SQLite must not look for them. */
function connect(file: string, mode: 'read-write' | 'read-only' | 'immutable', timeout = lockTimeout) {
  if (mode === 'immutable') return new DatabaseSync(`${pathToFileURL(file)}?immutable=1`, { readOnly: true })
  if (mode === 'read-only') return new DatabaseSync(file, { readOnly: true, timeout })
  return new DatabaseSync(file, { enableForeignKeyConstraints: true, timeout })
}

/** Refuses a file that is damaged or of another program. Reads the structure of every page: cheap enough for every start. */
export function quickCheck(file: string, { readOnly = false, mayBeEmpty = false } = {}) {
  const refuse = (fault: string): never => {
    throw new DatabaseUnusable('damaged', `The database ${file} is damaged: ${fault}.`)
  }
  const database = connect(file, readOnly ? 'immutable' : 'read-write')
  try {
    const result = database.prepare('pragma quick_check(1)').get() as { quick_check?: string } | undefined
    if (result?.quick_check !== 'ok') refuse(result?.quick_check?.replace(/\s+/g, ' ') ?? 'it cannot be checked')
    const tables = database.prepare("select name from sqlite_master where type = 'table'").all() as { name: string }[]
    if (tables.length === 0 && mayBeEmpty) return
    if (tables.length === 0) refuse('there is nothing in it')
    if (!tables.some(({ name }) => name === 'kysely_migration')) refuse('it holds the tables of another program')
  } catch (error) {
    if (isDamage(error)) refuse(error.message)
    throw error
  } finally {
    database.close()
  }
}

function dialectOf(database: SqliteDatabase, reader: SqliteDatabase): Dialect {
  return {
    createAdapter: () => new TransactionalAdapter(),
    createDriver: () => new ReadingBesideDriver({ database, reader }),
    createQueryCompiler: () => new SqliteQueryCompiler(),
    createIntrospector: (db) => new SqliteIntrospector(db),
  }
}

/** Kysely assumes that SQLite cannot change tables in a transaction, and would leave half a change behind a kill. */
class TransactionalAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl() {
    return true
  }
}

type Guard = ReturnType<typeof guardFile>

/** Notices when the file was removed or replaced, and remembers damage. */
function guardFile(file: string) {
  const opened = statSync(file).ino
  let damage: DatabaseUnusable | undefined
  return {
    /** Writing to a damaged file would make it worse. */
    beforeWrite() {
      if (damage) throw damage
      if (statSync(file, { throwIfNoEntry: false })?.ino === opened) return
      throw new DatabaseUnusable('replaced', `${file} was removed or replaced while it was open.`)
    },
    watch<T>(work: () => T): T {
      try {
        return work()
      } catch (error) {
        if (!isDamage(error)) throw error
        damage = new DatabaseUnusable('damaged', `The database ${file} is damaged (${error.message}).`, { cause: error })
        throw damage
      }
    },
  }
}

function isDamage(error: unknown): error is Error {
  return sqliteFault(error) === 'damaged'
}

/** The shape Kysely expects, over the `node:sqlite` API. Each statement is prepared once and used again. */
function adapt(
  database: DatabaseSyncInstance,
  guard: Guard,
  beforeClosing: () => void,
  begin = 'begin immediate',
): SqliteDatabase {
  const prepared = new Map<string, SqliteStatement>()
  return {
    close() {
      prepared.clear()
      try {
        beforeClosing()
      } finally {
        database.close()
      }
    },
    prepare(source) {
      const cached = prepared.get(source)
      if (cached) return cached
      // `begin immediate` locks for writing at once: a transaction that reads first fails when another process writes in between.
      const text = source === 'begin' ? begin : source
      const statement = adaptStatement(
        guard.watch(() => database.prepare(text)),
        guard,
        /^\s*(begin immediate|insert|update|delete|create|alter|drop)/i.test(text),
      )
      // Lists of changing length make ever new statements: without a limit the map would grow for ever.
      if (prepared.size >= 200) prepared.clear()
      // A changed table changes its statements' columns.
      if (/^\s*(create|alter|drop)/i.test(source)) prepared.clear()
      else prepared.set(source, statement)
      return statement
    },
  }
}

function adaptStatement(statement: StatementSyncInstance, guard: Guard, writes: boolean): SqliteStatement {
  const columns = statement.columns()
  const converted = columns.flatMap(({ name, type }) => {
    const convert = fromSqlite[type?.toLowerCase() ?? '']
    return convert ? [[name, convert] as const] : []
  })
  const restore = (row: unknown) => {
    const record = row as Record<string, unknown>
    for (const [name, convert] of converted) {
      if (record[name] !== null) record[name] = convert(record[name])
    }
    return record
  }
  const guarded = <T>(work: () => T) => {
    if (writes) guard.beforeWrite()
    return guard.watch(work)
  }
  return {
    reader: columns.length > 0,
    all: (values) => guarded(() => statement.all(...values.map(toSqlite)).map(restore)),
    run: (values) => guarded(() => statement.run(...values.map(toSqlite))),
    *iterate(values) {
      for (const row of statement.iterate(...values.map(toSqlite))) yield restore(row)
    },
  }
}

const fromSqlite: Record<string, (value: unknown) => unknown> = {
  boolean: (value) => value === 1,
  json: (value) => JSON.parse(String(value)),
}

// SQLite cuts text at NUL without an error, and half a character becomes another one: two names would be stored as one.
const unstorable = /[\0\p{Surrogate}]/u

function toSqlite(value: unknown) {
  if (typeof value === 'string' && unstorable.test(value))
    throw new Error('Text with a NUL or half a character cannot be stored.')
  return (typeof value === 'boolean' ? Number(value) : value) as null | number | bigint | string | Uint8Array
}
