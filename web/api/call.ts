import type { Access, AnyEndpoint, AskingAccess, Endpoint, InputOf, ReplyOf } from '#contract/endpoint.ts'
import type { ProblemReply } from '#contract/problems.ts'

/** A call the server refused or could not answer. */
export class CallError extends Error {
  constructor(
    readonly status: number,
    text: string,
    /** The parsed body, when it is a problem of the contract. */
    readonly problem: ProblemReply | undefined,
  ) {
    super(`${status}: ${text}`)
    this.name = 'CallError'
  }
}

type CallInput = { params?: Record<string, string>; query?: Record<string, string | undefined>; body?: unknown }

/**
 * Makes a declared call. Throws a CallError for an error status, and fetch's own error without an answer. Calls that may
 * require the password go through `callConfirmed` of the panel.
 */
export function call<E extends Endpoint<Exclude<Access, AskingAccess>>>(
  endpoint: E,
  ...[input, how]: unknown extends InputOf<E> ? [] : [InputOf<E>, { signal: AbortSignal }?]
): Promise<ReplyOf<E>> {
  return callAny(endpoint, input, how)
}

export async function callAny<E extends AnyEndpoint>(endpoint: E, input: unknown, how?: { signal: AbortSignal }) {
  const { body, ...address } = (input ?? {}) as CallInput
  const response = await fetch(addressOf(endpoint, address), {
    method: endpoint.method,
    credentials: 'include',
    ...how,
    ...(body !== undefined && { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
  })
  if (!response.ok) throw await errorFrom(response)
  return (await response.json()) as ReplyOf<E>
}

/** The URL of a call, also for links to files. */
export function addressOf({ path }: AnyEndpoint, { params = {}, query = {} }: CallInput = {}) {
  const filled = path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(params[name] ?? ''))
  const entries = Object.entries(query).filter((entry): entry is [string, string] => entry[1] !== undefined)
  return entries.length > 0 ? `${filled}?${new URLSearchParams(entries)}` : filled
}

async function errorFrom(response: Response) {
  const text = await response.text()
  return new CallError(response.status, text || response.statusText, problemIn(text))
}

/** Undefined when the text is not a problem of the contract. */
export function problemIn(text: string): ProblemReply | undefined {
  try {
    const parsed: unknown = JSON.parse(text)
    const isProblem = typeof parsed === 'object' && parsed !== null && 'message' in parsed && typeof parsed.message === 'string'
    return isProblem ? (parsed as ProblemReply) : undefined
  } catch {
    return undefined
  }
}
