import { statSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import { DatabaseSync, type DatabaseSyncInstance, type StatementSyncInstance } from '@photostructure/sqlite'
import { SqliteAdapter, type SqliteDatabase, SqliteDialect, type SqliteStatement } from 'kysely'
import { DatabaseUnusable } from './database-unusable.ts'
import { ReadingBesideDriver } from './sqlite-driver.ts'
import { sqliteFault } from './sqlite-error.ts'

/**
 * Opens the built-in database: every acknowledged write is on the disk before the answer leaves (WAL, synchronous=FULL), and
 * right after it in the main file as well. So that file alone is a whole copy, and a lost or damaged `-wal` costs nothing.
 */
export function openSqlite(file: string, { readOnly = false } = {}) {
  const database = connect(file, readOnly ? 'immutable' : 'writing')
  if (!readOnly) {
    database.exec('pragma journal_mode = wal')
    database.exec('pragma synchronous = full')
    database.exec('pragma wal_autocheckpoint = 1')
  }
  const guard = guardFile(file)
  // Statements that were prepared are never finalized by this library, so closing alone would not empty the -wal. Whoever
  // reads at length is not waited for: waiting would stop everybody, and those who read as well.
  const checkpoint = () => {
    if (readOnly) return
    guard.watch(() => {
      database.exec('pragma busy_timeout = 0')
      try {
        database.exec('pragma wal_checkpoint(truncate)')
      } catch (error) {
        // In the middle of a transaction of our own, the end of which does the same.
        if (sqliteFault(error) !== 'locked') throw error
      } finally {
        database.exec(`pragma busy_timeout = ${patience}`)
      }
    })
  }
  const writer = adapt(database, guard, checkpoint)
  const connectReader = () => adapt(connect(file, readOnly ? 'immutable' : 'reading'), guard, () => {}, 'begin')
  return {
    dialect: new TransactionalSqlite(writer, connectReader()),
    checkpoint,
    /** A connection of its own, made when it is first needed, for who reads at length: others go on reading and writing. */
    reader: new SqliteDialect({ database: async () => connectReader() }),
    /** Fails once the file is known to be damaged, removed or replaced. Pages kept in memory would hide damage: they go. */
    check(looks: readonly string[]) {
      guard.beforeWrite()
      database.exec('pragma shrink_memory')
      // Not in the line of those who wait for a long transaction to end: who asks wants to know it now.
      for (const look of looks) writer.prepare(look).all([])
    },
  }
}

const patience = 5_000

/** A disk that cannot be written to takes no -wal and no -shm; nobody can be writing, so SQLite need not look for them. */
function connect(file: string, way: 'writing' | 'reading' | 'immutable') {
  if (way === 'immutable') return new DatabaseSync(`${pathToFileURL(file)}?immutable=1`, { readOnly: true })
  if (way === 'reading') return new DatabaseSync(file, { readOnly: true, timeout: patience })
  return new DatabaseSync(file, { enableForeignKeyConstraints: true, timeout: patience })
}

/** Refuses a file that is damaged or of another program. Reads the structure of every page: cheap enough for every start. */
export function quickCheck(file: string, { readOnly = false, mayBeEmpty = false } = {}) {
  const fault = faultIn(file, { readOnly, mayBeEmpty })
  if (fault) throw new DatabaseUnusable('damaged', `The database ${file} is damaged: ${fault}.`)
}

function faultIn(file: string, { readOnly, mayBeEmpty }: { readOnly: boolean; mayBeEmpty: boolean }): string | undefined {
  try {
    const database = connect(file, readOnly ? 'immutable' : 'writing')
    try {
      const found = database.prepare('pragma quick_check(1)').get() as { quick_check?: string } | undefined
      if (found?.quick_check !== 'ok') return found?.quick_check?.replace(/\s+/g, ' ') ?? 'it cannot be checked'
      const tables = database.prepare("select name from sqlite_master where type = 'table'").all() as { name: string }[]
      if (tables.length === 0) return mayBeEmpty ? undefined : 'there is nothing in it'
      return tables.some(({ name }) => name === 'kysely_migration') ? undefined : 'it holds the tables of another program'
    } finally {
      database.close()
    }
  } catch (error) {
    if (isDamage(error)) return error.message
    throw error
  }
}

/** Kysely believes that SQLite cannot change tables in a transaction, and would leave half a change behind a kill. */
class TransactionalSqlite extends SqliteDialect {
  constructor(
    readonly database: SqliteDatabase,
    readonly reader: SqliteDatabase,
  ) {
    super({ database })
  }

  override createAdapter() {
    return new TransactionalAdapter()
  }

  override createDriver() {
    return new ReadingBesideDriver(this)
  }
}

class TransactionalAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl() {
    return true
  }
}

type Guard = ReturnType<typeof guardFile>

/** Notices that the file under its name is not the open one any more, and remembers damage. */
function guardFile(file: string) {
  const opened = statSync(file).ino
  let damage: DatabaseUnusable | undefined
  return {
    /** What is damaged is not written to either: that could only make it worse. */
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
  checkpoint: () => void,
  begin = 'begin immediate',
): SqliteDatabase {
  const prepared = new Map<string, SqliteStatement>()
  return {
    close() {
      prepared.clear()
      try {
        checkpoint()
      } finally {
        database.close()
      }
    },
    prepare(source) {
      const known = prepared.get(source)
      if (known) return known
      // A transaction takes its turn as a writer when it begins: one that read first and found another process had
      // written meanwhile could only fail.
      const given = source === 'begin' ? begin : source
      const statement = adaptStatement(
        guard.watch(() => database.prepare(given)),
        guard,
        /^\s*(begin immediate|insert|update|delete|create|alter|drop)/i.test(given),
      )
      // Lists of changing length make statements without end; the working set is far smaller than this.
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

// SQLite cuts text at NUL without a word, and half a character becomes another one: two names would be stored as one.
const unstorable = /[\0\p{Surrogate}]/u

function toSqlite(value: unknown) {
  if (typeof value === 'string' && unstorable.test(value))
    throw new Error('Text with a NUL or half a character cannot be stored.')
  return (typeof value === 'boolean' ? Number(value) : value) as null | number | bigint | string | Uint8Array
}
