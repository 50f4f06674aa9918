import { signIn } from '#contract/admins.ts'
import { finalizeUpload, requestUpload } from '#contract/uploads.ts'

/** Sends JSON to a site that runs somewhere, as a program would. */
export function post(url: string, path: string, body: unknown, headers: Record<string, string> = {}) {
  return fetch(new URL(path, url), {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  })
}

/** The cookie of somebody who has just signed in there. */
export async function signInAt(url: string, { username, password }: { username: string; password: string }) {
  const answer = await post(url, signIn.path, { username, password })
  if (answer.status !== 200) throw new Error(`Signing in answered ${answer.status}: ${await answer.text()}`)
  return answer.headers.getSetCookie()[0]?.split(';')[0] ?? ''
}

/** Sends a photo the way the panel does, and answers its address. */
export async function uploadTo(url: string, cookie: string, photo: Buffer) {
  const { uploadURL } = (await (await post(url, requestUpload.path, null, { cookie })).json()) as { uploadURL: string }
  await fetch(uploadURL, { method: 'PUT', headers: { cookie }, body: new Uint8Array(photo) })
  const finalized = await fetch(new URL(finalizeUpload.path, url), {
    method: 'PUT',
    headers: { cookie, 'content-type': 'application/json' },
    body: JSON.stringify({ imageURL: uploadURL }),
  })
  if (!finalized.ok) throw new Error(`Uploading answered ${finalized.status}: ${await finalized.text()}`)
  return ((await finalized.json()) as { objectPath: string }).objectPath
}
