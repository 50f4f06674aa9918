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
