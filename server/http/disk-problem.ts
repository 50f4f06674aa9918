import { Problem } from './problem.ts'

/** SQLite's own numbers, of which its messages say no more; the last is the memory it shares between processes. */
const sqliteFull = new Set([13, 4874])
const sqliteReadOnly = 8

/** A full disk, and one that cannot be written to, as the problem they are to the person in front of them. */
export function asDiskProblem(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof Problem) return error
  const { code = '', errcode = 0 } = error as NodeJS.ErrnoException & { errcode?: number }
  const ofSqlite = code === 'ERR_SQLITE_ERROR'
  if (['ENOSPC', 'EDQUOT'].includes(code) || (ofSqlite && sqliteFull.has(errcode)))
    return new Problem('disk_full', { cause: error })
  const isReadOnly = code === 'EROFS' || (ofSqlite && (errcode & 0xff) === sqliteReadOnly)
  return isReadOnly ? new Problem('disk_read_only', { cause: error }) : error
}
