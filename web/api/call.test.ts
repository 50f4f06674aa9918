import { afterEach, expect, test } from 'vitest'
import { readContact } from '#contract/contacts.admin.ts'
import { sendContact } from '#contract/contacts.ts'
import { listProjects } from '#contract/projects.ts'
import { call } from './call.ts'

type Sent = { url: string; init: RequestInit | undefined }

const realFetch = globalThis.fetch
afterEach(() => {
  globalThis.fetch = realFetch
})

/** Takes the place of the network, and remembers what was sent. */
function answerWith(response: Response) {
  const sent: Sent[] = []
  globalThis.fetch = async (url, init) => {
    sent.push({ url: String(url), init })
    return response
  }
  return sent
}

test('a read goes to the address of its endpoint, with credentials and without a body', async () => {
  const sent = answerWith(Response.json([]))
  expect(await call(listProjects, { query: { category: 'ships' } })).toEqual([])
  expect(sent).toEqual([{ url: '/api/projects?category=ships', init: { method: 'GET', credentials: 'include' } }])
})

test('a query without values leaves the address alone', async () => {
  const sent = answerWith(Response.json([]))
  await call(listProjects, { query: { category: undefined } })
  expect(sent[0]?.url).toBe('/api/projects')
})

test('a write says that its body is JSON, only when it has one', async () => {
  const sent = answerWith(Response.json({ message: 'ok' }))
  const body = { name: 'Inés', email: 'ines@example.com', message: 'Hello' }
  await call(sendContact, { body })
  expect(sent[0]?.init).toEqual({
    method: 'POST',
    credentials: 'include',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
})

test('what stands in an address is escaped', async () => {
  const sent = answerWith(Response.json({ message: 'ok' }))
  await call(readContact, { params: { id: 'a/b?c' } })
  expect(sent[0]?.url).toBe('/api/admin/contacts/a%2Fb%3Fc')
})

test('an answer that is no success is an error with its status and its text, and the server’s sentence at hand', async () => {
  answerWith(Response.json({ message: 'Too often.', code: 'too_many_requests' }, { status: 429 }))
  await expect(call(listProjects, { query: {} })).rejects.toMatchObject({
    message: '429: {"message":"Too often.","code":"too_many_requests"}',
    status: 429,
    problem: { message: 'Too often.', code: 'too_many_requests' },
  })
})

test('an empty answer is told by its status text, and one in another form by its text', async () => {
  answerWith(new Response(null, { status: 502, statusText: 'Bad Gateway' }))
  await expect(call(listProjects, { query: {} })).rejects.toMatchObject({ message: '502: Bad Gateway', problem: undefined })
  answerWith(new Response('<h1>proxy</h1>', { status: 503 }))
  await expect(call(listProjects, { query: {} })).rejects.toMatchObject({ message: '503: <h1>proxy</h1>', problem: undefined })
})
