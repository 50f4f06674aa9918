import { problemTexts } from '#content/en/problems.ts'
import { problemSentence } from '#content/problem-sentence.ts'
import { type DetailsOf, type ProblemCode, problems } from '#contract/problems.ts'

type Known<Code extends ProblemCode> = {
  /** What the sentence names, so that it can be said in another language too. */
  details?: DetailsOf<Code>
  fields?: Record<string, string>
  retryAfterSeconds?: number
  cause?: unknown
}

/** A database that restarts is back within seconds. */
const soon = 5

/** A failure a person is told about. Thrown anywhere below a route; answered by the error handler. */
export class Problem<Code extends ProblemCode = ProblemCode> extends Error {
  readonly status: number
  readonly details: DetailsOf<Code> | undefined
  readonly fields: Record<string, string> | undefined
  readonly retryAfterSeconds: number | undefined

  constructor(
    readonly code: Code,
    { details, fields, retryAfterSeconds, cause }: Known<Code> = {},
  ) {
    super(sentenceOf(code, details, fields), { cause })
    this.name = 'Problem'
    this.status = problems[code][0]
    this.details = details
    this.fields = fields
    this.retryAfterSeconds = retryAfterSeconds ?? (code === 'unavailable' ? soon : undefined)
  }
}

function sentenceOf<Code extends ProblemCode>(code: Code, details?: DetailsOf<Code>, fields: Record<string, string> = {}) {
  // For a form it is the sentence of the rule that was broken, which the specification gives.
  const [rule] = code === 'invalid_input' ? Object.values(fields) : []
  return rule ?? problemSentence(problemTexts, { code, details })
}
