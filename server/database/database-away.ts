/** Of the way to the database: refused, cut, or leading nowhere. */
const onTheWay = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
])

/**
 * Of PostgreSQL itself: a broken connection (08…), shutting down, starting up, too many connections, a time-out, a
 * stand-by that does not take writes.
 */
const ofTheServer = /^(08...|57P0[1235]|53300|57014|25P03|25006)$/

const ofTheDriver =
  /Connection terminated|timeout exceeded when trying to connect|connection error and is not queryable|driver has already been destroyed/

type Cause = { code?: string; syscall?: string; message?: string }

/** Whether it failed because the database cannot be asked right now, and not because of what was asked. */
export function isDatabaseAway(error: unknown) {
  const { code = '', syscall, message = '' } = (error ?? {}) as Cause
  // The socket of a PostgreSQL on the same machine is gone while it restarts.
  if (code === 'ENOENT' && syscall === 'connect') return true
  return onTheWay.has(code) || ofTheServer.test(code) || ofTheDriver.test(message)
}

/** Nothing can begin without a database; its message says why it could not be reached. */
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
