/** By SQLite's codes, and by its messages where the library leaves the code out, as it does while reading rows. */
const faults = [
  { fault: 'locked', code: 5, message: 'database is locked' },
  { fault: 'locked', code: 6, message: 'database table is locked' },
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

/** What kind of failure of the built-in database it is; undefined when it is none of these. */
export function sqliteFault(error: unknown) {
  if (!(error instanceof Error)) return undefined
  const { code: kind, errcode, message } = error as Error & { code?: string; errcode?: number }
  if (kind !== 'ERR_SQLITE_ERROR') return undefined
  const exact = faults.find(({ code }) => code === errcode)
  // The upper bits of a code only refine it.
  return (exact ?? faults.find((known) => (errcode ? known.code === (errcode & 0xff) : known.message === message)))?.fault
}
