import { DatabaseSync, type DatabaseSyncInstance, type StatementSyncInstance } from '@photostructure/sqlite'
import { type SqliteDatabase, SqliteDialect, type SqliteStatement } from 'kysely'

/** Opens the built-in database: every acknowledged write is on the disk before the answer leaves (WAL, synchronous=FULL). */
export function openSqlite(file: string): SqliteDialect {
  const database = new DatabaseSync(file, { enableForeignKeyConstraints: true, timeout: 5_000 })
  database.exec('pragma journal_mode = wal')
  database.exec('pragma synchronous = full')
  return new SqliteDialect({ database: adapt(database) })
}

/** The shape Kysely expects, over the `node:sqlite` API. Each statement is prepared once and used again. */
function adapt(database: DatabaseSyncInstance): SqliteDatabase {
  const prepared = new Map<string, SqliteStatement>()
  return {
    close() {
      prepared.clear()
      database.close()
    },
    prepare(source) {
      const known = prepared.get(source)
      if (known) return known
      // A transaction takes its turn as a writer when it begins: one that read first and found another process had
      // written meanwhile could only fail.
      const statement = adaptStatement(database.prepare(source === 'begin' ? 'begin immediate' : source))
      // Lists of changing length make statements without end; the working set is far smaller than this.
      if (prepared.size >= 200) prepared.clear()
      // A changed table changes its statements' columns.
      if (/^\s*(create|alter|drop)/i.test(source)) prepared.clear()
      else prepared.set(source, statement)
      return statement
    },
  }
}

function adaptStatement(statement: StatementSyncInstance): SqliteStatement {
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
  return {
    reader: columns.length > 0,
    all: (values) => statement.all(...values.map(toSqlite)).map(restore),
    run: (values) => statement.run(...values.map(toSqlite)),
    *iterate(values) {
      for (const row of statement.iterate(...values.map(toSqlite))) yield restore(row)
    },
  }
}

const fromSqlite: Record<string, (value: unknown) => unknown> = {
  boolean: (value) => value === 1,
  json: (value) => JSON.parse(String(value)),
}

function toSqlite(value: unknown) {
  return (typeof value === 'boolean' ? Number(value) : value) as null | number | bigint | string | Uint8Array
}
