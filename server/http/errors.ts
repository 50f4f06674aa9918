import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { ProblemCode, ProblemReply } from '#contract/problems.ts'
import { type Issue, pathOf, ruleOf, valueFaultOf } from '#contract/value-fault.ts'
import { asProblem } from './as-problem.ts'
import { Problem } from './problem.ts'
import { isForPerson, sendUnavailablePage } from './unavailable-page.ts'
import { InvalidRequest } from './zod-compilers.ts'

/** Nothing is wrong with the request: it can be made again. */
const unanswered = [429, 503]

/** One place turns whatever went wrong into a sentence for the caller and a record for us. */
export function answerErrors(app: FastifyInstance) {
  app.setErrorHandler((error: FastifyError, request, reply) => {
    const problem = loggedProblem(error, request)
    if (unanswered.includes(problem.status) && isForPerson(request)) return sendUnavailablePage(request, reply, problem)
    return sendProblem(reply, problem)
  })
}

/** What went wrong, as the person in front of it is told; our own faults are logged. */
export function loggedProblem(error: FastifyError | Problem, request: FastifyRequest) {
  const problem = problemFrom(error, request)
  if (problem.status >= 500) request.log.error({ err: problem.cause ?? problem }, 'request failed')
  return problem
}

export function sendProblem(reply: FastifyReply, problem: Problem) {
  const { message, code, details, fields } = problem
  const body: ProblemReply = { message, code, ...(details && { details }), ...(fields && { fields }) }
  if (problem.retryAfterSeconds !== undefined) reply.header('retry-after', problem.retryAfterSeconds)
  return reply
    .code(problem.status)
    .header('cache-control', 'no-store')
    .header('content-type', 'application/json; charset=utf-8')
    .serializer(JSON.stringify)
    .send(body)
}

/** Fastify and its plugins refuse by status alone. */
const refusals: Readonly<Record<number, ProblemCode>> = {
  403: 'not_found',
  404: 'not_found',
  405: 'method_not_allowed',
  408: 'request_timeout',
  415: 'unsupported_media_type',
}

function problemFrom(error: FastifyError | Problem, request: FastifyRequest): Problem {
  if (error instanceof Problem) return error
  if (error instanceof InvalidRequest) return invalidInput(error)
  const { statusCode = 500 } = error
  if (statusCode === 413) return new Problem('body_too_large')
  if (statusCode === 400 && request.mediaType === 'application/json') {
    return new Problem('invalid_input', { details: { reason: 'not_json' } })
  }
  if (statusCode >= 400 && statusCode < 500) return new Problem(refusals[statusCode] ?? 'invalid_input')
  return asProblem(error)
}

const mostFaults = 20

function invalidInput({ issues, validationContext }: InvalidRequest) {
  // An address with an impossible id leads nowhere, like one with an unknown id.
  if (validationContext === 'params') return new Problem('not_found')
  const firsts = new Map<string, Issue>()
  for (const issue of issues as Issue[]) {
    if (!firsts.has(pathOf(issue))) firsts.set(pathOf(issue), issue)
  }
  const faults = [...firsts.values()].slice(0, mostFaults)
  return new Problem('invalid_input', {
    details: { reason: 'fields', faults: faults.map(valueFaultOf) },
    fields: Object.fromEntries(faults.map((issue) => [pathOf(issue), ruleOf(issue, 'this request')])),
  })
}
