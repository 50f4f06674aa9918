import type { FastifyError, FastifyInstance, FastifyReply } from 'fastify'
import { hasZodFastifySchemaValidationErrors } from 'fastify-type-provider-zod'
import type { ProblemReply } from '#contract/problems.ts'
import { isDatabaseAway } from '#server/database/database-away.ts'
import { DatabaseUnusable } from '#server/database/database-unusable.ts'
import { StorageFailed } from '../storage/storage.ts'
import { asDiskProblem } from './disk-problem.ts'
import { Problem } from './problem.ts'
import { isForPerson, sendUnavailablePage } from './unavailable-page.ts'

/** One place turns whatever went wrong into a sentence for the caller and a record for us. */
export function answerErrors(app: FastifyInstance) {
  app.setErrorHandler((error: FastifyError, request, reply) => {
    const problem = problemFrom(error)
    if (problem.status >= 500) request.log.error({ err: problem.cause ?? problem }, 'request failed')
    if (problem.status === 503 && isForPerson(request)) return sendUnavailablePage(request, reply, problem)
    return sendProblem(reply, problem)
  })
}

export function sendProblem(reply: FastifyReply, problem: Problem) {
  const body: ProblemReply = { message: problem.message, code: problem.code, ...(problem.fields && { fields: problem.fields }) }
  if (problem.retryAfterSeconds !== undefined) reply.header('retry-after', problem.retryAfterSeconds)
  return reply
    .code(problem.status)
    .header('cache-control', 'no-store')
    .header('content-type', 'application/json; charset=utf-8')
    .serializer(JSON.stringify)
    .send(body)
}

function problemFrom(thrown: FastifyError | Problem): Problem {
  const error = asDiskProblem(thrown) as FastifyError | Problem
  if (error instanceof Problem) return error
  if (error instanceof DatabaseUnusable) {
    return new Problem(error.reason === 'replaced' ? 'database_replaced' : 'database_damaged', { cause: error })
  }
  if (error instanceof StorageFailed) return new Problem('storage_unavailable', { cause: error })
  if (hasZodFastifySchemaValidationErrors(error)) return invalidInput(error)
  switch (error.statusCode) {
    case 413:
      return new Problem('body_too_large')
    case 415:
      return new Problem('unsupported_media_type')
    case 400:
      return new Problem('invalid_input', { message: 'That could not be read as JSON. Nothing was changed.' })
  }
  return isDatabaseAway(error) ? new Problem('unavailable', { cause: error }) : new Problem('unexpected', { cause: error })
}

type Fault = { instancePath: string; message?: string; params: unknown }

function invalidInput({ validation, validationContext }: { validation: Fault[]; validationContext?: string }) {
  // An address with an impossible id leads nowhere, like one with an unknown id.
  if (validationContext === 'params') return new Problem('not_found')
  const fields: Record<string, string> = {}
  for (const fault of validation) fields[fault.instancePath.slice(1).replaceAll('/', '.')] ??= sentenceOf(fault)
  const [message] = Object.values(fields)
  return new Problem('invalid_input', { ...(message && { message }), fields })
}

function sentenceOf(fault: Fault) {
  const { keys } = fault.params as { keys?: string[] }
  if (keys) return `Not a field of this request: ${keys.join(', ')}.`
  return fault.message ?? 'This is not right.'
}
