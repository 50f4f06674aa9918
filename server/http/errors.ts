import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { serverTexts } from '#content/server-texts.ts'
import { type ProblemCode, type ProblemReply, problems } from '#contract/problems.ts'
import { type Issue, pathOf, ruleOf, valueFaultOf } from '#contract/value-fault.ts'
import { asProblem, Problem } from './problem.ts'
import { InvalidRequest } from './serve.ts'
import { chosenLanguage } from './visitor.ts'

/** The request may be repeated later. */
const temporary = [429, 503]

/** Every error becomes a sentence for the caller; those of the server are logged. */
export function answerErrors(app: FastifyInstance) {
  app.setErrorHandler((error: FastifyError, request, reply) => {
    const problem = loggedProblem(error, request)
    if (temporary.includes(problem.status) && acceptsPage(request)) return sendUnavailablePage(request, reply, problem)
    return sendProblem(reply, problem)
  })
}

/** The error as a problem; those of the server are logged. */
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

/** Fastify and its plugins throw errors with a status only. */
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
  // An id of the wrong form does not exist either.
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

/** Whether a browser shows the answer as a page. */
function acceptsPage({ method, url, headers }: FastifyRequest) {
  return (method === 'GET' || method === 'POST') && !url.startsWith('/api/') && (headers.accept?.includes('text/html') ?? false)
}

/** Needs no database, script or style sheet. */
function sendUnavailablePage(request: FastifyRequest, reply: FastifyReply, { status, retryAfterSeconds }: Problem) {
  const { language } = chosenLanguage(request)
  const { title, sentence, again } = serverTexts[language].unavailable
  return reply
    .code(status)
    .header('cache-control', 'no-store')
    .header('retry-after', retryAfterSeconds)
    .type('text/html; charset=utf-8')
    .send(
      `<!doctype html><html lang="${language}"><meta charset="utf-8"><meta name="viewport" content="width=device-width">` +
        `<title>${title}</title><style>${style}</style>` +
        `<main><h1>${title}</h1><p>${sentence}</p><p><a href="">${again}</a></p></main>`,
    )
}

const style = `
body { margin: 0; min-height: 100vh; box-sizing: border-box; padding: 2rem; display: grid; place-content: center;
  background: #14110f; color: #f4efe6; font: 1.125rem/1.6 system-ui, sans-serif }
main { max-width: 32rem }
h1 { font: 400 2.25rem/1.2 Georgia, serif; margin: 0 }
a { display: inline-block; padding: .6rem 1.2rem; border: 1px solid #b8893b; color: inherit; text-decoration: none }`

const codes: Readonly<Record<string, ProblemCode>> = {
  ERR_HTTP_REQUEST_TIMEOUT: 'request_timeout',
  HPE_HEADER_OVERFLOW: 'headers_too_large',
}

/** Answers bytes that are not HTTP, for which Fastify has no request, with the JSON of other errors. */
export function answerClientError({ code = '' }: { code?: string }, socket: Socket) {
  if (code === 'ECONNRESET' || socket.destroyed) return
  if (socket.writable) socket.write(refusal(codes[code] ?? 'not_http'))
  socket.destroy()
}

function refusal(code: ProblemCode) {
  const [status, message] = problems[code]
  const body = JSON.stringify({ message, code } satisfies ProblemReply)
  return [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Cache-Control: no-store',
    'X-Content-Type-Options: nosniff',
    'Connection: close',
    '',
    body,
  ].join('\r\n')
}
