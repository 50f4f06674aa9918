/** By SQLite's numbers, and by its own words where the library leaves the number out, as it does for rows that are read. */
const faults = [
  { fault: 'locked', code: 5, message: 'database is locked' },
  { fault: 'locked', code: 6, message: 'database table is locked' },
  { fault: 'full', code: 13, message: 'database or disk is full' },
  // What SQLite shares between processes has found no room.
  { fault: 'full', code: 4874, message: '' },
  { fault: 'unwritable', code: 8, message: 'attempt to write a readonly database' },
  // A page that cannot be read, or not whole.
  { fault: 'damaged', code: 266, message: '' },
  { fault: 'damaged', code: 522, message: '' },
  { fault: 'unwritable', code: 10, message: 'disk I/O error' },
  { fault: 'damaged', code: 11, message: 'database disk image is malformed' },
  { fault: 'damaged', code: 26, message: 'file is not a database' },
] as const

/** What keeps the built-in database from its work: the disk, the file, or somebody else; undefined when it is something else. */
export function sqliteFault(error: unknown) {
  if (!(error instanceof Error)) return undefined
  const { code: kind, errcode, message } = error as Error & { code?: string; errcode?: number }
  if (kind !== 'ERR_SQLITE_ERROR') return undefined
  const exact = faults.find(({ code }) => code === errcode)
  // The upper bits of a number only say more exactly what it is.
  return (exact ?? faults.find((known) => (errcode ? known.code === (errcode & 0xff) : known.message === message)))?.fault
}
