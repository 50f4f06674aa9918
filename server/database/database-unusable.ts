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

/** The database is there and must not be used, or must not be made. Its message says why, and what to do where that is known. */
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
