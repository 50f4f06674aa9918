import { DatabaseUnusable, isDatabaseAway } from '#server/database/database-errors.ts'
import { StorageFailed } from '#server/storage/storage.ts'
import { asDiskProblem } from './disk-problem.ts'
import { Problem } from './problem.ts'

/** What went wrong on the side of the site, as a person is told. */
export function asProblem(thrown: unknown): Problem {
  const error = asDiskProblem(thrown)
  if (error instanceof Problem) return error
  if (error instanceof DatabaseUnusable) {
    return new Problem(error.reason === 'replaced' ? 'database_replaced' : 'database_damaged', { cause: error })
  }
  if (error instanceof StorageFailed) return new Problem('storage_unavailable', { cause: error })
  return isDatabaseAway(error) ? new Problem('unavailable', { cause: error }) : new Problem('unexpected', { cause: error })
}
