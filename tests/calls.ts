import { signIn } from '#contract/accounts.ts'

/** Sends JSON to a site that runs somewhere, as a program would. */
export function post(url: string, path: string, body: unknown, headers: Record<string, string> = {}) {
  return fetch(new URL(path, url), {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  })
}

/** Signs in there, and answers the cookie of the session. */
export async function signInAt(
  url: string,
  { username, password }: { username: string; password: string },
  headers: Record<string, string> = {},
) {
  const answer = await post(url, signIn.path, { username, password }, headers)
  if (answer.status !== 200) throw new Error(`Signing in answered ${answer.status}: ${await answer.text()}`)
  return answer.headers.getSetCookie()[0]?.split(';')[0] ?? ''
}
