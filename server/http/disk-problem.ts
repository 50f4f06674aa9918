import { sqliteFault } from '#server/database/database-errors.ts'
import { Problem } from './problem.ts'

/** A full disk, and one that cannot be written to, as the problem they are to the person in front of them. */
export function asDiskProblem(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof Problem) return error
  const { code = '' } = error as NodeJS.ErrnoException
  const fault = sqliteFault(error)
  if (['ENOSPC', 'EDQUOT'].includes(code) || fault === 'full') return new Problem('disk_full', { cause: error })
  return code === 'EROFS' || fault === 'unwritable' ? new Problem('disk_read_only', { cause: error }) : error
}
