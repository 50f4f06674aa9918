/** By SQLite's codes, and by its messages where the library leaves the code out, as it does while reading rows. */
const faults = [
  { fault: 'locked', code: 5, message: 'database is locked' },
  // Of this process itself.
  { fault: 'in transaction', code: 6, message: 'database table is locked' },
  { fault: 'full', code: 13, message: 'database or disk is full' },
  // The -shm file could not grow.
  { fault: 'full', code: 4874, message: '' },
  { fault: 'unwritable', code: 8, message: 'attempt to write a readonly database' },
  // A page that cannot be read, or not whole.
  { fault: 'damaged', code: 266, message: '' },
  { fault: 'damaged', code: 522, message: '' },
  { fault: 'unwritable', code: 10, message: 'disk I/O error' },
  { fault: 'damaged', code: 11, message: 'database disk image is malformed' },
  { fault: 'damaged', code: 26, message: 'file is not a database' },
] as const

/** The kind of failure of the built-in database; undefined for any other error. */
export function sqliteFault(error: unknown) {
  if (!(error instanceof Error)) return undefined
  const { code: kind, errcode, message } = error as Error & { code?: string; errcode?: number }
  if (kind !== 'ERR_SQLITE_ERROR') return undefined
  const exact = faults.find(({ code }) => code === errcode)
  // The upper bits of a code only refine it.
  return (exact ?? faults.find((each) => (errcode ? each.code === (errcode & 0xff) : each.message === message)))?.fault
}

/** Of the network. */
const networkCodes = /^(ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EAI_AGAIN)$/
/** Of PostgreSQL: a broken connection (08…), shutting down, starting up, too many connections, a timeout, a read-only stand-by. */
const serverCodes = /^(08...|57P0[1235]|53300|57014|25P03|25006)$/

const driverMessages =
  /Connection terminated|timeout exceeded when trying to connect|connection error and is not queryable|driver has already been destroyed/

type Cause = { code?: string; syscall?: string; message?: string }

/** Whether a query failed because the database cannot be reached, and not because of the query. */
export function isDatabaseAway(error: unknown) {
  const { code = '', syscall, message = '' } = (error ?? {}) as Cause
  if (sqliteFault(error) === 'locked') return true
  // The socket of a PostgreSQL on the same machine is gone while it restarts.
  if (code === 'ENOENT' && syscall === 'connect') return true
  return networkCodes.test(code) || serverCodes.test(code) || driverMessages.test(message)
}

export class DatabaseUnreachable extends Error {
  constructor(cause: unknown) {
    const why = cause instanceof Error && cause.message ? cause.message : (cause as Cause | undefined)?.code
    super(
      `Cannot start: the database could not be reached (${why}).\n` +
        'See that PostgreSQL runs and that DATABASE_URL is right. Nothing was changed.',
      { cause },
    )
    this.name = 'DatabaseUnreachable'
  }
}

type Reason =
  /** There is none, and only starting the site may make one. */
  | 'missing'
  | 'damaged'
  /** The file was removed or replaced while it was open. */
  | 'replaced'
  /** Of a newer release. */
  | 'newer'
  /** Of an older release, and opened by a program that may not change its tables. */
  | 'older'

/** There is a database that must not be used, or none and it must not be made. The message says why and, where it can, what to do. */
export class DatabaseUnusable extends Error {
  constructor(
    readonly reason: Reason,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options)
    this.name = 'DatabaseUnusable'
  }
}
