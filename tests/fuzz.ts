import { parse } from 'node:querystring'
import { z } from 'zod/mini'
import { signOut } from '#contract/accounts.ts'
import type { Endpoint } from '#contract/endpoint.ts'
import { watchChanges } from '#contract/overview.ts'
import { type HostileRequest, hostileRequests } from './hostile-requests.ts'
import { seededRandom } from './random.ts'

export type Answer = { status: number; body: string }

type Site = {
  calls: readonly Endpoint[]
  send(request: HostileRequest): Promise<Answer>
  /** Signs in, and answers the cookie of the session. */
  signIn(): Promise<string>
}

/**
 * Sends hostile requests, half of them signed in, and tells what was answered with 5xx, answered to nobody who was signed in,
 * or taken although the contract refuses it.
 */
export async function fuzz({ calls, send, signIn }: Site, { seed, count }: { seed: number; count: number }) {
  const ids: string[] = []
  // Events have no end.
  const ending = calls.filter(({ path }) => path !== watchChanges.path)
  const nextRequest = hostileRequests(ending, { seed, ids: () => ids })
  const random = seededRandom(seed + 1)
  const answers: Record<string, number> = {}
  const faults: string[] = []
  let cookie = await signIn()

  for (let sent = 0; sent < count; sent += 1) {
    const signedIn = random() < 0.5
    const request = nextRequest()
    if (signedIn) request.headers = { ...request.headers, cookie }
    const answer = await send(request)
    const kind = `${String(answer.status)[0]}xx`
    answers[kind] = (answers[kind] ?? 0) + 1
    const fault = faultIn(request, answer, signedIn)
    if (fault) faults.push(`${fault}: ${requestInWords(request)} answered ${answer.status} ${answer.body.slice(0, 200)}`)
    const id = createdBy(request, answer)
    if (id) ids.push(id)
    if (signedIn && request.endpoint.path === signOut.path) cookie = await signIn()
  }
  return { seed, sent: count, answers, faults }
}

function faultIn({ endpoint, address, headers, payload }: HostileRequest, { status }: Answer, signedIn: boolean) {
  if (status >= 500) return 'failed'
  if (status >= 400) return undefined
  if (endpoint.access !== 'public' && !signedIn) return 'let in'
  const [path = '', query = ''] = address.split('?')
  // `/objects/%2e%2e` is sent as `/`, which is another call.
  if (/\/(\.|%2e){1,2}(\/|$)/i.test(path)) return undefined
  if (endpoint.query && !z.safeParse(endpoint.query, { ...parse(query) }).success) return 'took a query'
  if (!endpoint.body) return undefined
  const isJson = /^application\/json *(;|$)/i.test(headers['content-type'] ?? '')
  return z.safeParse(endpoint.body, isJson ? jsonIn(payload) : null).success ? undefined : 'took a body'
}

/** What no program could read as JSON is no input at all; a mark of the byte order in front of it may be passed over. */
function jsonIn(payload: Buffer | undefined): unknown {
  if (!payload) return undefined
  try {
    return JSON.parse(payload.toString().replace(/^\uFEFF/, ''))
  } catch {
    return Symbol('not JSON')
  }
}

function createdBy({ endpoint }: HostileRequest, { status, body }: Answer) {
  if (status !== 200 || endpoint.method !== 'POST') return undefined
  return /"id":"([0-9a-f-]{36})"/.exec(body)?.[1]
}

function requestInWords({ endpoint, address, headers, payload }: HostileRequest) {
  const { cookie, ...others } = headers
  const sent = payload ? ` ${JSON.stringify(payload.toString().slice(0, 300))}` : ''
  return `${endpoint.method} ${address.slice(0, 300)} ${cookie ? 'with a cookie ' : ''}${JSON.stringify(others).slice(0, 300)}${sent}`
}
