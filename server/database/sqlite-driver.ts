import {
  type CompiledQuery,
  type DatabaseConnection,
  type QueryResult,
  SelectQueryNode,
  type SqliteDatabase,
  SqliteDriver,
} from 'kysely'

/**
 * Kysely's driver has one connection, for which every query waits while a long transaction holds it. With this one, queries that only
 * read, outside of a transaction, use a second connection, which sees everything that is committed.
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
    await super.beginTransaction(await connection.writer())
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
    return ((mayReadBeside && this.reader) || (await this.writer())).executeQuery<R>(query)
  }

  async *streamQuery<R>(query: CompiledQuery, chunkSize: number): AsyncIterableIterator<QueryResult<R>> {
    yield* (await this.writer()).streamQuery<R>(query, chunkSize)
  }
}
