import { setTimeout as wait } from 'node:timers/promises'
import {
  type CompiledQuery,
  type DatabaseConnection,
  type QueryResult,
  SelectQueryNode,
  type SqliteDatabase,
  SqliteDriver,
} from 'kysely'
import { sqliteFault } from './database-errors.ts'

/** In milliseconds. */
const shortestPause = 5
const longestPause = 50
const lockTimeout = 10 * 60_000

/** Tries again while another process writes. SQLite's own waiting would block the event loop. */
export async function untilUnlocked<T>(work: () => T | Promise<T>): Promise<T> {
  const until = performance.now() + lockTimeout
  for (let pause = shortestPause; ; pause = Math.min(pause * 2, longestPause)) {
    try {
      return await work()
    } catch (error) {
      if (sqliteFault(error) !== 'locked' || performance.now() > until) throw error
    }
    await wait(pause)
  }
}

/**
 * Kysely's driver has one connection, for which every query waits while a long transaction holds it. With this one, queries that only
 * read, outside of a transaction, use a second connection, which sees everything that is committed. While another process writes,
 * the next statement or transaction that writes waits, and those behind it.
 */
export class ReadingBesideDriver extends SqliteDriver {
  #readers: SqliteDriver
  #reader: DatabaseConnection | undefined

  constructor({ database, reader }: { database: SqliteDatabase; reader: SqliteDatabase }) {
    super({ database })
    this.#readers = new SqliteDriver({ database: reader })
  }

  override async init() {
    await super.init()
    await this.#readers.init()
    // Never released: each of its statements is done before another can begin.
    this.#reader = await this.#readers.acquireConnection()
  }

  override async acquireConnection() {
    return new LazyConnection(this.#reader, () => super.acquireConnection())
  }

  override async beginTransaction(connection: LazyConnection) {
    const writer = await connection.writer()
    // It locks for writing at once: nothing after it can meet the lock of another process.
    await untilUnlocked(() => super.beginTransaction(writer))
    connection.isInTransaction = true
  }

  override async commitTransaction(connection: LazyConnection) {
    await super.commitTransaction(await connection.writer())
  }

  override async rollbackTransaction(connection: LazyConnection) {
    // On a full disk SQLite has rolled back by itself, and this error would hide that one.
    await super.rollbackTransaction(await connection.writer()).catch((error: unknown) => {
      if (!(error instanceof Error && error.message.endsWith('no transaction is active'))) throw error
    })
  }

  override async releaseConnection(connection?: DatabaseConnection) {
    if (connection instanceof LazyConnection && connection.isWriting) await super.releaseConnection()
  }

  override async destroy() {
    await this.#readers.destroy()
    await super.destroy()
  }
}

/** Reads at once; waits for the writing connection with the first query that does more than read, and keeps it. */
class LazyConnection implements DatabaseConnection {
  #writer: Promise<DatabaseConnection> | undefined
  isInTransaction = false

  constructor(
    readonly reader: DatabaseConnection | undefined,
    readonly acquireWriter: () => Promise<DatabaseConnection>,
  ) {}

  get isWriting() {
    return this.#writer !== undefined
  }

  writer() {
    this.#writer ??= this.acquireWriter()
    return this.#writer
  }

  async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    const mayReadBeside = !this.#writer && SelectQueryNode.is(query.query)
    const connection = (mayReadBeside && this.reader) || (await this.writer())
    return this.isInTransaction ? connection.executeQuery<R>(query) : untilUnlocked(() => connection.executeQuery<R>(query))
  }

  async *streamQuery<R>(query: CompiledQuery, chunkSize: number): AsyncIterableIterator<QueryResult<R>> {
    yield* (await this.writer()).streamQuery<R>(query, chunkSize)
  }
}
