import {
  type CompiledQuery,
  type DatabaseConnection,
  type QueryResult,
  SelectQueryNode,
  type SqliteDatabase,
  SqliteDriver,
} from 'kysely'

/**
 * Kysely's driver has one connection, and everybody stands in line behind a long transaction. Here whoever only reads, outside
 * of a transaction, reads on a second connection, which sees all that has been written by then.
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
    // Given back never: each of its statements is done before another can begin.
    this.#reader = await this.#readers.acquireConnection()
  }

  override async acquireConnection() {
    return new LazyConnection(this.#reader, () => super.acquireConnection())
  }

  override async beginTransaction(connection: DatabaseConnection) {
    await super.beginTransaction(await writing(connection))
  }

  override async commitTransaction(connection: DatabaseConnection) {
    await super.commitTransaction(await writing(connection))
  }

  override async rollbackTransaction(connection: DatabaseConnection) {
    await super.rollbackTransaction(await writing(connection))
  }

  override async releaseConnection(connection?: DatabaseConnection) {
    if (connection instanceof LazyConnection && connection.isWriting) await super.releaseConnection()
  }

  override async destroy() {
    await this.#readers.destroy()
    await super.destroy()
  }
}

async function writing(connection: DatabaseConnection) {
  return connection instanceof LazyConnection ? connection.takeTurn() : connection
}

/** Reads at once; takes its turn as the writer with the first thing that is not a mere reading, and keeps it. */
class LazyConnection implements DatabaseConnection {
  #turn: Promise<DatabaseConnection> | undefined

  constructor(
    readonly reader: DatabaseConnection | undefined,
    readonly waitForTurn: () => Promise<DatabaseConnection>,
  ) {}

  get isWriting() {
    return this.#turn !== undefined
  }

  takeTurn() {
    this.#turn ??= this.waitForTurn()
    return this.#turn
  }

  async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    const mayReadBeside = !this.#turn && SelectQueryNode.is(query.query)
    return ((mayReadBeside && this.reader) || (await this.takeTurn())).executeQuery<R>(query)
  }

  async *streamQuery<R>(query: CompiledQuery, chunkSize: number): AsyncIterableIterator<QueryResult<R>> {
    yield* (await this.takeTurn()).streamQuery<R>(query, chunkSize)
  }
}
