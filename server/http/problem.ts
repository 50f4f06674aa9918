import { problemTexts } from '#content/en/problems.ts'
import { problemSentence } from '#content/problem-sentence.ts'
import { type DetailsOf, type ProblemCode, problems } from '#contract/problems.ts'
import { DatabaseUnusable, isDatabaseAway, sqliteFault } from '#server/database/database-errors.ts'
import { StorageFailed } from '#server/storage/storage.ts'

type Options<Code extends ProblemCode> = {
  /** The values in the sentence, so that the panel can show it in another language. */
  details?: DetailsOf<Code>
  fields?: Record<string, string>
  retryAfterSeconds?: number
  cause?: unknown
}

/** In seconds: a restart of the database takes less. */
const retryAfter = 5

/** A failure with a sentence for the caller. Thrown anywhere below a route, sent by the error handler. */
export class Problem<Code extends ProblemCode = ProblemCode> extends Error {
  readonly status: number
  readonly details: DetailsOf<Code> | undefined
  readonly fields: Record<string, string> | undefined
  readonly retryAfterSeconds: number | undefined

  constructor(
    readonly code: Code,
    { details, fields, retryAfterSeconds, cause }: Options<Code> = {},
  ) {
    super(sentenceOf(code, details, fields), { cause })
    this.name = 'Problem'
    this.status = problems[code][0]
    this.details = details
    this.fields = fields
    this.retryAfterSeconds = retryAfterSeconds ?? (code === 'unavailable' ? retryAfter : undefined)
  }
}

function sentenceOf<Code extends ProblemCode>(code: Code, details?: DetailsOf<Code>, fields: Record<string, string> = {}) {
  // For a form the sentence is that of the first broken rule, as the specification says.
  const [rule] = code === 'invalid_input' ? Object.values(fields) : []
  return rule ?? problemSentence(problemTexts, { code, details })
}

/** A full or read-only disk as a problem; other errors unchanged. */
export function asDiskProblem(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof Problem) return error
  const { code = '' } = error as NodeJS.ErrnoException
  const fault = sqliteFault(error)
  if (['ENOSPC', 'EDQUOT'].includes(code) || fault === 'full') return new Problem('disk_full', { cause: error })
  return code === 'EROFS' || fault === 'unwritable' ? new Problem('disk_read_only', { cause: error }) : error
}

/** An error of the server as a problem. */
export function asProblem(thrown: unknown): Problem {
  const error = asDiskProblem(thrown)
  if (error instanceof Problem) return error
  if (error instanceof DatabaseUnusable) {
    return new Problem(error.reason === 'damaged' ? 'database_damaged' : 'database_replaced', { cause: error })
  }
  if (error instanceof StorageFailed) return new Problem('storage_unavailable', { cause: error })
  return isDatabaseAway(error) ? new Problem('unavailable', { cause: error }) : new Problem('unexpected', { cause: error })
}
