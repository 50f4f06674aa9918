import { signIn } from '#contract/accounts.ts'
import { setSiteOpened } from '#contract/site-content.ts'

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

/** A new site of an owner shows its page when this is done. */
export async function openToVisitors(url: string, account: { username: string; password: string }) {
  const { status } = await fetch(new URL(setSiteOpened.path, url), {
    method: setSiteOpened.method,
    headers: { 'content-type': 'application/json', cookie: await signInAt(url, account) },
    body: JSON.stringify({ opened: true }),
  })
  if (status !== 200) throw new Error(`Opening the site answered ${status}.`)
}
