import { type ProblemCode, problems } from '#contract/problems.ts'

type Details = { message?: string; fields?: Record<string, string>; retryAfterSeconds?: number; cause?: unknown }

/** A database that restarts is back within seconds. */
const soon = 5

/** A failure a person is told about. Thrown anywhere below a route; answered by the error handler. */
export class Problem extends Error {
  readonly status: number
  readonly fields: Record<string, string> | undefined
  readonly retryAfterSeconds: number | undefined

  constructor(
    readonly code: ProblemCode,
    { message, fields, retryAfterSeconds, cause }: Details = {},
  ) {
    super(message ?? problems[code][1], { cause })
    this.name = 'Problem'
    this.status = problems[code][0]
    this.fields = fields
    this.retryAfterSeconds = retryAfterSeconds ?? (code === 'unavailable' ? soon : undefined)
  }
}
